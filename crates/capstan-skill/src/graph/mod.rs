//! What can be said of who composes whom, or of which step waits for which, without knowing more.
//!
//! Nodes are numbers; every answer depends on the graph alone, and is the same each time.

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
