//! `dep.update`: counts further observations of a relation.

use serde_json::{Value, json};

use capstan_core::card::Operation;

use super::view;
use crate::local::action::{Action, ActionFailure, ActionOutput, Work};
use crate::local::input;

pub(in crate::local) const ACTION: Action = Action {
    id: "dep.update",
    description: "Count that a relation between two capabilities was seen again",
    operation: Operation::Write,
    input: || {
        let properties = json!({
            "from": view::capability_schema("one end"),
            "to": view::capability_schema("the other"),
            "by": {"type": "integer", "minimum": 1, "maximum": MOST, "default": 1,
                "description": "how many times"},
        });
        (properties, &["from", "to"])
    },
    example: || json!({"from": "issue.close", "to": "issue.view", "by": 2}),
    intents: &[
        "raise the count of a relation",
        "increment how often a dependency was observed",
        "confirm a dependency once more",
        "strengthen the link between two capabilities",
        "this relation held again",
        "bump the observed count of a dependency",
    ],
    run: |work| Box::pin(run(work)),
};

/// How many observations one call may add.
const MOST: u64 = 1_000_000;

async fn run(work: Work<'_>) -> Result<ActionOutput, ActionFailure> {
    let given = |field| input::text(work.input, field).unwrap_or_default();
    let (from, to) = (given("from"), given("to"));
    let by = input::number(work.input, "by").unwrap_or(1);
    let edge = work.engine.discovery.observe_relation(from, to, by).await?;
    Ok(Value::Object(view::row(&edge)).into())
}
