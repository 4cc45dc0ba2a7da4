//! A graph of the largest expected size: 100,000 nodes and about 1,000,000 edges.

mod made;

pub(crate) use made::{NODES, edge, edges, node};
