//! `graph.path`: finds the most certain path from one capability to another.

use serde_json::json;

use capstan_core::card::Operation;

use super::view;
use crate::local::action::{Action, ActionFailure, ActionOutput, Work};
use crate::local::{dep, input};

pub(in crate::local) const ACTION: Action = Action {
    id: "graph.path",
    description: "Find the surest way over relations from one capability to another",
    operation: Operation::Read,
    input: || {
        let properties = json!({
            "from": dep::view::capability_schema("where it begins"),
            "to": dep::view::capability_schema("where it ends"),
        });
        (properties, &["from", "to"])
    },
    example: || json!({"from": "issue.list", "to": "issue.close"}),
    intents: &[
        "how are two capabilities connected",
        "shortest path between capabilities",
        "what leads from one tool to another",
        "the way from listing to closing",
        "connect two capabilities",
        "how do I get from one capability to another",
        "chain between two tools",
        "way through the graph",
    ],
    run: |work| Box::pin(run(work)),
};

async fn run(work: Work<'_>) -> Result<ActionOutput, ActionFailure> {
    let given = |field| input::text(work.input, field).unwrap_or_default();
    let path = work
        .engine
        .discovery
        .graph_path(given("from"), given("to"))
        .await?;
    let nodes: Vec<_> = path.nodes.iter().map(|node| node.as_str()).collect();
    let edges: Vec<_> = path.edges.iter().map(view::row).collect();
    Ok(json!({"path": nodes, "cost": view::rounded(path.cost), "edges": edges}).into())
}
