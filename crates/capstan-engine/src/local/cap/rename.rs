//! `cap.rename`: renames a capability. The old name still works, with a warning.

use serde_json::{Value, json};

use capstan_core::card::Operation;
use capstan_core::code::Record;

use crate::capability::store_error;
use crate::local::action::{Action, ActionFailure, ActionOutput, Work};
use crate::local::{input, view};

pub(in crate::local) const ACTION: Action = Action {
    id: "cap.rename",
    description: "Rename a code capability; the old name stays as an alias",
    operation: Operation::Write,
    input: || (properties(), &["capability", "name"]),
    example: || json!({"capability": "triage-report", "name": "weekly-triage"}),
    intents: &[
        "rename a capability",
        "change the name of a saved script",
        "call my code something else",
        "give a capability a better name",
        "move a capability to another name",
        "the script's name is wrong, change it",
        "fix a typo in a capability's name",
        "rename scripts",
    ],
    run: |work| Box::pin(run(work)),
};

pub(super) fn properties() -> Value {
    json!({
        "capability": input::code_name_schema(),
        "name": {"type": "string", "description": "letters, digits, _, - and :"},
    })
}

async fn run(work: Work<'_>) -> Result<ActionOutput, ActionFailure> {
    let known = work.own("capability").await?;
    rename(&work, &known.record).await
}

/// Renames a record to the name in the input.
pub(super) async fn rename(
    work: &Work<'_>,
    record: &Record,
) -> Result<ActionOutput, ActionFailure> {
    let name = input::name(work, "name")?;
    if record.name == name {
        return Ok(unchanged(record));
    }
    let renamed = work.store.rename(&record.fqdn, &name, work.now()).await;
    let mut data = view::names(&renamed.map_err(|error| store_error(&error))?);
    data.insert("changed".to_owned(), true.into());
    Ok(Value::Object(data).into())
}

/// Returns the output for a record that did not need a change.
pub(super) fn unchanged(record: &Record) -> ActionOutput {
    let mut data = view::names(record);
    data.insert("changed".to_owned(), false.into());
    Value::Object(data).into()
}
