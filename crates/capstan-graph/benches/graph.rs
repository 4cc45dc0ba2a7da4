//! Measures operations on a large graph: `cargo bench -p capstan-graph --bench graph`.

#![expect(clippy::unwrap_used, reason = "a benchmark stops at what goes wrong")]

mod large;

use std::sync::LazyLock;

use capstan_core::code::Edge;
use capstan_graph::{Around, Filter, Graph, Page};
use divan::{Bencher, black_box};
use fastrand::Rng;

static EDGES: LazyLock<Vec<Edge>> = LazyLock::new(|| large::edges().collect());
static GRAPH: LazyLock<Graph> = LazyLock::new(|| EDGES.iter().collect());

/// The graph with its ranks and communities computed.
static WARM: LazyLock<Graph> = LazyLock::new(|| {
    let graph = GRAPH.clone();
    graph.snapshot(&Filter::default(), &Page::default());
    graph
});

fn main() {
    LazyLock::force(&WARM);
    divan::main();
}

#[divan::bench(sample_count = 3, sample_size = 1)]
fn build() -> Graph {
    EDGES.iter().collect()
}

#[divan::bench(sample_count = 3, sample_size = 1)]
fn page_rank(bencher: Bencher<'_, '_>) {
    let cold = bencher.with_inputs(|| GRAPH.clone());
    cold.bench_refs(|graph| black_box(graph.page_rank().count()));
}

#[divan::bench(sample_count = 3, sample_size = 1)]
fn communities(bencher: Bencher<'_, '_>) {
    let cold = bencher.with_inputs(|| GRAPH.clone());
    cold.bench_refs(|graph| black_box(graph.communities().count()));
}

#[divan::bench]
fn put_one(bencher: Bencher<'_, '_>) {
    let mut rng = Rng::with_seed(3);
    let mut graph = GRAPH.clone();
    let edges = bencher.with_inputs(move || {
        let (from, to) = (rng.usize(..large::NODES), rng.usize(..large::NODES));
        large::edge(from, to, &mut rng)
    });
    edges.bench_local_values(|edge| graph.put(&edge));
}

#[divan::bench]
fn path(bencher: Bencher<'_, '_>) {
    let mut rng = Rng::with_seed(4);
    let ends = bencher.with_inputs(move || {
        let mut any = || large::node(rng.usize(..large::NODES));
        (any(), any())
    });
    ends.bench_local_values(|(from, to)| GRAPH.path(&from, &to).is_ok());
}

#[divan::bench(args = [1, 2])]
fn neighbors(bencher: Bencher<'_, '_>, depth: u32) {
    let mut rng = Rng::with_seed(5);
    let around = Around {
        depth,
        limit: 50,
        ..Around::default()
    };
    let nodes = bencher.with_inputs(move || large::node(rng.usize(..large::NODES)));
    nodes.bench_local_values(|node| GRAPH.neighbors(&node, &around).unwrap().len());
}

#[divan::bench]
fn next(bencher: Bencher<'_, '_>) {
    let mut rng = Rng::with_seed(6);
    let nodes = bencher.with_inputs(move || large::node(rng.usize(..large::NODES)));
    nodes.bench_local_values(|node| GRAPH.next(&node, |count, _| count >= 5).len());
}

#[divan::bench]
fn one_page(bencher: Bencher<'_, '_>) {
    bencher.bench(|| WARM.snapshot(&Filter::default(), &Page::default()));
}
