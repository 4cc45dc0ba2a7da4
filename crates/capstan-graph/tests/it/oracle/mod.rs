//! Ranks, costs and communities against NetworkX.

mod graphs;
mod networkx;
