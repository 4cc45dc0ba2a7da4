//! The ports: what the engine needs from the outside world, as object-safe traits.

mod cache;
mod clock;
mod embedder;
mod failure;
mod graphql_errors;
mod relations;
mod route;
mod runs;
mod sandbox;
mod store;
mod tools;
mod verdict;

use std::future::Future;
use std::pin::Pin;

pub use cache::Cache;
pub use clock::Clock;
pub use embedder::Embedder;
pub use failure::{Fact, Failure, PartialError};
pub use relations::{Added, Direction, Learned, NewEdge, Relations, Sharing};
pub use route::{Answer, Budget, Preflight, RouteAdapter, TokenFacts};
pub use runs::{RunFilter, Runs};
pub use sandbox::{Isolation, Sandbox, SandboxState, ScriptCalls, ScriptRun, UnderWay};
pub use store::{
    Alternatives, Changed, CodeFilter, CodeSummary, Exported, Imported, NewCapability, Resolved,
    Store, StoreError, TraceFilter, Via, Viewer,
};
pub use tools::{LeftOut, ServerState, Tool, ToolAnswer, ToolServers};
pub use verdict::Verdict;

pub type BoxFuture<'a, T> = Pin<Box<dyn Future<Output = T> + Send + 'a>>;
