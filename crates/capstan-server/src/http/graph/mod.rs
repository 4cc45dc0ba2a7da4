//! `/api/graph/…`: the graph whose edges are the relations.

mod graph_query;
pub(super) mod hypergraph;
pub(super) mod neighbors;
pub(super) mod path;
pub(super) mod snapshot;
mod snapshot_json;
