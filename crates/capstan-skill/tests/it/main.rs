//! Skills as people write them.

mod graph;
