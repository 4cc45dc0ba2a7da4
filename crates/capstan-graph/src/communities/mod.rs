//! Which nodes belong together: communities of high modularity, each of them connected.
//!
//! The method is Leiden (Traag, Waltman, van Eck 2019) with everything that is left to chance there decided by
//! names: nodes move to the best community, communities are refined into parts that hold together, and
//! the parts are the nodes of the next round.

mod connected;
mod leiden;
mod network;
mod numbering;
mod of_graph;
mod refine;
mod walk;
