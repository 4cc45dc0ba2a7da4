//! Tests of ordering a set of nodes.

use capstan_core::code::EdgeKind::{Alternative, Contains, Dependency, Sequence};
use capstan_core::code::EdgeSource::{Inferred, Manual, Observed};
use capstan_core::code::{Edge, EdgeKind, Node};
use capstan_graph::{Graph, Relation};
use proptest::collection::vec;
use proptest::prelude::*;

use crate::samples::{any_edge, any_node, edge, graph, named};

fn order(graph: &Graph, nodes: &[&str]) -> String {
    let nodes: Vec<_> = nodes.iter().copied().map(named).collect();
    let order = graph.in_order(&nodes);
    let names: Vec<_> = order.iter().map(Node::to_string).collect();
    names.join(" ")
}

/// Returns which node a relation puts first, and which second.
fn wants(relation: &Relation) -> Option<(&Node, &Node)> {
    match relation.kind {
        EdgeKind::Sequence => Some((&relation.from, &relation.to)),
        EdgeKind::Dependency | EdgeKind::Contains => Some((&relation.to, &relation.from)),
        EdgeKind::Alternative => None,
    }
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
        "close create label comment release"
    );
    // Unknown nodes stay where they were, once each.
    assert_eq!(order(&graph, &["x", "close", "x", "a"]), "x close a");
    assert_eq!(order(&graph, &[]), "");
}

#[test]
fn the_weakest_of_a_cycle_is_passed_over() {
    let graph = graph(&[
        edge("b", Dependency, Manual, "a"),
        edge("b", Sequence, Observed, "c"),
        edge("c", Sequence, Inferred, "a"),
    ]);
    assert_eq!(order(&graph, &["c", "b", "a"]), "a b c");
    let seen = |from: &str, to: &str, observed: u64| Edge {
        observed,
        ..edge(from, Sequence, Observed, to)
    };
    let graph: Graph = [seen("a", "b", 3), seen("b", "a", 7)].iter().collect();
    assert_eq!(order(&graph, &["a", "b"]), "b a");
}

proptest! {
    #[test]
    fn every_node_is_there_once_and_only_the_weakest_is_passed_over(
        edges in vec(any_edge(), 0..40),
        nodes in vec(any_node(), 0..12),
    ) {
        let graph = graph(&edges);
        let order = graph.in_order(&nodes);
        let mut given = nodes.clone();
        given.sort();
        given.dedup();
        let mut sorted = order.clone();
        sorted.sort();
        prop_assert_eq!(sorted, given);
        let place = |node: &Node| order.iter().position(|it| it == node).unwrap();
        let pairs = order.iter().flat_map(|from| order.iter().map(move |to| (from, to)));
        let relations: Vec<_> = pairs.filter_map(|(from, to)| graph.edge(from, to)).collect();
        let strength = |it: &Relation| ((it.confidence() * 100.0) as u64, it.observed);
        for weak in &relations {
            let Some((first, then)) = wants(weak) else {
                continue;
            };
            if place(first) < place(then) {
                continue;
            }
            // Relations that are at least as strong lead the other way.
            let mut reached = vec![then];
            let mut next = 0;
            while let Some(here) = reached.get(next).copied() {
                next += 1;
                for strong in relations.iter().filter(|it| strength(it) >= strength(weak)) {
                    if let Some((one, other)) = wants(strong)
                        && one == here && place(one) < place(other) && !reached.contains(&other)
                    {
                        reached.push(other);
                    }
                }
            }
            prop_assert!(reached.contains(&first), "{:?}", weak);
        }
        let again: Graph = edges.iter().collect();
        prop_assert_eq!(again.in_order(&nodes), order);
    }
}
