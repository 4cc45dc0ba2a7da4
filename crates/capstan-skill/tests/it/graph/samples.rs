//! Sample graphs: random ones, and all of the smallest.

use capstan_skill::graph::Graph;
use proptest::prelude::*;
use proptest::strategy::ValueTree;
use proptest::test_runner::TestRunner;

/// A graph as a list of edges.
#[derive(Debug, Clone)]
pub(crate) struct Sample {
    pub(crate) nodes: usize,
    pub(crate) edges: Vec<(usize, usize)>,
}

impl Sample {
    pub(crate) fn graph(&self) -> Graph {
        Graph::new(self.nodes, self.edges.iter().copied())
    }
}

/// Generates any graph, with edges in both directions, repeated edges and edges from a node to itself.
pub(crate) fn any_graph(nodes: usize, edges: usize) -> impl Strategy<Value = Sample> {
    (0..=nodes).prop_flat_map(move |nodes| {
        let most = if nodes == 0 { 0 } else { edges };
        let node = 0..nodes.max(1);
        prop::collection::vec((node.clone(), node), 0..=most)
            .prop_map(move |edges| Sample { nodes, edges })
    })
}

/// Generates a graph without cycles. The numbers of the nodes do not reveal their order.
pub(crate) fn acyclic_graph(nodes: usize, edges: usize) -> impl Strategy<Value = Sample> {
    any_graph(nodes, edges).prop_flat_map(|sample| {
        let names: Vec<usize> = (0..sample.nodes).collect();
        Just(names).prop_shuffle().prop_map(move |names| Sample {
            nodes: sample.nodes,
            edges: sample
                .edges
                .iter()
                .filter(|(from, to)| from != to)
                .map(|&(from, to)| (names[from.min(to)], names[from.max(to)]))
                .collect(),
        })
    })
}

/// Returns `count` samples of a strategy, the same in every run.
pub(crate) fn some(strategy: &impl Strategy<Value = Sample>, count: usize) -> Vec<Sample> {
    let mut runner = TestRunner::deterministic();
    (0..count)
        .map(|_| strategy.new_tree(&mut runner).expect("a graph").current())
        .collect()
}

/// Returns all graphs with this number of nodes.
pub(crate) fn all(nodes: usize) -> impl Iterator<Item = Sample> {
    let pairs = nodes * nodes;
    (0..1_usize << pairs).map(move |chosen| Sample {
        nodes,
        edges: (0..pairs)
            .filter(|pair| chosen >> pair & 1 == 1)
            .map(|pair| (pair / nodes, pair % nodes))
            .collect(),
    })
}
