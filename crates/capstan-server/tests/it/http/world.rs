//! A server with the built-in cards and a store, on a port of this process.

use std::net::{Ipv4Addr, SocketAddr};
use std::sync::Arc;
use std::time::{Duration, Instant, SystemTime};

use capstan_catalog::Catalog;
use capstan_core::port::{BoxFuture, Clock};
use capstan_core::{Redactor, Secret};
use capstan_engine::{Capstan, Policy, Services, Settings};
use capstan_server::http::{Entry, listen};
use capstan_store::SqliteStore;
use serde_json::{Value, json};
use tokio::sync::oneshot;
use tokio::task::JoinHandle;

use super::client::{Reply, ask};
use crate::fake::TOKEN;

pub(super) struct Served {
    pub(super) address: SocketAddr,
    stop: Option<oneshot::Sender<()>>,
    serving: JoinHandle<()>,
}

/// What a server is made of.
#[derive(Default)]
pub(super) struct Setup {
    pub(super) policy: Policy,
    pub(super) entry: Entry,
    /// One that is shared with another server.
    pub(super) store: Option<Arc<SqliteStore>>,
    pub(super) forgets: bool,
}

impl Served {
    pub(super) async fn new() -> Self {
        Self::with(Setup::default()).await
    }

    pub(super) async fn with(setup: Setup) -> Self {
        let settings = Settings {
            policy: setup.policy,
            ..Settings::default()
        };
        let store = setup.store;
        let store = store.unwrap_or_else(|| Arc::new(SqliteStore::in_memory()));
        let services = Services {
            store: (!setup.forgets).then_some(store as _),
            ..Services::default()
        };
        let catalog = Catalog::new(capstan_cards::CARDS);
        let redactor = Redactor::new([Secret::new(TOKEN)]);
        let clock = Arc::new(Still);
        let capstan = Capstan::new(catalog, Vec::new(), clock, redactor, settings, services);
        let anywhere = SocketAddr::from((Ipv4Addr::LOCALHOST, 0));
        let listening = listen(anywhere, setup.entry).await.unwrap();
        let address = listening.address();
        let (stop, stopped) = oneshot::channel::<()>();
        let stopped = async move {
            if stopped.await.is_err() {
                std::future::pending::<()>().await;
            }
        };
        let serving = tokio::spawn(listening.serve(Arc::new(capstan), stopped));
        Self {
            address,
            stop: Some(stop),
            serving,
        }
    }

    /// With a few relations.
    pub(super) async fn related() -> Self {
        let served = Self::new().await;
        for (from, to, kind) in [
            ("issue.list", "issue.view", "sequence"),
            ("issue.view", "issue.close", "sequence"),
            ("issue.close", "issue.view", "dependency"),
            ("pr.view", "issue.view", "alternative"),
        ] {
            let reply = served.relate(from, to, kind).await;
            assert_eq!(reply.status, 201, "{reply:?}");
        }
        served
    }

    pub(super) async fn ask(&self, request: &str) -> Reply {
        ask(self.address, request, &[], b"").await
    }

    pub(super) async fn ask_with(&self, request: &str, headers: &[(&str, &str)]) -> Reply {
        ask(self.address, request, headers, b"").await
    }

    pub(super) async fn get(&self, path: &str) -> Reply {
        self.ask(&format!("GET {path}")).await
    }

    /// What is answered where nothing goes wrong.
    pub(super) async fn json(&self, path: &str) -> Value {
        let reply = self.get(path).await;
        assert_eq!(reply.status, 200, "{path}: {reply:?}");
        reply.json()
    }

    pub(super) async fn post(&self, path: &str, body: &Value) -> Reply {
        self.send(&format!("POST {path}"), body).await
    }

    /// A request with a body.
    pub(super) async fn send(&self, request: &str, body: &Value) -> Reply {
        let kind = [("content-type", "application/json")];
        let body = body.to_string();
        ask(self.address, request, &kind, body.as_bytes()).await
    }

    pub(super) async fn relate(&self, from: &str, to: &str, kind: &str) -> Reply {
        let path = format!("/api/capabilities/{from}/dependencies");
        let body = json!({"to_capability_id": to, "edge_type": kind});
        self.post(&path, &body).await
    }

    /// Stops it, and waits until it is over.
    pub(super) async fn stop(mut self) {
        self.ask_to_stop();
        self.serving.await.unwrap();
    }

    pub(super) fn ask_to_stop(&mut self) {
        let stop = self.stop.take().expect("it was not stopped");
        stop.send(()).expect("it is there");
    }

    pub(super) async fn over(self) {
        self.serving.await.unwrap();
    }
}

/// A clock at whose date nothing changes.
struct Still;

impl Clock for Still {
    fn now(&self) -> Instant {
        tokio::time::Instant::now().into_std()
    }

    fn date(&self) -> SystemTime {
        SystemTime::UNIX_EPOCH + Duration::from_secs(1_790_000_000)
    }

    fn sleep(&self, duration: Duration) -> BoxFuture<'_, ()> {
        Box::pin(tokio::time::sleep(duration))
    }
}
