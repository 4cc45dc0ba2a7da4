//! The routes to the fake GitHub, and the delegate for everything else. All of them lead to the same world.

use std::sync::Arc;
use std::time::Instant;

use capstan_core::port::{Answer, BoxFuture, Failure, Preflight, RouteAdapter};
use capstan_core::{Route, RouteRequest};
use capstan_exec::Delegate;

use super::world::World;

pub(crate) struct Adapter {
    pub(crate) route: Route,
    pub(crate) preflight: Preflight,
    pub(crate) world: Arc<World>,
}

impl RouteAdapter for Adapter {
    fn route(&self) -> Route {
        self.route
    }

    fn preflight(&self) -> BoxFuture<'_, Preflight> {
        Box::pin(async { self.preflight.clone() })
    }

    fn send<'a>(
        &'a self,
        request: &'a RouteRequest,
        deadline: Instant,
    ) -> BoxFuture<'a, Result<Answer, Failure>> {
        Box::pin(self.world.exchange(request, deadline))
    }
}

/// Does what is no request to GitHub.
pub(crate) struct Other(pub(crate) Arc<World>);

impl Delegate for Other {
    fn call<'a>(
        &'a self,
        _step: usize,
        request: &'a RouteRequest,
        deadline: Instant,
    ) -> BoxFuture<'a, Result<Answer, Failure>> {
        Box::pin(self.0.exchange(request, deadline))
    }
}
