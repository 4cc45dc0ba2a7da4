//! `dep.list`: lists relations.

use serde_json::{Value, json};

use capstan_core::card::Operation;

use super::view;
use crate::RelationFilter;
use crate::local::action::{Action, ActionFailure, ActionOutput, Work};
use crate::local::input;

pub(in crate::local) const ACTION: Action = Action {
    id: "dep.list",
    description: "List relations between capabilities",
    operation: Operation::Read,
    input: || {
        let properties = json!({
            "capability": view::capability_schema("only those of one"),
            "direction": {"enum": ["from", "to", "both"], "default": "both"},
            "type": view::kind_schema(),
            "source": view::source_schema(),
            "min_confidence": {"type": "number", "minimum": 0, "maximum": 1},
            "limit": {"type": "integer", "minimum": 1, "maximum": 1000, "default": DEFAULT_LIMIT},
            "offset": {"type": "integer", "minimum": 0},
        });
        (properties, &[])
    },
    example: || json!({"capability": "issue.view", "direction": "from"}),
    intents: &[
        "list the dependencies of a capability",
        "what is related to this",
        "what usually comes after a capability",
        "which relations were learned",
        "what does this capability need",
        "which capabilities use this one",
        "show all declared relations",
        "what comes before this tool",
    ],
    run: |work| Box::pin(run(work)),
};

/// How many rows are returned if the caller sets no limit.
const DEFAULT_LIMIT: u64 = 50;

async fn run(work: Work<'_>) -> Result<ActionOutput, ActionFailure> {
    let wanted = RelationFilter {
        capability: input::owned(work.input, "capability"),
        direction: view::direction(work.input),
        kind: view::kind(work.input),
        source: view::source(work.input),
        min_confidence: work.input.get("min_confidence").and_then(Value::as_f64),
    };
    let all = work.engine.discovery.relations(&wanted).await?;
    let offset = input::number(work.input, "offset").unwrap_or(0);
    let limit = input::number(work.input, "limit").unwrap_or(DEFAULT_LIMIT);
    let as_place = |number: u64| usize::try_from(number).unwrap_or(usize::MAX);
    let shown = all.iter().skip(as_place(offset)).take(as_place(limit));
    let rows: Vec<_> = shown.map(view::known_row).collect();
    let mut data = json!({"dependencies": rows, "total": all.len()});
    if as_place(offset.saturating_add(limit)) < all.len() {
        data["next_offset"] = (offset + limit).into();
    }
    Ok(data.into())
}
