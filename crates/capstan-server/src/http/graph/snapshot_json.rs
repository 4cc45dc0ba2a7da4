//! A page of the graph as JSON: its edges and the nodes at their ends.

use serde_json::{Value, json};

use capstan_engine::{Capstan, Snapshot, SnapshotNode};

use crate::http::relation_json;

pub(super) fn snapshot_content(capstan: &Capstan, snapshot: &Snapshot) -> Value {
    let nodes: Vec<_> = snapshot.nodes.iter().map(|it| node(capstan, it)).collect();
    let edges: Vec<_> = snapshot
        .edges
        .iter()
        .map(relation_json::graph_edge)
        .collect();
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
        "rank": round_rank(shown.rank),
        "community": shown.community,
    })
}

/// Rounds to nine decimals. The ranks of all nodes add up to 1, so in a large graph each rank is tiny.
fn round_rank(rank: f64) -> f64 {
    (rank * 1e9).round() / 1e9
}
