//! Wires everything together: the catalogue, the routes, the services and the engine.

mod card_cache;
mod catalog;
mod code;
mod connection;
mod search;
mod services;

use std::sync::Arc;
use std::time::{Duration, Instant, SystemTime};

use capstan_catalog::Catalog;
use capstan_core::port::{BoxFuture, Cache, Clock, RouteAdapter};
use capstan_core::{Redactor, Route};
use capstan_engine::{Capstan, DefaultRepository, Policy, Services, Settings};
use capstan_github::{
    GhAdapter, GhConfig, GraphqlAdapter, HttpClient, RestAdapter, TokenSource, find_program,
};

use capstan_service::ServiceSettings;
use capstan_skill::{SkillFolders, diagnose_empty_path};

use crate::args::GlobalArgs;
use crate::config::Config;
use crate::demo_server::DemoServer;
use crate::environment::Environment;
use crate::git::repository_of_folder;
use crate::output::{announce, print_diagnostics, warn};

pub(crate) use card_cache::CardCache;
pub(crate) use catalog::catalog;
pub(crate) use code::{server_names, store_file};
use connection::connect;
pub(crate) use connection::{Connection, host};

/// A running engine with its connection to GitHub. The simulator of a demo stops when this value is dropped.
pub(crate) struct Engine {
    pub capstan: Arc<Capstan>,
    pub connection: Connection,
    /// The routes to GitHub, for `doctor`.
    pub adapters: Vec<Arc<dyn RouteAdapter>>,
    /// The services beside GitHub, for `doctor`.
    pub services: Vec<ServiceSettings>,
    _demo: Option<DemoServer>,
}

impl Engine {
    /// Learns relations from this session, and stops the MCP servers that were started.
    pub(crate) async fn shut_down(&self) {
        for warning in self.capstan.discovery().learn_from_session().await {
            warn(&warning, self.capstan.redactor());
        }
        if let Some(tools) = &self.capstan.services().tools {
            tools.stop().await;
        }
    }
}

/// Creates an engine for the catalogue, connected to GitHub or, with `--demo`, to the simulator.
pub(crate) async fn wire(
    global: &GlobalArgs,
    config: &Config,
    environment: &Environment,
    catalog: Catalog,
) -> anyhow::Result<Engine> {
    let demo = if global.demo {
        Some(DemoServer::start().await?)
    } else {
        None
    };
    let program = environment
        .gh_program
        .clone()
        .or_else(|| find_program("gh", &environment.path));
    let (connection, token) = match &demo {
        Some(demo) => {
            let gh = GhConfig {
                program,
                host: demo.endpoint.host.clone(),
                env: demo.gh_env.clone(),
                token: Some(demo.token.clone()),
                refused: None,
            };
            let token = Some(demo.token.clone());
            (
                Connection {
                    endpoint: demo.endpoint.clone(),
                    gh,
                    token_source: "the simulator".to_owned(),
                },
                token,
            )
        }
        None => connect(config, environment, program)?,
    };
    let servers = code::servers(global, config, environment)?;
    // The demo works offline.
    let beside_github = if global.demo {
        Vec::new()
    } else {
        config.services.settings(environment)?
    };
    let search_key = search::EndpointKey::from_config(&config.search, environment);
    let secrets: Vec<_> = environment
        .secrets()
        .into_iter()
        .chain(token.clone())
        .chain(servers.iter().flat_map(code::ConfiguredServers::secrets))
        .chain(search_key.secret())
        .chain(beside_github.iter().flat_map(ServiceSettings::secrets))
        .collect();
    let redactor = Redactor::new(secrets);
    let source = match token {
        Some(token) => TokenSource::from_token(token),
        None => TokenSource::from_gh(connection.gh.clone(), redactor.clone()),
    };
    let client = Arc::new(HttpClient::new(connection.endpoint.clone(), source.clone()));
    let adapters: Vec<Arc<dyn RouteAdapter>> = vec![
        Arc::new(GraphqlAdapter::new(Arc::clone(&client))),
        Arc::new(RestAdapter::new(client)),
        Arc::new(GhAdapter::with_login(connection.gh.clone(), source)),
    ];
    let store = code::store(global, config, environment);
    let clock: Arc<dyn Clock> = Arc::new(SystemClock);
    let policy = Policy {
        read_only: config.policy.read_only || global.read_only,
        allow: config.policy.allow.clone(),
        deny: config.policy.deny.clone(),
    };
    let settings = Settings {
        limits: code::limits(&config.sandbox),
        policy,
        viewer: code::viewer(&config.scope)?,
        own_viewer: config.own_scope.as_ref().map(code::viewer).transpose()?,
        host: connection.endpoint.host.to_string(),
        routes: config
            .routes
            .clone()
            .unwrap_or_else(|| Route::GITHUB.to_vec()),
        repository: default_repository(global, config, environment),
        ..Settings::default()
    };
    let tools = servers.map(|servers| servers.into_service(&clock, store.clone(), &redactor));
    let embedder = search::embedder(&config.search, &search_key, &clock)?;
    let services = Services {
        store,
        sandbox: Some(code::sandbox(&config.sandbox)),
        tools,
        skills: skill_folders(global, config, &redactor),
        embedder: Some(embedder),
        index: store_file(global, config, environment)
            .map(|file| Arc::new(search::IndexFile::beside(&file)) as Arc<dyn Cache>),
    };
    let of_services = services::adapters(&beside_github, &clock, &redactor);
    let routes = adapters.iter().cloned().chain(of_services).collect();
    let capstan = Capstan::new(catalog, routes, clock, redactor, settings, services);
    Ok(Engine {
        capstan: Arc::new(capstan),
        connection,
        adapters,
        services: beside_github,
        _demo: demo,
    })
}

