//! Puts the parts together: catalogue, routes, engine.

use std::sync::Arc;
use std::time::{Duration, Instant};

use anyhow::Context as _;
use capstan_catalog::{Catalog, load_dir};
use capstan_core::port::{BoxFuture, Clock, RouteAdapter};
use capstan_core::{Diagnostic, Redactor, Route, Secret};
use capstan_engine::{Capstan, Settings};
use capstan_github::{
    Endpoint, GhAdapter, GhConfig, GraphqlAdapter, HttpClient, RestAdapter, TokenSource,
    find_program,
};

use crate::args::Global;
use crate::config::Config;
use crate::demo_world::DemoWorld;
use crate::environment::Environment;
use crate::output::announce;

/// An engine that is ready to run, and what keeps it alive.
pub(crate) struct Wired {
    pub capstan: Arc<Capstan>,
    pub connection: Connection,
    _demo: Option<DemoWorld>,
}

/// How GitHub is reached, for `doctor`.
#[derive(Clone, Debug)]
pub(crate) struct Connection {
    pub endpoint: Endpoint,
    pub gh: GhConfig,
    /// Where the token comes from, in words.
    pub token_source: String,
}

/// The catalogue with everything that was wrong while it was put together.
pub(crate) fn catalog(global: &Global, config: &Config) -> (Catalog, Vec<Diagnostic>) {
    let mut catalog = Catalog::new(capstan_cards::CARDS);
    let mut diagnostics = Vec::new();
    for folder in config.cards.iter().chain(&global.cards) {
        let loaded = load_dir(folder);
        diagnostics.extend(loaded.diagnostics);
        for card in loaded.cards {
            catalog.insert(card);
        }
    }
    (catalog, diagnostics)
}

pub(crate) async fn wire(
    global: &Global,
    config: &Config,
    environment: &Environment,
    catalog: Catalog,
) -> anyhow::Result<Wired> {
    let demo = match global.demo {
        true => Some(DemoWorld::start().await?),
        false => None,
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
    let secrets = environment.secrets().into_iter().chain(token.clone());
    let redactor = Redactor::new(secrets);
    let source = match token {
        Some(token) => TokenSource::given(token),
        None => TokenSource::gh(connection.gh.clone(), redactor.clone()),
    };
    let client = Arc::new(HttpClient::new(connection.endpoint.clone(), source.clone()));
    let adapters: Vec<Arc<dyn RouteAdapter>> = vec![
        Arc::new(GraphqlAdapter::new(Arc::clone(&client))),
        Arc::new(RestAdapter::new(client)),
        Arc::new(GhAdapter::with_login(connection.gh.clone(), source)),
    ];
    let settings = Settings {
        host: connection.endpoint.host.clone(),
        routes: config.routes.clone().unwrap_or_else(|| Route::ALL.to_vec()),
        ..Settings::default()
    };
    let capstan = Capstan::new(catalog, adapters, Arc::new(SystemClock), redactor, settings);
    Ok(Wired {
        capstan: Arc::new(capstan),
        connection,
        _demo: demo,
    })
}

/// The host that is meant when nothing else is said.
pub(crate) fn host(config: &Config, environment: &Environment) -> String {
    let host = environment.host.clone().or_else(|| config.host.clone());
    host.unwrap_or_else(|| "github.com".to_owned())
}

fn connect(
    config: &Config,
    environment: &Environment,
    program: Option<std::path::PathBuf>,
) -> anyhow::Result<(Connection, Option<Secret>)> {
    let host = host(config, environment);
    let mut endpoint =
        Endpoint::for_host(&host).context("the host of GitHub is wrong (GH_HOST or `host`)")?;
    if environment.api_url.is_some() || environment.graphql_url.is_some() {
        let api = environment
            .api_url
            .clone()
            .unwrap_or_else(|| endpoint.api_url.to_string());
        let graphql = match (&environment.graphql_url, &environment.api_url) {
            (Some(graphql), _) => graphql.clone(),
            // As GitHub Enterprise has it: /api/v3 beside /api/graphql.
            (None, Some(api)) => match api.trim_end_matches('/').strip_suffix("/v3") {
                Some(base) => format!("{base}/graphql"),
                None => format!("{}/graphql", api.trim_end_matches('/')),
            },
            (None, None) => endpoint.graphql_url.to_string(),
        };
        endpoint = Endpoint::explicit(&api, &graphql, &host)
            .context("GITHUB_API_URL or GITHUB_GRAPHQL_URL is wrong")?;
    }
    let enterprise = host != "github.com" && !host.ends_with(".ghe.com");
    let found = match enterprise {
        true => environment
            .enterprise_token
            .as_ref()
            .or(environment.token.as_ref()),
        false => environment.token.as_ref(),
    };
    let token_source = match found {
        Some((name, _)) => format!("the variable {name}"),
        None if program.is_some() => "gh auth token".to_owned(),
        None => "nowhere".to_owned(),
    };
    let token = found.map(|(_, secret)| secret.clone());
    let gh = GhConfig {
        program,
        host,
        env: Vec::new(),
        token: token.clone(),
    };
    Ok((
        Connection {
            endpoint,
            gh,
            token_source,
        },
        token,
    ))
}

/// Time as it passes. A wait that a person would notice is announced to them.
#[derive(Debug)]
struct SystemClock;

const NOTICEABLE: Duration = Duration::from_secs(1);

impl Clock for SystemClock {
    fn now(&self) -> Instant {
        Instant::now()
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
