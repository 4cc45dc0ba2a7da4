//! An order for a set of nodes.

use capstan_core::code::EdgeKind::{Alternative, Contains, Dependency, Sequence};
use capstan_core::code::EdgeSource::{Inferred, Manual, Observed};
use capstan_core::code::{Edge, EdgeKind, Node};
use capstan_graph::Graph;
use proptest::collection::vec;
use proptest::prelude::*;

use crate::samples::{any_edge, any_node, edge, graph, named};

fn order(graph: &Graph, nodes: &[&str]) -> String {
    let nodes: Vec<_> = nodes.iter().copied().map(named).collect();
    let plan = graph.plan(&nodes);
    let names: Vec<_> = plan.nodes.iter().map(Node::to_string).collect();
    let against = plan
        .against
        .iter()
        .map(|it| format!("{}-{}", it.from, it.to));
    let against: Vec<_> = against.collect();
    format!("{} / {}", names.join(" "), against.join(" "))
}

#[test]
fn producers_parts_and_what_comes_first_come_first() {
    let graph = graph(&[
        edge("label", Dependency, Inferred, "create"),
        edge("create", Sequence, Observed, "comment"),
        edge("release", Contains, Observed, "comment"),
        edge("close", Alternative, Observed, "release"),
    ]);
    assert_eq!(
        order(&graph, &["close", "release", "label", "comment", "create"]),
        "close create label comment release / "
    );
    // What nothing is known of stays where it was, and once.
    assert_eq!(order(&graph, &["x", "close", "x", "a"]), "x close a / ");
    assert_eq!(order(&graph, &[]), " / ");
}

#[test]
fn the_weakest_of_a_cycle_is_passed_over() {
    let graph = graph(&[
        edge("b", Dependency, Manual, "a"),
        edge("b", Sequence, Observed, "c"),
        edge("c", Sequence, Inferred, "a"),
    ]);
    assert_eq!(order(&graph, &["c", "b", "a"]), "a b c / c-a");
    let seen = |from: &str, to: &str, observed: u64| Edge {
        observed,
        ..edge(from, Sequence, Observed, to)
    };
    let graph: Graph = [seen("a", "b", 3), seen("b", "a", 7)].iter().collect();
    assert_eq!(order(&graph, &["a", "b"]), "b a / a-b");
}

proptest! {
    #[test]
    fn every_node_is_there_once_and_only_the_told_is_against(
        edges in vec(any_edge(), 0..40),
        nodes in vec(any_node(), 0..12),
    ) {
        let graph = graph(&edges);
        let plan = graph.plan(&nodes);
        let mut given = nodes.clone();
        given.sort();
        given.dedup();
        let mut sorted = plan.nodes.clone();
        sorted.sort();
        prop_assert_eq!(sorted, given);
        let place = |node: &Node| plan.nodes.iter().position(|it| it == node).unwrap();
        for from in &plan.nodes {
            for to in &plan.nodes {
                let Some(relation) = graph.edge(from, to) else {
                    continue;
                };
                let holds = match relation.kind {
                    EdgeKind::Sequence => place(from) < place(to),
                    EdgeKind::Dependency | EdgeKind::Contains => place(to) < place(from),
                    EdgeKind::Alternative => true,
                };
                // Something stronger says otherwise, or it is told.
                prop_assert!(holds || plan.against.contains(&relation));
            }
        }
        let shuffled: Graph = edges.iter().collect();
        prop_assert_eq!(shuffled.plan(&nodes), plan);
    }
}
