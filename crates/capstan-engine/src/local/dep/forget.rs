//! `dep.forget`: forgets learned relations, and keeps stated ones.

use serde_json::json;

use capstan_core::card::Operation;

use super::view;
use crate::local::action::{Action, ActionFailure, ActionOutput, Work};
use crate::local::input;

pub(in crate::local) const ACTION: Action = Action {
    id: "dep.forget",
    description: "Forget the relations that were learned, of one capability or of all",
    operation: Operation::Write,
    input: || {
        let properties = json!({"capability": view::capability_schema("only those of one")});
        (properties, &[])
    },
    example: || json!({"capability": "issue.view"}),
    intents: &[
        "forget what was learned",
        "reset the learned graph",
        "unlearn the relations of a capability",
        "clear the learned dependencies",
        "start learning afresh",
        "wipe everything learned",
        "throw all learned relations away",
        "it learned nonsense, reset it",
    ],
    run: |work| Box::pin(run(work)),
};

async fn run(work: Work<'_>) -> Result<ActionOutput, ActionFailure> {
    let capability = input::text(work.input, "capability");
    let forgotten = work.engine.discovery.forget_learned(capability).await?;
    Ok(json!({"forgotten": forgotten}).into())
}
