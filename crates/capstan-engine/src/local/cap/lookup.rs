//! `cap.lookup`: resolves a name to remembered code.

use serde_json::{Value, json};

use capstan_core::card::Operation;
use capstan_core::port::Via;

use crate::local::action::{Action, ActionFailure, ActionOutput, Work};
use crate::local::{input, view};

pub(in crate::local) const ACTION: Action = Action {
    id: "cap.lookup",
    description: "Resolve a name, alias or FQDN (with or without hash) to a code capability",
    operation: Operation::Read,
    input: || {
        let properties = json!({
            "name": input::code_name_schema(),
        });
        (properties, &["name"])
    },
    example: || json!({"name": "triage-report"}),
    intents: &[
        "look up a capability by name",
        "resolve a name to its fqdn",
        "which capability is this an alias of",
        "does a capability of this name exist",
        "find the full name of a script",
        "what does this name stand for",
        "is this name taken",
        "get the hash of a capability",
    ],
    run: |work| Box::pin(run(work)),
};

async fn run(work: Work<'_>) -> Result<ActionOutput, ActionFailure> {
    let (known, via) = work.target("name").await?;
    let mut data = view::names(&known.record);
    data.insert("id".to_owned(), known.record.action.as_str().into());
    let (via, warnings) = match via {
        Via::Name => ("name", Vec::new()),
        Via::Fqdn => ("fqdn", Vec::new()),
        Via::Id => ("id", Vec::new()),
        Via::Alias(alias) => (
            "alias",
            vec![crate::capability::alias_warning(&alias, &known.record.name)],
        ),
    };
    data.insert("via".to_owned(), via.into());
    Ok(ActionOutput {
        data: Value::Object(data),
        warnings,
    })
}
