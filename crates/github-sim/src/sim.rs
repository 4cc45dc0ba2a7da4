//! The simulator: a world, its faults and its request log, shared by all servers that serve it.

use std::io;
use std::net::SocketAddr;
use std::path::Path;
use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::{Arc, Mutex, PoisonError};

use crate::http::{
    Fault, PendingFaults, RateLimits, RequestLog, SeenRequest, Server, serve_tcp, serve_unix,
};
use crate::world::World;

/// An in-memory GitHub. Clones share the same state.
#[derive(Debug, Clone)]
pub struct Sim {
    shared: Arc<Shared>,
}

/// The state that all requests share.
#[derive(Debug)]
pub(crate) struct Shared {
    world: Mutex<World>,
    pub(crate) faults: PendingFaults,
    pub(crate) log: RequestLog,
    pub(crate) limits: RateLimits,
    next_request_id: AtomicU64,
}

impl Sim {
    pub fn new(world: World) -> Self {
        Self {
            shared: Arc::new(Shared {
                world: Mutex::new(world),
                faults: PendingFaults::default(),
                log: RequestLog::default(),
                limits: RateLimits::new(),
                next_request_id: AtomicU64::new(1),
            }),
        }
    }

    /// The demonstration organisation `acme` with its repository `rocket`.
    pub fn demo() -> Self {
        Self::new(crate::demo::world())
    }

    /// Calls `act` with exclusive access to the world; requests wait meanwhile.
    pub fn world<R>(&self, act: impl FnOnce(&mut World) -> R) -> R {
        self.shared.world(act)
    }

    pub fn inject(&self, fault: Fault) {
        self.shared.faults.inject(fault);
    }

    pub fn clear_faults(&self) {
        self.shared.faults.clear();
    }

    /// Every request seen so far, oldest first.
    pub fn requests(&self) -> Vec<SeenRequest> {
        self.shared.log.all()
    }

    pub fn clear_requests(&self) {
        self.shared.log.clear();
    }

    /// Serves over TCP; port 0 picks a free port, which `Server::url` reports. Needs a running tokio runtime.
    pub async fn serve_tcp(&self, address: SocketAddr) -> io::Result<Server> {
        serve_tcp(Arc::clone(&self.shared), address).await
    }

    /// Serves over a Unix socket at `path`, which must not exist yet. Needs a running tokio runtime.
    pub async fn serve_unix(&self, path: &Path) -> io::Result<Server> {
        serve_unix(Arc::clone(&self.shared), path).await
    }
}

impl Shared {
    pub(crate) fn world<R>(&self, act: impl FnOnce(&mut World) -> R) -> R {
        act(&mut self.world.lock().unwrap_or_else(PoisonError::into_inner))
    }

    /// Returns the next request id, in the format of GitHub's. Ids count up, so that runs are reproducible.
    pub(crate) fn next_request_id(&self) -> String {
        let id = self.next_request_id.fetch_add(1, Ordering::Relaxed);
        format!("51A0:{id:04X}:2F5C3B:31D7A4:6A1D0{id:03X}")
    }
}
