//! A simulator and an engine on all three routes, wired like in the binary.

use std::net::{Ipv4Addr, SocketAddr};
use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::{Arc, Mutex};
use std::time::{Duration, Instant, SystemTime};

use capstan_catalog::Catalog;
use capstan_core::card::Card;
use capstan_core::port::{BoxFuture, Clock, RouteAdapter};
use capstan_core::{Options, Redactor, ResultEnvelope, Route, Secret, TaskRequest};
use capstan_engine::{Capstan, Services, Settings};
use capstan_github::{
    Endpoint, GhAdapter, GhConfig, GithubHost, GraphqlAdapter, HttpClient, RestAdapter, TokenSource,
};
use capstan_test_support::tool;
use github_sim::{Server, Sim};
use serde_json::Value;
use tokio::net::TcpSocket;

/// The token of the tests. It has the shape of a real one, so that a leak is detected.
pub(crate) const TOKEN: &str = "ghp_0123456789abcdefghijABCDEFGHIJ012345";

/// A simulated GitHub, and an engine that is connected to it.
pub(crate) struct Bench {
    pub(crate) sim: Sim,
    pub(crate) capstan: Capstan,
    pub(crate) clock: Arc<QuickClock>,
    /// The `GH_CONFIG_DIR` that connects `gh` to the simulator.
    _folder: tempfile::TempDir,
    pub(crate) addresses: SimAddresses,
    servers: Servers,
    /// Reserves the port while the simulator does not listen at it.
    _port: TcpSocket,
}

/// The settings of a bench. The default is the demo, ready on all three routes.
pub(crate) struct Setup {
    pub(crate) sim: Sim,
    pub(crate) settings: Settings,
    /// Cards in addition to the built-in ones.
    pub(crate) cards: Vec<Card>,
    /// The token of the GraphQL and REST routes.
    pub(crate) token: Option<Secret>,
    /// The `gh` program. `None` means that it is not installed.
    pub(crate) gh: Option<PathBuf>,
    /// The token that `gh` gets. `None` means that it is not logged in.
    pub(crate) gh_token: Option<Secret>,
    pub(crate) listening: Listening,
    /// The path of the GraphQL endpoint.
    pub(crate) graphql_path: &'static str,
}

/// Where the simulator listens when the bench starts.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Listening {
    /// At the TCP address and at the Unix socket.
    Everywhere,
    /// Only at the Unix socket, which `gh` uses.
    ForGh,
    /// Not at all, so that connections fail.
    Nowhere,
}

impl Default for Setup {
    fn default() -> Self {
        Self {
            sim: Sim::demo(),
            settings: Settings {
                request_timeout: Duration::from_secs(10),
                ..Settings::default()
            },
            cards: Vec::new(),
            token: Some(Secret::new(TOKEN)),
            gh: Some(gh_program()),
            gh_token: Some(Secret::new(TOKEN)),
            listening: Listening::Everywhere,
            graphql_path: "/graphql",
        }
    }
}

/// The addresses of the simulator.
#[derive(Clone)]
pub(crate) struct SimAddresses {
    pub(crate) address: SocketAddr,
    pub(crate) socket: PathBuf,
}

type Servers = Arc<Mutex<Vec<Server>>>;

impl Bench {
    /// Returns a bench with the default settings.
    pub(crate) async fn demo() -> Self {
        Self::set_up(Setup::default()).await
    }

    /// Returns a bench whose requests are lost after `request_timeout`.
    pub(crate) async fn with(sim: Sim, request_timeout: Duration) -> Self {
        let settings = Settings {
            request_timeout,
            ..Settings::default()
        };
        Self::set_up(Setup {
            sim,
            settings,
            ..Setup::default()
        })
        .await
    }

    pub(crate) async fn set_up(setup: Setup) -> Self {
        let folder = tempfile::tempdir().unwrap();
        let port = TcpSocket::new_v4().unwrap();
        port.set_reuseaddr(true).unwrap();
        port.bind((Ipv4Addr::LOCALHOST, 0).into()).unwrap();
        let addresses = SimAddresses {
            address: port.local_addr().unwrap(),
            socket: folder.path().join("github.sock"),
        };
        let config = format!("http_unix_socket: {}\n", addresses.socket.display());
        std::fs::write(folder.path().join("config.yml"), config).unwrap();
        let url = format!("http://{}", addresses.address);
        let secrets: Vec<_> = setup.token.iter().chain(&setup.gh_token).cloned().collect();
        let gh = GhConfig {
            program: setup.gh,
            host: GithubHost::github_com(),
            env: vec![
                ("GH_CONFIG_DIR".to_owned(), folder.path().into()),
                // gh caches the features of a server, which differ between servers.
                (
                    "XDG_CACHE_HOME".to_owned(),
                    folder.path().join("cache").into(),
                ),
            ],
            token: setup.gh_token,
            refused: None,
        };
        let endpoint = Endpoint::from_urls(
            &url,
            &format!("{url}{}", setup.graphql_path),
            &GithubHost::github_com(),
        )
        .unwrap();
        let token = setup
            .token
            .map_or_else(TokenSource::none, TokenSource::from_token);
        let client = Arc::new(HttpClient::new(endpoint, token));
        let adapters: Vec<Arc<dyn RouteAdapter>> = vec![
            Arc::new(GraphqlAdapter::new(Arc::clone(&client))),
            Arc::new(RestAdapter::new(client)),
            Arc::new(GhAdapter::new(gh)),
        ];
        let mut catalog =
            Catalog::new(&capstan_cards::CARDS).with_generated(&capstan_cards::GENERATED);
        setup
            .cards
            .into_iter()
            .for_each(|card| catalog.insert(card));
        let clock = Arc::new(QuickClock::default());
        let capstan = Capstan::new(
            catalog,
            adapters,
            Arc::clone(&clock) as Arc<dyn Clock>,
            Redactor::new(secrets),
            setup.settings,
            Services::default(),
        );
        let servers = Servers::default();
        listen(&setup.sim, &addresses, &servers, setup.listening).await;
        Self {
            sim: setup.sim,
            capstan,
            clock,
            _folder: folder,
            addresses,
            servers,
            _port: port,
        }
    }

