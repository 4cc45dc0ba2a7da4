//! Relations between capabilities as a graph in memory, and what traces teach about them.
//!
//! It must not keep or run anything: no store, no async runtime, no clock.

mod cache;
mod communities;
mod compact;
mod contains;
mod cursor;
mod declared;
mod digest;
mod graph;
mod link;
mod missing;
mod names;
mod neighbors;
mod next;
mod path;
mod plan;
mod rank;
mod related;
mod snapshot;

pub use cursor::{Cursor, InvalidCursor};
pub use graph::Graph;
pub use link::{Relation, THRESHOLD};
pub use missing::Missing;
pub use neighbors::{Around, Neighbor};
pub use next::{Next, UNSEEN};
pub use path::Path;
pub use plan::Plan;
pub use related::{CodeFacts, related};
pub use snapshot::{Filter, NodeKind, Page, Snapshot, SnapshotNode};
