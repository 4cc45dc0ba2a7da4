//! Compares ranks, costs and communities with NetworkX.

mod graphs;
mod networkx;
