//! `graph.neighbors`: lists the neighbours of a capability in the graph.

use serde_json::json;

use capstan_core::card::Operation;

use super::view;
use crate::Around;
use crate::local::action::{Action, ActionFailure, ActionOutput, Work};
use crate::local::{dep, input};

pub(in crate::local) const ACTION: Action = Action {
    id: "graph.neighbors",
    description: "Show what is around a capability in the graph, nearest first",
    operation: Operation::Read,
    input: || {
        let properties = json!({
            "capability": dep::view::capability_schema("the capability in the middle"),
            "direction": {"enum": ["from", "to", "both"], "default": "both"},
            "type": dep::view::kind_schema(),
            "depth": {"type": "integer", "minimum": 1, "maximum": 10, "default": 1},
            "limit": {"type": "integer", "minimum": 1, "maximum": 1000, "default": DEFAULT_LIMIT},
        });
        (properties, &["capability"])
    },
    example: || json!({"capability": "issue.view", "depth": 2}),
    intents: &[
        "what is near this capability",
        "neighbours in the capability graph",
        "what belongs to this capability",
        "what do people use together with it",
        "which capabilities are two steps away",
        "what surrounds this tool",
        "explore around a capability",
        "related capabilities nearby",
    ],
    run: |work| Box::pin(run(work)),
};

/// How many neighbours are returned if the caller sets no limit.
const DEFAULT_LIMIT: u64 = 50;

async fn run(work: Work<'_>) -> Result<ActionOutput, ActionFailure> {
    let given = work.input;
    let kinds = view::kinds(given);
    let depth = input::number(given, "depth").unwrap_or(1);
    let limit = input::number(given, "limit").unwrap_or(DEFAULT_LIMIT);
    let limit = usize::try_from(limit).unwrap_or(usize::MAX);
    let around = Around {
        direction: dep::view::direction(given),
        kinds: &kinds,
        depth: u32::try_from(depth).unwrap_or(u32::MAX),
        // One more than the limit shows whether there are more.
        limit: limit.saturating_add(1),
    };
    let name = input::text(given, "capability").unwrap_or_default();
    let found = work.engine.discovery.graph_neighbors(name, &around).await?;
    let rows: Vec<_> = found
        .iter()
        .take(limit)
        .map(|it| {
            let mut row = view::row(&it.via);
            row["id"] = it.node.as_str().into();
            row["distance"] = it.distance.into();
            row
        })
        .collect();
    let has_more = found.len() > limit;
    Ok(json!({"capability": name, "neighbors": rows, "has_more": has_more}).into())
}
