//! What code capabilities need: a store, a sandbox, downstream servers, and whose names are meant.

use std::path::PathBuf;
use std::sync::Arc;
use std::time::Duration;

use anyhow::{Context as _, bail};
use capstan_core::code::{Limits, Scope};
use capstan_core::port::{Clock, Isolation, Sandbox, Store, ToolServers, Viewer};
use capstan_core::{Redactor, Secret};
use capstan_downstream::{ServerConfig, ServerConfigs, Servers, read_mcp_servers, read_toml};
use capstan_engine::Settings;
use capstan_sandbox::{SandboxSettings, WorkerCommand};
use capstan_store::SqliteStore;

use crate::args::Global;
use crate::config::{Config, IsolationConfig, SandboxConfig, ScopeConfig};
use crate::environment::Environment;
use crate::output::announce;

/// The file where everything is remembered; nothing where the platform has no place for it. The
/// demo has a file of its own: what is tried there does not mix with what is used.
pub(crate) fn store_file(
    global: &Global,
    config: &Config,
    environment: &Environment,
) -> Option<PathBuf> {
    let usual = |name: &str| Some(environment.data_dir.as_ref()?.join("capstan").join(name));
    match (&config.store, global.demo) {
        (_, true) => usual("demo.db"),
        (Some(named), false) => Some(named.clone()),
        (None, false) => usual("capstan.db"),
    }
}

pub(super) fn store(
    global: &Global,
    config: &Config,
    environment: &Environment,
) -> Option<Arc<dyn Store>> {
    let file = store_file(global, config, environment)?;
    Some(Arc::new(SqliteStore::new(file)))
}

pub(super) fn limits(config: &SandboxConfig) -> Limits {
    let usual = Limits::default();
    Limits {
        // What a run may take that says nothing: code has no time of its own.
        wall: Settings::default().run_timeout,
        memory_bytes: in_units(usual.memory_bytes, config.memory_mb, 1 << 20),
        cpu: config.cpu_ms.map_or(usual.cpu, Duration::from_millis),
        output_bytes: in_units(usual.output_bytes, config.output_kb, 1 << 10),
        calls: config.calls.unwrap_or(usual.calls),
        ..usual
    }
}

fn in_units(usual: u64, asked: Option<u64>, unit: u64) -> u64 {
    asked.map_or(usual, |asked| asked.saturating_mul(unit))
}

/// How long a run waits for its turn.
const PATIENCE: Duration = Duration::from_secs(30);

/// Starts nothing.
pub(super) fn sandbox(config: &SandboxConfig) -> Arc<dyn Sandbox> {
    let mut settings = SandboxSettings::new(WorkerCommand::this_program());
    settings.limits = limits(config);
    // A burst of runs waits for its turn as long as a run may take.
    settings.patience = PATIENCE;
    settings.most_memory_bytes = settings.most_memory_bytes.max(settings.limits.memory_bytes);
    if let Some(concurrency) = config.concurrency {
        settings.runners = concurrency.max(1);
    }
    if let Some(runs) = config.runs {
        settings.most_runs = runs.max(1);
    }
    settings.isolation = config.isolation.map(|isolation| match isolation {
        IsolationConfig::Process => Isolation::Process,
        IsolationConfig::Thread => Isolation::Thread,
    });
    capstan_sandbox::sandbox(settings)
}

pub(super) fn viewer(config: &ScopeConfig) -> anyhow::Result<Viewer> {
    let usual = Scope::default();
    let scope = Scope::new(
        config.org.as_deref().unwrap_or(&usual.org),
        config.project.as_deref().unwrap_or(&usual.project),
    )
    .context("`scope` in the configuration is wrong")?;
    let user = config.user.clone().unwrap_or_else(|| "local".to_owned());
    if user.is_empty() || user.len() > 100 {
        bail!("`scope.user` in the configuration is wrong: expected 1 to 100 characters");
    }
    Ok(Viewer { scope, user })
}

/// Servers that are configured and not started.
pub(super) struct Configured {
    servers: Vec<ServerConfig>,
    variables: capstan_downstream::Environment,
}

impl Configured {
    /// What must never be shown.
    pub(super) fn secrets(&self) -> impl Iterator<Item = Secret> {
        self.servers.iter().flat_map(ServerConfig::secrets)
    }

    pub(super) fn ready(
        self,
        clock: &Arc<dyn Clock>,
        store: Option<Arc<dyn Store>>,
        redactor: &Redactor,
    ) -> Arc<dyn ToolServers> {
        let Self { servers, variables } = self;
        let (clock, redactor) = (Arc::clone(clock), redactor.clone());
        Arc::new(Servers::new(servers, variables, clock, store, redactor))
    }
}

/// The servers of the configuration, of the files that it names, and of those that the command line
/// names. What is wrong with one of them is said, and the others are used.
pub(super) fn servers(
    global: &Global,
    config: &Config,
    environment: &Environment,
) -> anyhow::Result<Option<Configured>> {
    let variables = capstan_downstream::Environment::new(environment.variables());
    let all = read_servers(global, config, &variables)?;
    if all.is_empty() {
        return Ok(None);
    }
    let mut servers = Vec::new();
    for ServerConfigs {
        servers: read,
        problems,
        ..
    } in all
    {
        for problem in problems {
            announce(&format!("not used: {problem}"));
        }
        servers.extend(read);
    }
    let taken = |name: &str| {
        let domain = |card: &&capstan_catalog::BuiltinCard| card.id.split('.').next() == Some(name);
        name == "cap" || name == "trace" || capstan_cards::CARDS.iter().any(|card| domain(&card))
    };
    if let Some(server) = servers.iter().find(|server| taken(server.name.as_str())) {
        bail!(
            "the server `{}` has the name of a domain of capabilities: give it another one",
            server.name.as_str()
        );
    }
    Ok(Some(Configured { servers, variables }))
}

/// What the servers are called that can be read, whatever else is wrong: that is told elsewhere.
pub(super) fn server_names(
    global: &Global,
    config: &Config,
    environment: &Environment,
) -> Vec<String> {
    let variables = capstan_downstream::Environment::new(environment.variables());
    let all = read_servers(global, config, &variables).unwrap_or_default();
    let servers = all.iter().flat_map(|configs| &configs.servers);
    servers
        .map(|server| server.name.as_str().to_owned())
        .collect()
}

fn read_servers(
    global: &Global,
    config: &Config,
    variables: &capstan_downstream::Environment,
) -> anyhow::Result<Vec<ServerConfigs>> {
    let mut all = Vec::new();
    if let Some(table) = &config.servers {
        let table = serde_json::to_value(table).context("`servers` in the configuration")?;
        all.push(read_toml(&table, variables));
    }
    for file in config.mcp_servers.iter().chain(&global.mcp_servers) {
        let text = std::fs::read_to_string(file)
            .with_context(|| format!("cannot read the servers in `{}`", file.display()))?;
        all.push(read_mcp_servers(&text, variables));
    }
    Ok(all)
}
