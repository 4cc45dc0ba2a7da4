//! A graph as large as one gets: 100,000 nodes, about 1,000,000 edges.

mod made;

pub(crate) use made::{NODES, edge, edges, node};
