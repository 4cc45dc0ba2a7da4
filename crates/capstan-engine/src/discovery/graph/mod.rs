//! Relations between capabilities: stated, corrected, removed, and learned from executions.

mod cache;
mod declared;
mod learn;
mod next_calls;
mod node;
mod relations;
mod similar_code;
mod views;

pub(crate) use cache::GraphCache;
pub use capstan_graph::{
    Around, Cursor, Filter as GraphFilter, Neighbor, NodeKind, Page, Path, Relation, Snapshot,
    SnapshotNode,
};
pub use relations::{KnownEdge, RelationFilter, relation_warnings};
pub use views::{Hypergraph, Zone};
