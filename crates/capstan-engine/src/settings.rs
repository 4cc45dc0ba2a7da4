//! The settings of an engine.

use std::time::Duration;

use capstan_core::Route;
use capstan_core::code::{Limits, Scope};
use capstan_core::port::Viewer;
use capstan_exec::{ChunkLimits, ExecutorSettings, Policy};

use crate::default_repository::DefaultRepository;

/// The settings of an engine, as the configuration decides them.
#[derive(Clone, Debug)]
pub struct Settings {
    pub host: String,
    /// The routes that may be used.
    pub routes: Vec<Route>,
    /// How long one request may take.
    pub request_timeout: Duration,
    /// How long a run may take if the caller sets no limit.
    pub run_timeout: Duration,
    /// How much of a chain fits into one request.
    pub chunks: ChunkLimits,
    /// The resources that code may use. Its time limit is that of the run, not the one given here.
    pub limits: Limits,
    pub policy: Policy,
    /// The user who calls, and the scope in which names of code are looked up.
    pub viewer: Viewer,
    /// The viewer that applies without the configuration of the current folder; `None` if the folder changes nothing.
    pub own_viewer: Option<Viewer>,
    /// The repository for calls that name none.
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
