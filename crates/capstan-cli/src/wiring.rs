//! Puts the parts together: catalogue, routes, engine.

mod code;
mod connection;
mod search;

use std::path::Path;
use std::sync::Arc;
use std::time::{Duration, Instant, SystemTime};

use capstan_catalog::{Catalog, TAKEN, load_dir};
use capstan_core::card::Card;
use capstan_core::code::is_full_name;
use capstan_core::port::{BoxFuture, Cache, Clock, RouteAdapter};
use capstan_core::{Diagnostic, Redactor, Route, Severity, Source};
use capstan_engine::{Capstan, DefaultRepository, Policy, Services, Settings};
use capstan_github::{
    GhAdapter, GhConfig, GraphqlAdapter, HttpClient, RestAdapter, TokenSource, find_program,
};

use capstan_skill::{SkillFolders, diagnose_empty_path};

use crate::args::Global;
use crate::config::Config;
use crate::demo_world::DemoWorld;
use crate::environment::Environment;
use crate::git::repository_of_folder;
use crate::output::{announce, print_diagnostics, warn};

pub(crate) use code::store_file;
use connection::connect;
pub(crate) use connection::{Connection, host};

/// An engine that is ready to run, and what keeps it alive.
pub(crate) struct Engine {
    pub capstan: Arc<Capstan>,
    pub connection: Connection,
    /// The routes to GitHub, for `doctor`.
    pub adapters: Vec<Arc<dyn RouteAdapter>>,
    _demo: Option<DemoWorld>,
}

impl Engine {
    /// Learns from what was done, and ends the servers that were started on the way, politely.
    pub(crate) async fn leave(&self) {
        for warning in self.capstan.discovery().learn_from_session().await {
            warn(&warning, self.capstan.redactor());
        }
        if let Some(tools) = &self.capstan.services().tools {
            tools.stop().await;
        }
    }
}

/// The catalogue with everything that was wrong while it was put together.
pub(crate) fn catalog(
    global: &Global,
    config: &Config,
    environment: &Environment,
) -> (Catalog, Vec<Diagnostic>) {
    let mut catalog = Catalog::new(capstan_cards::CARDS);
    let mut diagnostics = Vec::new();
    for folder in config.cards.iter().chain(&global.cards) {
        let loaded = load_dir(folder);
        diagnostics.extend(loaded.diagnostics);
        for card in loaded.cards {
            if capstan_engine::is_own_action(card.id.as_str()) {
                diagnostics.push(refused(&card, folder, OWN_ACTION));
            } else {
                catalog.insert(card);
            }
        }
    }
    let is_error = |it: &&Diagnostic| it.severity == Severity::Error;
    let brings_any = !config.found_cards.is_empty() || !config.found_skills.is_empty();
    if let Some(error) = diagnostics.iter().find(is_error)
        && brings_any
    {
        catalog.set_unreadable(error.clone());
    }
    if config.found_cards.is_empty() {
        return (catalog, diagnostics);
    }
    let taken = Taken::by(global, config, environment);
    let mut brought = Vec::new();
    for folder in &config.found_cards {
        let loaded = load_dir(folder);
        diagnostics.extend(loaded.diagnostics);
        for card in loaded.cards {
            match taken.why(&catalog, card.id.as_str()) {
                Some(why) => diagnostics.push(refused(&card, folder, why)),
                None => brought.push(card),
            }
        }
    }
    for card in brought {
        catalog.insert_found(card);
    }
    (catalog, diagnostics)
}

/// Nobody can tell which names a file takes that cannot be read.
const HIDDEN_NAMES: &str = "may be in a file of yours that cannot be read";

const OWN_ACTION: &str = "is something that Capstan does itself";

/// The names that cards of a folder cannot have. In a repository that somebody else wrote, `issue.view` must
/// not become a write, and neither must a skill or a tool of the user's.
struct Taken {
    skills: SkillFolders,
    servers: Vec<String>,
}

impl Taken {
    fn by(global: &Global, config: &Config, environment: &Environment) -> Self {
        let own = config.skills.iter().chain(&global.skills).cloned();
        Self {
            skills: SkillFolders::new(own.collect()),
            servers: code::server_names(global, config, environment),
        }
    }

