//! A simulator and an engine on all three routes, wired as the binary wires them.

use std::net::{Ipv4Addr, SocketAddr};
use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::{Arc, Mutex};
use std::time::{Duration, Instant};

use capstan_catalog::Catalog;
use capstan_core::port::{BoxFuture, Clock, RouteAdapter};
use capstan_core::{Options, Redactor, ResultEnvelope, Route, Secret, TaskRequest};
use capstan_engine::{Capstan, Settings};
use capstan_github::{
    Endpoint, GhAdapter, GhConfig, GraphqlAdapter, HttpClient, RestAdapter, TokenSource,
};
use github_sim::{Server, Sim};
use serde_json::Value;

/// The token of the tests: it has the shape of a real one, so that a leak would be seen.
pub(crate) const TOKEN: &str = "ghp_0123456789abcdefghijABCDEFGHIJ012345";

/// A GitHub and an engine that talks to it.
pub(crate) struct Bench {
    pub(crate) sim: Sim,
    pub(crate) url: String,
    pub(crate) capstan: Capstan,
    pub(crate) clock: Arc<QuickClock>,
    /// `GH_CONFIG_DIR` of a `gh` that talks to the simulator.
    pub(crate) folder: tempfile::TempDir,
    _servers: Vec<Server>,
}

impl Bench {
    pub(crate) async fn demo() -> Self {
        Self::with(Sim::demo(), Duration::from_secs(10)).await
    }

    /// `request_timeout` is how long one request may take before it counts as lost.
    pub(crate) async fn with(sim: Sim, request_timeout: Duration) -> Self {
        let loopback = SocketAddr::from((Ipv4Addr::LOCALHOST, 0));
        let http = sim.serve_tcp(loopback).await.unwrap();
        let folder = tempfile::tempdir().unwrap();
        let socket = folder.path().join("github.sock");
        let unix = sim.serve_unix(&socket).await.unwrap();
        let config = format!("http_unix_socket: {}\n", socket.display());
        std::fs::write(folder.path().join("config.yml"), config).unwrap();
        let url = http.url();
        let token = Secret::new(TOKEN);
        let gh = GhConfig {
            program: Some(gh_program()),
            host: "github.com".to_owned(),
            env: vec![
                ("GH_CONFIG_DIR".to_owned(), folder.path().into()),
                // gh remembers what a server can do; another server may be able to do more.
                (
                    "XDG_CACHE_HOME".to_owned(),
                    folder.path().join("cache").into(),
                ),
            ],
            token: Some(token.clone()),
        };
        let endpoint = Endpoint::explicit(&url, &format!("{url}/graphql"), "github.com").unwrap();
        let client = Arc::new(HttpClient::new(endpoint, TokenSource::given(token.clone())));
        let adapters: Vec<Arc<dyn RouteAdapter>> = vec![
            Arc::new(GraphqlAdapter::new(Arc::clone(&client))),
            Arc::new(RestAdapter::new(client)),
            Arc::new(GhAdapter::new(gh)),
        ];
        let clock = Arc::new(QuickClock::default());
        let capstan = Capstan::new(
            Catalog::new(capstan_cards::CARDS),
            adapters,
            Arc::clone(&clock) as Arc<dyn Clock>,
            Redactor::new([token]),
            Settings {
                request_timeout,
                ..Settings::default()
            },
        );
        Self {
            sim,
            url,
            capstan,
            clock,
            folder,
            _servers: vec![http, unix],
        }
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
        };
        self.capstan.execute_task(&request).await
    }

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

/// Sleeps are written down and skipped; what was slept counts as time that passed.
#[derive(Debug, Default)]
pub(crate) struct QuickClock {
    slept_ms: AtomicU64,
    sleeps: Mutex<Vec<Duration>>,
}

impl QuickClock {
    pub(crate) fn sleeps(&self) -> Vec<Duration> {
        self.sleeps.lock().unwrap().clone()
    }
}

impl Clock for QuickClock {
    fn now(&self) -> Instant {
        Instant::now() + Duration::from_millis(self.slept_ms.load(Ordering::SeqCst))
    }

    fn sleep(&self, duration: Duration) -> BoxFuture<'_, ()> {
        self.sleeps.lock().unwrap().push(duration);
        self.slept_ms.fetch_add(
            u64::try_from(duration.as_millis()).unwrap(),
            Ordering::SeqCst,
        );
        Box::pin(std::future::ready(()))
    }
}

/// The real `gh`, put there by `make tools`.
#[expect(
    clippy::disallowed_methods,
    reason = "tests are told where gh is by a variable"
)]
pub(crate) fn gh_program() -> PathBuf {
    let named = std::env::var_os("CAPSTAN_GH").map(PathBuf::from);
    let program = named.unwrap_or_else(|| workspace().join(".tools/gh"));
    assert!(
        program.exists(),
        "there is no gh at {}: run `make tools` first",
        program.display()
    );
    program
}

pub(crate) fn workspace() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../..")
}
