//! `graph.snapshot`: returns the graph in pages.

use serde_json::json;

use capstan_core::card::Operation;
use capstan_core::{ErrorCode, ResultError};

use super::view;
use crate::local::action::{Action, ActionFailure, ActionOutput, Work};
use crate::local::{dep, input};
use crate::{Cursor, GraphFilter, Page};

pub(in crate::local) const ACTION: Action = Action {
    id: "graph.snapshot",
    description: "Show the graph of capabilities: ranks, communities, relations",
    operation: Operation::Read,
    input: || {
        let properties = json!({
            "type": dep::view::kind_schema(),
            "source": dep::view::source_schema(),
            "min_confidence": {"type": "number", "minimum": 0, "maximum": 1},
            "prefix": {"type": "string", "description": "only relations whose ends both begin like this"},
            "limit": {"type": "integer", "minimum": 1, "maximum": 1000, "default": DEFAULT_LIMIT},
            "cursor": {"type": "string", "description": "the cursor of the previous page"},
        });
        (properties, &[])
    },
    example: || json!({"prefix": "issue.", "limit": 100}),
    intents: &[
        "show the capability graph",
        "which capabilities matter most",
        "export the relations between capabilities",
        "which capabilities belong together",
        "draw the learned graph",
        "overview of all capabilities and relations",
        "most central tools",
        "clusters of capabilities",
    ],
    run: |work| Box::pin(run(work)),
};

/// How many relations a page has if the caller sets no limit.
const DEFAULT_LIMIT: u64 = 100;

async fn run(work: Work<'_>) -> Result<ActionOutput, ActionFailure> {
    let given = work.input;
    let after = match input::text(given, "cursor") {
        Some(text) => Some(text.parse::<Cursor>().map_err(|error| {
            ResultError::new(ErrorCode::Validation, format!("`cursor`: {error}"))
        })?),
        None => None,
    };
    let filter = GraphFilter {
        kinds: view::kinds(given),
        sources: dep::view::source(given).into_iter().collect(),
        min_confidence: given
            .get("min_confidence")
            .and_then(serde_json::Value::as_f64),
        prefix: input::owned(given, "prefix"),
        nodes: None,
    };
    let limit = input::number(given, "limit").unwrap_or(DEFAULT_LIMIT);
    let page = Page {
        edges: usize::try_from(limit).unwrap_or(usize::MAX),
        after,
    };
    let snapshot = work.engine.discovery.graph_snapshot(&filter, &page).await?;
    let nodes: Vec<_> = snapshot
        .nodes
        .iter()
        .map(|node| {
            json!({
                "id": node.node.as_str(),
                "kind": work.engine.discovery.kind_of(&node.node),
                "rank": view::rounded(node.rank),
                "community": node.community,
            })
        })
        .collect();
    let edges: Vec<_> = snapshot.edges.iter().map(view::row).collect();
    let mut data = json!({
        "nodes": nodes,
        "edges": edges,
        "total_nodes": snapshot.total_nodes,
        "total_edges": snapshot.total_edges,
    });
    if let Some(next) = snapshot.next {
        data["next_cursor"] = next.to_string().into();
    }
    Ok(data.into())
}
