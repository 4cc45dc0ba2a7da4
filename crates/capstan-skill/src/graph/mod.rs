//! Graph algorithms, for the relation between composed skills and for the order of steps.
//!
//! Nodes are numbers. Every result depends only on the graph and is deterministic.

mod components;
mod cycles;
mod diamonds;
mod digraph;
mod levels;
mod order;
mod reach;
mod shortest;

pub use components::components;
pub use cycles::{Cycles, counted_cycles, elementary_cycles};
pub use diamonds::{Diamond, Diamonds, all_diamonds, diamonds};
pub use digraph::Graph;
pub use levels::levels;
pub use order::order;
pub use reach::reachable;
pub use shortest::one_cycle_each;