/// Returns the repository for calls that name none: that of `--repo`, that of the demo, or that of a folder's git
/// remote.
pub(crate) fn default_repository(
    global: &GlobalArgs,
    config: &Config,
    environment: &Environment,
) -> DefaultRepository {
    if let Some((owner, name)) = &global.repository {
        return DefaultRepository::fixed(owner, name);
    }
    if global.demo {
        return DefaultRepository::fixed("acme", "rocket");
    }
    match host(config, environment) {
        Ok(host) => {
            DefaultRepository::from_folders(move |folder| repository_of_folder(folder, &host))
        }
        // `connect` reports a host that is not valid.
        Err(_) => DefaultRepository::default(),
    }
}

/// Returns the folders with skills, which are read when a skill is first needed. Prints a diagnostic for each
/// `--skills` path without skills.
fn skill_folders(
    global: &GlobalArgs,
    config: &Config,
    redactor: &Redactor,
) -> Option<Arc<SkillFolders>> {
    let empty_paths: Vec<_> = global
        .skills
        .iter()
        .filter_map(|it| diagnose_empty_path(it))
        .collect();
    print_diagnostics(&empty_paths, redactor);
    let named = config.skills.iter().chain(&global.skills);
    let paths: Vec<_> = named.cloned().collect();
    let found = config.found_skills.clone();
    let has_any = !paths.is_empty() || !found.is_empty();
    has_any.then(|| Arc::new(SkillFolders::new(paths).with_found(found)))
}

/// The clock of the system. A long wait is announced on the terminal.
#[derive(Debug)]
struct SystemClock;

/// The shortest wait that is announced.
const NOTICEABLE: Duration = Duration::from_secs(1);

impl Clock for SystemClock {
    fn now(&self) -> Instant {
        Instant::now()
    }

    #[expect(clippy::disallowed_methods, reason = "this is the clock")]
    fn date(&self) -> SystemTime {
        SystemTime::now()
    }

    fn sleep(&self, duration: Duration) -> BoxFuture<'_, ()> {
        if duration >= NOTICEABLE {
            announce(&format!("retrying in {} s", duration.as_secs()));
        }
        Box::pin(tokio::time::sleep(duration))
    }
}
