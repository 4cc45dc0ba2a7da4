//! A test server with the built-in cards and a store, on a free port.

use std::net::{Ipv4Addr, SocketAddr};
use std::sync::Arc;
use std::time::{Duration, Instant, SystemTime};

use capstan_catalog::Catalog;
use capstan_core::port::{BoxFuture, Clock, Store};
use capstan_core::{Redactor, Secret};
use capstan_engine::{Capstan, Policy, Services, Settings};
use capstan_server::http::{AccessOptions, listen};
use capstan_store::SqliteStore;
use serde_json::{Value, json};
use tokio::sync::oneshot;
use tokio::task::JoinHandle;

use super::client::{Reply, ask};
use crate::fake::TOKEN;

pub(super) struct TestServer {
    pub(super) address: SocketAddr,
    stop: Option<oneshot::Sender<()>>,
    serving: JoinHandle<()>,
}

/// The parts of a test server that differ between tests.
#[derive(Default)]
pub(super) struct ServerSetup {
    pub(super) policy: Policy,
    pub(super) access: AccessOptions,
    /// A store that is shared with another server. By default, the server has its own.
    pub(super) store: Option<Arc<SqliteStore>>,
    pub(super) without_store: bool,
}

impl TestServer {
    pub(super) async fn new() -> Self {
        Self::with(ServerSetup::default()).await
    }

    pub(super) async fn with(setup: ServerSetup) -> Self {
        let settings = Settings {
            policy: setup.policy,
            ..Settings::default()
        };
        let store: Option<Arc<dyn Store>> = if setup.without_store {
            None
        } else if let Some(shared) = setup.store {
            Some(shared)
        } else {
            Some(Arc::new(SqliteStore::in_memory()))
        };
        let services = Services {
            store,
            ..Services::default()
        };
        let catalog = Catalog::new(&capstan_cards::CARDS).with_generated(&capstan_cards::GENERATED);
        let redactor = Redactor::new([Secret::new(TOKEN)]);
        let clock = Arc::new(FixedDateClock);
        let capstan = Capstan::new(catalog, Vec::new(), clock, redactor, settings, services);
        let anywhere = SocketAddr::from((Ipv4Addr::LOCALHOST, 0));
        let listener = listen(anywhere, setup.access).await.unwrap();
        let address = listener.address();
        let (stop, stopped) = oneshot::channel::<()>();
        let stopped = async move {
            if stopped.await.is_err() {
                std::future::pending::<()>().await;
            }
        };
        let serving = tokio::spawn(listener.serve(Arc::new(capstan), stopped));
        Self {
            address,
            stop: Some(stop),
            serving,
        }
    }

    /// Starts a server with a few relations.
    pub(super) async fn with_relations() -> Self {
        let server = Self::new().await;
        for (from, to, kind) in [
            ("issue.list", "issue.view", "sequence"),
            ("issue.view", "issue.close", "sequence"),
            ("issue.close", "issue.view", "dependency"),
            ("pr.view", "issue.view", "alternative"),
        ] {
            let reply = server.add_relation(from, to, kind).await;
            assert_eq!(reply.status, 201, "{reply:?}");
        }
        server
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

    /// Returns the JSON of a `GET` that must succeed.
    pub(super) async fn json(&self, path: &str) -> Value {
        let reply = self.get(path).await;
        assert_eq!(reply.status, 200, "{path}: {reply:?}");
        reply.json()
    }

    pub(super) async fn post(&self, path: &str, body: &Value) -> Reply {
        self.send(&format!("POST {path}"), body).await
    }

    /// Sends a request with a JSON body.
    pub(super) async fn send(&self, request: &str, body: &Value) -> Reply {
        let kind = [("content-type", "application/json")];
        let body = body.to_string();
        ask(self.address, request, &kind, body.as_bytes()).await
    }

    pub(super) async fn add_relation(&self, from: &str, to: &str, kind: &str) -> Reply {
        let path = format!("/api/capabilities/{from}/dependencies");
        let body = json!({"to_capability_id": to, "edge_type": kind});
        self.post(&path, &body).await
    }

    /// Stops the server and waits until it has stopped.
    pub(super) async fn stop(mut self) {
        self.request_stop();
        self.serving.await.unwrap();
    }

    pub(super) fn request_stop(&mut self) {
        let stop = self.stop.take().expect("the server was not stopped before");
        stop.send(()).expect("the server is running");
    }

    pub(super) async fn wait_until_stopped(self) {
        self.serving.await.unwrap();
    }
}

/// A clock whose date never changes.
struct FixedDateClock;

impl Clock for FixedDateClock {
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
