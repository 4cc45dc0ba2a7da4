//! What is shown of a part of the graph: its edges, and what is at their ends.

use serde_json::{Value, json};

use capstan_engine::{Capstan, Snapshot, SnapshotNode};

use crate::http::view;

pub(super) fn content(capstan: &Capstan, snapshot: &Snapshot) -> Value {
    let nodes: Vec<_> = snapshot.nodes.iter().map(|it| node(capstan, it)).collect();
    let edges: Vec<_> = snapshot.edges.iter().map(view::relation).collect();
    let mut content = json!({
        "nodes": nodes,
        "edges": edges,
        "total_nodes": snapshot.total_nodes,
        "total_edges": snapshot.total_edges,
    });
    if let Some(next) = &snapshot.next {
        content["next_cursor"] = next.to_string().into();
    }
    content
}

fn node(capstan: &Capstan, shown: &SnapshotNode) -> Value {
    json!({
        "id": shown.node.as_str(),
        "kind": capstan.discovery().kind_of(&shown.node),
        "rank": fine(shown.rank),
        "community": shown.community,
    })
}

/// Ranks sum up to one over all nodes, so each is small where there are many.
fn fine(rank: f64) -> f64 {
    (rank * 1e9).round() / 1e9
}