    fn why(&self, trusted: &Catalog, id: &str) -> Option<&'static str> {
        let server = id.split('.').next().unwrap_or_default();
        let library = self.skills.library();
        if !self.skills.unreadable().is_empty() || trusted.unreadable().is_some() {
            Some(HIDDEN_NAMES)
        } else if capstan_cards::CARDS.iter().any(|card| card.id == id) {
            Some("is a built-in card")
        } else if trusted.contains(id) {
            Some("is a card of yours")
        } else if capstan_engine::is_own_action(id) {
            Some(OWN_ACTION)
        } else if library.contains(id) || !library.unusable(id).is_empty() {
            Some("is a skill of yours")
        } else if self.servers.iter().any(|known| known == server) {
            Some("is a tool of a server of yours")
        } else if is_full_name(id) {
            Some("has the form of a full name of code")
        } else {
            None
        }
    }
}

fn refused(card: &Card, folder: &Path, why: &str) -> Diagnostic {
    let source = Source::new(folder.display().to_string(), "");
    let message = format!("`{}` {why}, so this card cannot be called so", card.id);
    let error = Diagnostic::error(TAKEN, &source, message);
    if why == HIDDEN_NAMES {
        return error.with_help(
            "mend the files of your own skills and cards: `capstan check` tells what is wrong",
        );
    }
    let meant = why.contains(" card");
    if meant {
        let folder = folder.display();
        error.with_help(format!(
            "only `capstan.toml` in this folder asks for it; if you mean it, say `--cards {folder}`"
        ))
    } else {
        error.with_help("give the card another `capability_id`")
    }
}

pub(crate) async fn wire(
    global: &Global,
    config: &Config,
    environment: &Environment,
    catalog: Catalog,
) -> anyhow::Result<Engine> {
    let demo = if global.demo {
        Some(DemoWorld::start().await?)
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
    let of_servers = servers.iter().flat_map(code::Configured::secrets);
    let secrets = environment.secrets().into_iter().chain(token.clone());
    let search_key = search::Key::of(&config.search, environment);
    let secrets = secrets.chain(of_servers).chain(search_key.secret());
    let secrets: Vec<_> = secrets.collect();
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
    let remembered = code::store(global, config, environment);
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
    let tools = servers.map(|servers| servers.ready(&clock, remembered.clone(), &redactor));
    let embedder = search::embedder(&config.search, &search_key, &clock)?;
    let services = Services {
        store: remembered,
        sandbox: Some(code::sandbox(&config.sandbox)),
        tools,
        skills: skill_folders(global, config, &redactor),
        embedder: Some(embedder),
        index: store_file(global, config, environment)
            .map(|file| Arc::new(search::IndexFile::beside(&file)) as Arc<dyn Cache>),
    };
    let routes = adapters.clone();
    let capstan = Capstan::new(catalog, routes, clock, redactor, settings, services);
    Ok(Engine {
        capstan: Arc::new(capstan),
        connection,
        adapters,
        _demo: demo,
    })
}

/// The repository of a call that names none: the one that was given, that of the demonstration, or that of the git
/// remote of a folder.
pub(crate) fn default_repository(
    global: &Global,
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
        // A host that cannot be read is refused where it is connected to.
        Err(_) => DefaultRepository::default(),
    }
}

/// The skills that are named; nothing is read before one is asked for. Somebody who named a path on the
/// command line is told at once if it adds nothing.
fn skill_folders(
    global: &Global,
    config: &Config,
    redactor: &Redactor,
) -> Option<Arc<SkillFolders>> {
    let useless: Vec<_> = global
        .skills
        .iter()
        .filter_map(|it| diagnose_empty_path(it))
        .collect();
    print_diagnostics(&useless, redactor);
    let named = config.skills.iter().chain(&global.skills);
    let paths: Vec<_> = named.cloned().collect();
    let found = config.found_skills.clone();
    let is_there = !paths.is_empty() || !found.is_empty();
    is_there.then(|| Arc::new(SkillFolders::new(paths).with_found(found)))
}

/// Time as it passes. A wait that a person would notice is announced to them.
#[derive(Debug)]
struct SystemClock;

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
            announce(&format!(
                "waiting {} s before the next try",
                duration.as_secs()
            ));
        }
        Box::pin(tokio::time::sleep(duration))
    }
}
