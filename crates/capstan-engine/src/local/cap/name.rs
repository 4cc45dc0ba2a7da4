//! `cap.name`: names code that has no name yet.

use serde_json::{Value, json};

use capstan_core::card::Operation;
use capstan_core::{ErrorCode, ResultError};

use super::rename;
use crate::local::action::{Action, ActionFailure, ActionOutput, Work};

pub(in crate::local) const ACTION: Action = Action {
    id: "cap.name",
    description: "Name code that ran, so that it can be called by this name",
    operation: Operation::Write,
    input: || (rename::properties(), &["capability", "name"]),
    example: || json!({"capability": "unnamed_a7f3b2c1", "name": "triage-report"}),
    intents: &[
        "name a capability",
        "give the code I just ran a name",
        "save this code as",
        "remember this script under a name",
        "register code by name",
        "keep this script for later",
        "make the code that just ran reusable",
        "name unnamed code",
    ],
    run: |work| Box::pin(run(work)),
};

async fn run(work: Work<'_>) -> Result<ActionOutput, ActionFailure> {
    let known = work.own("capability").await?;
    if !known.record.name.is_unnamed() {
        let wanted = work.input.get("name").cloned().unwrap_or(Value::Null);
        let name = known.record.name.as_str();
        if wanted == name {
            return Ok(rename::unchanged(&known.record));
        }
        let message = format!("it is already named `{name}`: cap.rename changes that");
        let mend = json!({"tool": "execute", "arguments": {"capability": "cap.rename",
            "input": {"capability": name, "name": wanted}}});
        let error = ResultError::new(ErrorCode::Conflict, message);
        return Err(error.with_detail("mend", mend).into());
    }
    rename::rename(&work, &known.record).await
}
