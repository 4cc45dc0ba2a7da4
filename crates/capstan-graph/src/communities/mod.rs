//! Finds nodes that belong together: connected communities of high modularity.
//!
//! The algorithm is Leiden (Traag, Waltman, van Eck 2019), with all random choices decided by
//! names. Nodes move to the best community, communities are refined into well-connected parts, and
//! the parts are the nodes of the next round.

mod connected;
mod leiden;
mod network;
mod numbering;
mod of_graph;
mod refine;
mod walk;
