//! The ports: what the engine needs from the outside world, as object-safe traits.

mod clock;
mod route;
mod runs;
mod sandbox;
mod store;
mod tools;

use std::future::Future;
use std::pin::Pin;

pub use clock::Clock;
pub use route::{Answer, Failure, PartialError, Preflight, RouteAdapter};
pub use runs::{RunFilter, Runs};
pub use sandbox::{Isolation, Sandbox, SandboxState, ScriptCalls, ScriptRun, UnderWay};
pub use store::{
    Alternatives, CodeSummary, Edge, Exported, Filter, Imported, NewCapability, NewEdge, Resolved,
    Store, StoreError, TraceFilter, Via, Viewer,
};
pub use tools::{LeftOut, ServerState, Tool, ToolAnswer, ToolServers};

pub type BoxFuture<'a, T> = Pin<Box<dyn Future<Output = T> + Send + 'a>>;
