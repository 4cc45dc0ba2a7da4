//! Wires what code needs: the store, the sandbox, downstream servers and the viewer.

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

use crate::args::GlobalArgs;
use crate::config::{Config, IsolationConfig, SandboxConfig, ScopeConfig};
use crate::environment::Environment;
use crate::output::announce;

/// Returns the file of the store. `None` if the platform has no data folder. The demo has its own file, so that it does
/// not mix with real data.
pub(crate) fn store_file(
    global: &GlobalArgs,
    config: &Config,
    environment: &Environment,
) -> Option<PathBuf> {
    let in_data_dir = |name: &str| Some(environment.data_dir.as_ref()?.join("capstan").join(name));
    match (&config.store, global.demo) {
        (_, true) => in_data_dir("demo.db"),
        (Some(named), false) => Some(named.clone()),
        (None, false) => in_data_dir("capstan.db"),
    }
}

/// Returns the store, which is opened when it is first needed.
pub(super) fn store(
    global: &GlobalArgs,
    config: &Config,
    environment: &Environment,
) -> Option<Arc<dyn Store>> {
    let file = store_file(global, config, environment)?;
    Some(Arc::new(SqliteStore::new(file)))
}

/// Returns the limits of the sandbox.
pub(super) fn limits(config: &SandboxConfig) -> Limits {
    let default = Limits::default();
    Limits {
        // The sandbox has no time limit of its own: that of the run applies.
        wall: Settings::default().run_timeout,
        memory_bytes: in_units(default.memory_bytes, config.memory_mb, 1 << 20),
        cpu: config.cpu_ms.map_or(default.cpu, Duration::from_millis),
        output_bytes: in_units(default.output_bytes, config.output_kb, 1 << 10),
        calls: config.calls.unwrap_or(default.calls),
        ..default
    }
}

fn in_units(default: u64, asked: Option<u64>, unit: u64) -> u64 {
    asked.map_or(default, |asked| asked.saturating_mul(unit))
}

/// How long a run waits for a free worker.
const WORKER_WAIT: Duration = Duration::from_secs(30);

/// Creates the sandbox. No worker is started yet.
pub(super) fn sandbox(config: &SandboxConfig) -> Arc<dyn Sandbox> {
    let mut settings = SandboxSettings::new(WorkerCommand::this_program());
    settings.limits = limits(config);
    settings.patience = WORKER_WAIT;
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

/// Returns the user and the scope that the configuration names.
pub(super) fn viewer(config: &ScopeConfig) -> anyhow::Result<Viewer> {
    let default = Scope::default();
    let scope = Scope::new(
        config.org.as_deref().unwrap_or(&default.org),
        config.project.as_deref().unwrap_or(&default.project),
    )
    .context("`scope` in the configuration is invalid")?;
    let user = config.user.clone().unwrap_or_else(|| "local".to_owned());
    if user.is_empty() || user.len() > 100 {
        bail!("`scope.user` in the configuration is invalid: expected 1 to 100 characters");
    }
    Ok(Viewer { scope, user })
}

/// Servers that are configured but not started.
pub(super) struct ConfiguredServers {
    servers: Vec<ServerConfig>,
    variables: capstan_downstream::Environment,
}

impl ConfiguredServers {
    /// Returns the secrets of the servers, so that the redactor can mask them.
    pub(super) fn secrets(&self) -> impl Iterator<Item = Secret> {
        self.servers.iter().flat_map(ServerConfig::secrets)
    }

    /// Returns the servers as a service of the engine. Each is started when it is first needed.
    pub(super) fn into_service(
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

/// Reads the servers of the configuration, of the files that it names, and of `--mcp-servers`. Servers with errors are
/// announced and left out. `None` if nothing is configured.
pub(super) fn servers(
    global: &GlobalArgs,
    config: &Config,
    environment: &Environment,
) -> anyhow::Result<Option<ConfiguredServers>> {
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
            announce(&format!("server ignored: {problem}"));
        }
        servers.extend(read);
    }
    let is_domain = |name: &str| {
        let is_domain_of_cards = capstan_cards::CARDS.has_prefix(&format!("{name}."));
        name == "cap" || name == "trace" || is_domain_of_cards
    };
    if let Some(server) = servers
        .iter()
        .find(|server| is_domain(server.name.as_str()))
    {
        bail!(
            "the server `{}` has the name of a domain of capabilities: rename it",
            server.name.as_str()
        );
    }
    Ok(Some(ConfiguredServers { servers, variables }))
}

/// Returns the names of all servers that can be read. Errors are ignored here, because [`servers`] reports them.
pub(crate) fn server_names(
    global: &GlobalArgs,
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
    global: &GlobalArgs,
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
