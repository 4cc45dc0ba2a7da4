//! Relations between capabilities: stated, corrected, forgotten, and learned from what was executed.

mod atlas;
mod common;
mod declared;
mod learn;
mod look;
mod node;
mod relations;
mod usual;

pub(crate) use atlas::Atlas;
pub use capstan_graph::{
    Around, Cursor, Filter as GraphFilter, Neighbor, NodeKind, Page, Path, Relation, Snapshot,
    SnapshotNode,
};
pub use look::{Hypergraph, Zone};
pub use relations::{KnownEdge, Related, warnings_of};
