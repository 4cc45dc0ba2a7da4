//! What the configuration decides about an engine.

use std::time::Duration;

use capstan_core::Route;
use capstan_core::code::{Limits, Scope};
use capstan_core::port::Viewer;
use capstan_exec::{ChunkLimits, ExecutorSettings, Policy};

use crate::default_repository::DefaultRepository;

/// What the configuration decides.
#[derive(Clone, Debug)]
pub struct Settings {
    pub host: String,
    /// Routes that may be used at all.
    pub routes: Vec<Route>,
    /// How long one request may take.
    pub request_timeout: Duration,
    /// How long a run may take when the caller does not say.
    pub run_timeout: Duration,
    /// What one request of a chain may hold.
    pub chunks: ChunkLimits,
    /// What code may use. How long it may take is that of the run.
    pub limits: Limits,
    pub policy: Policy,
    /// Whose names are meant, and who asks.
    pub viewer: Viewer,
    /// The viewer without what the configuration of the current folder says, where that is another one.
    pub own_viewer: Option<Viewer>,
    /// The repository that is meant where a call names none.
    pub repository: DefaultRepository,
}

impl Default for Settings {
    fn default() -> Self {
        let for_requests = ExecutorSettings::default();
        Self {
            host: for_requests.host,
            routes: for_requests.routes,
            request_timeout: for_requests.request_timeout,
            run_timeout: Duration::from_secs(40),
            chunks: for_requests.chunks,
            limits: Limits::default(),
            policy: Policy::default(),
            viewer: Viewer {
                scope: Scope::default(),
                user: "local".to_owned(),
            },
            own_viewer: None,
            repository: DefaultRepository::default(),
        }
    }
}
