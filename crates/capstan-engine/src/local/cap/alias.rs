//! `cap.alias`: adds a name to a capability.

use serde_json::{Value, json};

use capstan_core::card::Operation;

use super::rename;
use crate::capability::store_error;
use crate::local::action::{Action, ActionFailure, ActionOutput, Work};
use crate::local::{input, view};

pub(in crate::local) const ACTION: Action = Action {
    id: "cap.alias",
    description: "Add an alias to a code capability",
    operation: Operation::Write,
    input: || {
        let properties = json!({
            "capability": input::code_name_schema(),
            "alias": {"type": "string", "description": "letters, digits, _, - and :"},
        });
        (properties, &["capability", "alias"])
    },
    example: || json!({"capability": "triage-report", "alias": "triage"}),
    intents: &[
        "add an alias to a capability",
        "give a capability a second name",
        "make a short name for a script",
        "let a capability be called by another name too",
        "alias code",
        "add a shorthand for my code",
        "nickname a capability",
        "another name for the same script",
    ],
    run: |work| Box::pin(run(work)),
};

async fn run(work: Work<'_>) -> Result<ActionOutput, ActionFailure> {
    let known = work.own("capability").await?.record;
    let alias = input::name(&work, "alias")?;
    if known.name == alias || known.aliases.contains(&alias) {
        return Ok(rename::unchanged(&known));
    }
    let aliased = work.store.add_alias(&known.fqdn, &alias, work.now()).await;
    let mut data = view::names(&aliased.map_err(|error| store_error(&error))?);
    data.insert("changed".to_owned(), true.into());
    Ok(Value::Object(data).into())
}
