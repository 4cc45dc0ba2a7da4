//! Skills as people write them.

mod fixtures;
mod graph;
