//! Nodes and edges for tests.

use capstan_core::code::{Edge, EdgeKind, EdgeSource, Fqdn, Node};
use capstan_graph::Graph;
use proptest::prelude::*;
use proptest::sample::select;

pub(crate) fn named(id: &str) -> Node {
    Node::Named(id.to_owned())
}

pub(crate) fn code(action: &str) -> Node {
    Node::Code(fqdn(action))
}

pub(crate) fn fqdn(action: &str) -> Fqdn {
    Fqdn::parse(&format!("local.default.code.{action}.0000")).unwrap()
}

/// Returns an edge such as `a dependency/manual b`, observed once.
pub(crate) fn edge(from: &str, kind: EdgeKind, source: EdgeSource, to: &str) -> Edge {
    between(named(from), kind, source, named(to))
}

pub(crate) fn between(from: Node, kind: EdgeKind, source: EdgeSource, to: Node) -> Edge {
    Edge {
        from,
        to,
        kind,
        source,
        observed: 1,
        created_at: 0,
        last_observed: 0,
    }
}

pub(crate) fn graph(edges: &[Edge]) -> Graph {
    edges.iter().collect()
}

/// One of a few nodes, so that many edges meet.
pub(crate) fn any_node() -> impl Strategy<Value = Node> {
    (0..8_u8, any::<bool>()).prop_map(|(number, is_code)| {
        if is_code {
            code(&format!("n{number}"))
        } else {
            named(&format!("n{number}"))
        }
    })
}

/// Any edge, including weak ones and loops.
pub(crate) fn any_edge() -> impl Strategy<Value = Edge> {
    let kind = select(&EdgeKind::ALL[..]);
    let source = select(&EdgeSource::ALL[..]);
    (any_node(), any_node(), kind, source, 1..4_u64).prop_map(
        |(from, to, kind, source, observed)| Edge {
            observed,
            ..between(from, kind, source, to)
        },
    )
}
