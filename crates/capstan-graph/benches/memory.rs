//! Measures the memory of a large graph: `cargo bench -p capstan-graph --bench memory` (on Linux).

#![expect(
    clippy::print_stdout,
    clippy::unwrap_used,
    reason = "a benchmark prints what it measured"
)]

mod large;

use std::time::Instant;

use capstan_graph::{Filter, Graph, Page};
use fastrand::Rng;

fn main() {
    let before = resident();
    let start = Instant::now();
    let mut graph = Graph::new();
    for edge in large::edges() {
        graph.put(&edge);
    }
    let built = start.elapsed();
    println!(
        "{} nodes, {} edges: {} MB, built in {built:.0?}",
        graph.node_count(),
        graph.edge_count(),
        resident() - before,
    );
    let start = Instant::now();
    graph.snapshot(&Filter::default(), &Page::default());
    let communities = graph.communities().map(|(_, number)| number).max();
    println!(
        "with ranks and {} communities: {} MB, {} MB at most, {:.0?}",
        communities.unwrap_or(0) + 1,
        resident() - before,
        status("VmHWM:") - before,
        start.elapsed(),
    );
    let mut rng = Rng::with_seed(8);
    for owner in 0..large::NODES {
        let mut said = || large::edge(owner, rng.usize(..large::NODES), &mut rng.fork());
        graph.declare(&large::node(owner), &[said(), said(), said()]);
    }
    println!(
        "with three more declared by each: {} edges, {} MB",
        graph.edge_count(),
        resident() - before,
    );
}

/// Returns the resident memory of this process in megabytes.
fn resident() -> u64 {
    status("VmRSS:")
}

fn status(field: &str) -> u64 {
    let status = std::fs::read_to_string("/proc/self/status").unwrap();
    let line = status.lines().find(|line| line.starts_with(field)).unwrap();
    let kilobytes: u64 = line.split_whitespace().nth(1).unwrap().parse().unwrap();
    kilobytes / 1024
}
