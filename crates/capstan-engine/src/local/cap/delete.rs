//! `cap.delete`: forgets a capability.

use serde_json::json;

use capstan_core::card::Operation;

use crate::capability::store_error;
use crate::local::action::{Action, ActionFailure, ActionOutput, Work};
use crate::local::input;

pub(in crate::local) const ACTION: Action = Action {
    id: "cap.delete",
    description: "Forget a code capability, with its names and statistics",
    operation: Operation::Write,
    input: || {
        let properties = json!({
            "capability": input::code_name_schema(),
        });
        (properties, &["capability"])
    },
    example: || json!({"capability": "triage-report"}),
    intents: &[
        "delete a capability",
        "forget saved code",
        "remove a script",
        "drop a capability by name",
        "unregister code",
        "get rid of old scripts",
        "throw a capability away",
        "I no longer need this code",
    ],
    run: |work| Box::pin(run(work)),
};

async fn run(work: Work<'_>) -> Result<ActionOutput, ActionFailure> {
    let record = work.own("capability").await?.record;
    work.store
        .delete(&record.fqdn)
        .await
        .map_err(|error| store_error(&error))?;
    Ok(json!({"deleted": record.fqdn.as_str(), "name": record.name.as_str()}).into())
}
