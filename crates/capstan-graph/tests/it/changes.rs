//! The graph depends only on its current content, not on earlier changes.

use std::collections::BTreeMap;

use capstan_core::code::{Edge, EdgeKind, EdgeSource, Node};
use capstan_core::port::Direction;
use capstan_graph::{Around, Filter, Graph, Page, THRESHOLD};
use proptest::collection::vec;
use proptest::prelude::*;

use crate::samples::{any_edge, any_node, code, edge, graph, named};

#[derive(Clone, Debug)]
enum Change {
    Put(Edge),
    Remove(Node, Node),
    RemoveNode(Node),
    Declare(Node, Vec<Edge>),
}

/// The expected content of a graph, stored in the simplest way.
#[derive(Clone, Debug, Default)]
struct Model {
    stored: BTreeMap<(Node, Node), Edge>,
    declared: BTreeMap<Node, Vec<Edge>>,
}

impl Model {
    fn apply(&mut self, change: &Change) {
        match change {
            Change::Put(edge) => {
                let ends = (edge.from.clone(), edge.to.clone());
                if edge.from != edge.to && edge.confidence() > THRESHOLD {
                    self.stored.insert(ends, edge.clone())
                } else {
                    self.stored.remove(&ends)
                };
            }
            Change::Remove(from, to) => {
                self.stored.remove(&(from.clone(), to.clone()));
            }
            Change::RemoveNode(node) => {
                self.stored
                    .retain(|(from, to), _| from != node && to != node);
                self.declared.remove(node);
                for edges in self.declared.values_mut() {
                    edges.retain(|edge| edge.from != *node && edge.to != *node);
                }
            }
            Change::Declare(owner, edges) => {
                self.declared.insert(owner.clone(), edges.clone());
            }
        }
    }

    /// Builds a graph backwards, so that slots have another order.
    fn fresh(&self) -> Graph {
        let mut graph = Graph::new();
        for (owner, edges) in self.declared.iter().rev() {
            let edges: Vec<_> = edges.iter().rev().cloned().collect();
            graph.declare(owner, &edges);
        }
        graph.extend(self.stored.values().rev());
        graph
    }
}

fn apply(graph: &mut Graph, change: &Change) -> bool {
    match change {
        Change::Put(edge) => graph.put(edge),
        Change::Remove(from, to) => graph.remove(from, to),
        Change::RemoveNode(node) => graph.remove_node(node),
        Change::Declare(owner, edges) => graph.declare(owner, edges),
    }
}

fn any_change() -> impl Strategy<Value = Change> {
    prop_oneof![
        4 => any_edge().prop_map(Change::Put),
        2 => (any_node(), any_node()).prop_map(|(from, to)| Change::Remove(from, to)),
        1 => any_node().prop_map(Change::RemoveNode),
        2 => (any_node(), vec(any_edge(), 0..5)).prop_map(|(owner, edges)| Change::Declare(owner, edges)),
    ]
}

/// Returns every answer of the graph, to the last bit.
fn everything(graph: &Graph) -> String {
    let all = graph.snapshot(
        &Filter::default(),
        &Page {
            edges: usize::MAX,
            after: None,
        },
    );
    let counts = (graph.node_count(), graph.edge_count());
    let digest = graph.digest();
    let ranks: Vec<_> = graph.page_rank().map(|(_, rank)| rank.to_bits()).collect();
    let communities: Vec<_> = graph.communities().collect();
    let around = Around {
        depth: 3,
        ..Around::default()
    };
    let mut answers = Vec::new();
    for from in &all.nodes {
        let node = &from.node;
        let near = graph.neighbors(node, &around);
        let edges = graph.edges(node, Direction::Both);
        let next = graph.next(node, |_, _| true);
        answers.push(format!("{near:?} {edges:?} {next:?}"));
        for to in &all.nodes {
            answers.push(format!("{:?}", graph.path(node, &to.node)));
        }
    }
    format!("{counts:?} {digest} {ranks:?} {communities:?} {all:#?} {answers:#?}")
}

proptest! {
    #[test]
    fn any_changes_equal_a_fresh_build(changes in vec(any_change(), 0..60)) {
        let mut graph = Graph::new();
        let mut model = Model::default();
        for change in &changes {
            let (version, digest) = (graph.version(), graph.digest());
            let changed = apply(&mut graph, change);
            model.apply(change);
            prop_assert_eq!(changed, graph.version() != version);
            prop_assert_eq!(changed, graph.digest() != digest);
            if changes.len() < 12 {
                // Answers between changes must not be cached too long.
                prop_assert_eq!(everything(&graph), everything(&model.fresh()));
            }
        }
        prop_assert_eq!(everything(&graph), everything(&model.fresh()));
    }

    #[test]
    fn the_same_twice_is_no_change(change in any_change(), before in vec(any_edge(), 0..10)) {
        let mut graph = graph(&before);
        apply(&mut graph, &change);
        prop_assert!(!apply(&mut graph, &change));
    }
}

#[test]
fn what_is_stored_hides_what_is_declared() {
    let (from, to) = (named("a"), named("b"));
    let said = edge("a", EdgeKind::Contains, EdgeSource::Template, "b");
    let seen = edge("a", EdgeKind::Sequence, EdgeSource::Inferred, "b");
    let weak = edge("a", EdgeKind::Sequence, EdgeSource::Template, "b");
    let mut graph = Graph::new();
    let kind = |graph: &Graph| graph.edge(&from, &to).map(|it| (it.kind, it.declared));
    graph.declare(&code("skill"), std::slice::from_ref(&said));
    assert_eq!(kind(&graph), Some((EdgeKind::Contains, true)));
    graph.put(&seen);
    assert_eq!(kind(&graph), Some((EdgeKind::Sequence, false)));
    // An edge that is too weak counts as not stored.
    graph.put(&weak);
    assert_eq!(kind(&graph), Some((EdgeKind::Contains, true)));
    graph.declare(&code("skill"), &[]);
    assert_eq!(kind(&graph), None);
    assert_eq!((graph.node_count(), graph.contains(&from)), (0, false));
    graph.put(&weak);
    assert_eq!(graph.edge_count(), 0);
}

#[test]
fn of_what_several_declare_the_strongest_counts() {
    let weak = edge("a", EdgeKind::Contains, EdgeSource::Template, "b");
    let strong = edge("a", EdgeKind::Dependency, EdgeSource::Template, "b");
    let mut graph = Graph::new();
    graph.declare(&named("one"), std::slice::from_ref(&strong));
    assert!(!graph.declare(&named("two"), &[weak.clone(), weak]));
    assert!(graph.declare(&named("one"), &[]));
    let kind = graph.edge(&named("a"), &named("b")).map(|it| it.kind);
    assert_eq!(kind, Some(EdgeKind::Contains));
    // Removing a node removes the declarations about it.
    assert!(graph.remove_node(&named("b")));
    assert_eq!(graph.edge_count(), 0);
    assert!(graph.declare(&named("two"), &[strong]));
}

#[test]
fn code_and_names_are_different_nodes() {
    let mut graph = Graph::new();
    let same = named(code("x").as_str());
    graph.put(&crate::samples::between(
        code("x"),
        EdgeKind::Contains,
        EdgeSource::Manual,
        same,
    ));
    assert_eq!((graph.node_count(), graph.edge_count()), (2, 1));
}
