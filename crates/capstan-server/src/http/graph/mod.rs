//! `/api/graph/…`: the graph that relations make.

mod filter;
pub(super) mod hypergraph;
pub(super) mod neighbors;
mod nodes;
pub(super) mod path;
pub(super) mod snapshot;

/// What the policy calls a look at the whole.
const SNAPSHOT: &str = "graph.snapshot";
