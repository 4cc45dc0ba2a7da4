//! Graphs of all shapes, reproducible.

use capstan_core::code::{Edge, EdgeKind, EdgeSource};
use fastrand::Rng;

use crate::samples::edge;

/// Returns the name of a node. Names have the order of the numbers.
pub(crate) fn name(number: usize) -> String {
    format!("n{number:05}")
}

/// Edges between any nodes.
pub(crate) fn random(nodes: usize, edges: usize, seed: u64) -> Vec<Edge> {
    let mut rng = Rng::with_seed(seed);
    (0..edges)
        .map(|_| any(&mut rng, nodes, |rng| rng.usize(..nodes)))
        .collect()
}

/// Groups of nodes with many edges inside and few between them.
pub(crate) fn planted(
    groups: usize,
    size: usize,
    inside: usize,
    between: usize,
    seed: u64,
) -> Vec<Edge> {
    let mut rng = Rng::with_seed(seed);
    let nodes = groups * size;
    let mut edges = Vec::new();
    for group in 0..groups {
        for _ in 0..inside {
            let from = group * size + rng.usize(..size);
            let to = group * size + rng.usize(..size);
            edges.push(any_kind(&mut rng, from, to));
        }
    }
    for _ in 0..between {
        edges.push(any(&mut rng, nodes, |rng| rng.usize(..nodes)));
    }
    edges
}

/// A few nodes have most of the edges.
pub(crate) fn hubs(nodes: usize, edges: usize, seed: u64) -> Vec<Edge> {
    let mut rng = Rng::with_seed(seed);
    (0..edges)
        .map(|_| {
            any(&mut rng, nodes, |rng| {
                (rng.f64().powi(4) * nodes as f64) as usize
            })
        })
        .collect()
}

/// Rings of complete graphs, in which bad communities are easily found.
pub(crate) fn ring_of_cliques(cliques: usize, size: usize) -> Vec<Edge> {
    let mut edges = Vec::new();
    let join = |from: usize, to: usize| {
        edge(
            &name(from),
            EdgeKind::Dependency,
            EdgeSource::Manual,
            &name(to),
        )
    };
    for clique in 0..cliques {
        let first = clique * size;
        for from in first..first + size {
            edges.extend((from + 1..first + size).map(|to| join(from, to)));
        }
        edges.push(join(first, (first + size) % (cliques * size)));
    }
    edges
}

fn any(rng: &mut Rng, nodes: usize, end: impl Fn(&mut Rng) -> usize) -> Edge {
    let from = rng.usize(..nodes);
    let to = end(rng).min(nodes - 1);
    any_kind(rng, from, to)
}

fn any_kind(rng: &mut Rng, from: usize, to: usize) -> Edge {
    let kind = EdgeKind::ALL[rng.usize(..4)];
    let source = [
        EdgeSource::Inferred,
        EdgeSource::Observed,
        EdgeSource::Manual,
    ][rng.usize(..3)];
    edge(&name(from), kind, source, &name(to))
}
