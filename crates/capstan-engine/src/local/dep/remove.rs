//! `dep.remove`: removes a relation.

use serde_json::json;

use capstan_core::card::Operation;

use super::view;
use crate::local::action::{Action, ActionFailure, ActionOutput, Work};
use crate::local::input;

pub(in crate::local) const ACTION: Action = Action {
    id: "dep.remove",
    description: "Forget a relation between two capabilities",
    operation: Operation::Write,
    input: || {
        let properties = json!({
            "from": view::capability_schema("one end"),
            "to": view::capability_schema("the other"),
        });
        (properties, &["from", "to"])
    },
    example: || json!({"from": "issue.close", "to": "issue.view"}),
    intents: &[
        "remove a dependency",
        "these two are not related",
        "delete a relation between capabilities",
        "forget that one follows the other",
        "correct a wrong dependency",
        "unlink two capabilities",
        "drop the link between two tools",
        "this does not need that",
    ],
    run: |work| Box::pin(run(work)),
};

async fn run(work: Work<'_>) -> Result<ActionOutput, ActionFailure> {
    let given = |field| input::text(work.input, field).unwrap_or_default();
    let (from, to) = work
        .engine
        .discovery
        .remove_relation(given("from"), given("to"))
        .await?;
    Ok(json!({"from": from.as_str(), "to": to.as_str(), "removed": true}).into())
}