    /// Makes the simulator start to listen when the engine next sleeps.
    pub(crate) fn listen_after_first_wait(&self) {
        let (sim, addresses) = (self.sim.clone(), self.addresses.clone());
        let servers = Arc::clone(&self.servers);
        self.clock.set_next_sleep_event(async move {
            listen(&sim, &addresses, &servers, Listening::Everywhere).await;
        });
    }

    pub(crate) async fn run(
        &self,
        capability: &str,
        input: &Value,
        options: Options,
    ) -> ResultEnvelope {
        let request = TaskRequest {
            capability: capability.to_owned(),
            input: input.as_object().cloned().unwrap(),
            options,
            intent: None,
        };
        self.capstan.execute_task(&request).await
    }

    /// Runs a capability on one route.
    pub(crate) async fn run_on(
        &self,
        route: Route,
        capability: &str,
        input: &Value,
    ) -> ResultEnvelope {
        let options = Options {
            route: Some(route),
            full: true,
            ..Options::default()
        };
        self.run(capability, input, options).await
    }
}

/// A clock that records sleeps and skips them. The time of skipped sleeps counts as passed.
#[derive(Default)]
pub(crate) struct QuickClock {
    slept_ns: AtomicU64,
    sleeps: Mutex<Vec<Duration>>,
    /// What runs during the next sleep.
    next_sleep_event: Mutex<Option<BoxFuture<'static, ()>>>,
}

impl QuickClock {
    pub(crate) fn sleeps(&self) -> Vec<Duration> {
        self.sleeps.lock().unwrap().clone()
    }

    /// Sets what runs during the next sleep of the engine.
    pub(crate) fn set_next_sleep_event(&self, event: impl Future<Output = ()> + Send + 'static) {
        *self.next_sleep_event.lock().unwrap() = Some(Box::pin(event));
    }
}

impl Clock for QuickClock {
    fn now(&self) -> Instant {
        Instant::now() + Duration::from_nanos(self.slept_ns.load(Ordering::SeqCst))
    }

    fn date(&self) -> SystemTime {
        SystemTime::UNIX_EPOCH + Duration::from_millis(1_700_000_000_000)
    }

    fn sleep(&self, duration: Duration) -> BoxFuture<'_, ()> {
        self.sleeps.lock().unwrap().push(duration);
        self.slept_ns.fetch_add(
            u64::try_from(duration.as_nanos()).unwrap(),
            Ordering::SeqCst,
        );
        match self.next_sleep_event.lock().unwrap().take() {
            Some(event) => event,
            None => Box::pin(std::future::ready(())),
        }
    }
}

/// Makes the simulator listen. The servers stop when `servers` is dropped.
async fn listen(sim: &Sim, addresses: &SimAddresses, servers: &Servers, listening: Listening) {
    if listening == Listening::Everywhere {
        let server = sim.serve_tcp(addresses.address).await.unwrap();
        servers.lock().unwrap().push(server);
    }
    if listening != Listening::Nowhere {
        let server = sim.serve_unix(&addresses.socket).await.unwrap();
        servers.lock().unwrap().push(server);
    }
}

/// Returns the path of the real `gh`, which `make tools` installs. `CAPSTAN_GH` overrides it.
#[expect(
    clippy::disallowed_methods,
    reason = "a variable tells tests where gh is"
)]
pub(crate) fn gh_program() -> PathBuf {
    let named = std::env::var_os("CAPSTAN_GH").map(PathBuf::from);
    let Some(program) = named else {
        return tool("gh");
    };
    assert!(
        program.exists(),
        "there is no gh at {}: run `make tools` first",
        program.display()
    );
    program
}

/// Returns the root folder of the workspace.
pub(crate) fn workspace() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../..")
}

/// Returns an envelope as TOON shows it: in the rows of a table, a list or an object becomes one cell of text.
pub(crate) fn with_joined_cells(mut envelope: Value) -> Value {
    let join = |data: &mut Value| {
        let fields = data.as_object_mut().into_iter().flatten();
        let lists = fields.filter_map(|(_, value)| value.as_array_mut());
        for row in lists.flatten().filter_map(Value::as_object_mut) {
            for cell in row.values_mut() {
                let scalar =
                    |value: &Value| value.as_str().map_or(value.to_string(), str::to_owned);
                let text = |value: &Value| match value.as_array() {
                    Some(items) => items.iter().map(scalar).collect::<Vec<_>>().join("; "),
                    None => scalar(value),
                };
                let texts: Vec<String> = match cell {
                    Value::Array(items) => items.iter().map(text).collect(),
                    Value::Object(fields) => fields
                        .iter()
                        .map(|(name, value)| format!("{name} {}", text(value)))
                        .collect(),
                    _ => continue,
                };
                *cell = texts.join(", ").into();
            }
        }
    };
    if let Some(data) = envelope.get_mut("data") {
        join(data);
    }
    let results = envelope.get_mut("results").and_then(Value::as_array_mut);
    for data in results
        .into_iter()
        .flatten()
        .filter_map(|it| it.get_mut("data"))
    {
        join(data);
    }
    envelope
}
