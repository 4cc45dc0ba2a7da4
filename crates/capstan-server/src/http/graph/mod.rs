//! `/api/graph/…`: the graph that relations make.

mod filter;
pub(super) mod hypergraph;
mod nodes;
pub(super) mod neighbors;
pub(super) mod path;
pub(super) mod snapshot;
