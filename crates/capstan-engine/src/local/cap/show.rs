//! `cap.show`: shows everything about one capability.

use serde_json::{Value, json};

use capstan_core::card::Operation;

use crate::capability::store_error;
use crate::local::action::{Action, ActionFailure, ActionOutput, Work};
use crate::local::{input, view};

pub(in crate::local) const ACTION: Action = Action {
    id: "cap.show",
    description: "Show a code capability: code, parameters, statistics, history",
    operation: Operation::Read,
    input: || {
        let properties = json!({
            "capability": input::code_name_schema(),
        });
        (properties, &["capability"])
    },
    example: || json!({"capability": "triage-report"}),
    intents: &[
        "show the code of a capability",
        "how often was this capability used",
        "what does this script do",
        "history of a capability",
        "read saved code",
        "open a saved script",
        "which parameters does the capability take",
        "how often does this script succeed",
    ],
    run: |work| Box::pin(run(work)),
};

async fn run(work: Work<'_>) -> Result<ActionOutput, ActionFailure> {
    let (known, _) = work.target("capability").await?;
    let (record, pattern) = (&known.record, &known.pattern);
    let events = work
        .store
        .history(&record.fqdn)
        .await
        .map_err(|error| store_error(&error))?;
    let history: Vec<_> = events
        .iter()
        .map(|event| json!({"at": view::date(event.at), "event": event.kind, "what": event.what}))
        .collect();
    let mut data = view::names(record);
    let mut add = |name: &str, value: Value| {
        data.insert(name.to_owned(), value);
    };
    add("id", record.action.as_str().into());
    add("hash", pattern.hash.as_str().into());
    add("intent", pattern.intent.as_str().into());
    add("owner", record.owner.as_str().into());
    add("created_at", view::date(record.created_at).into());
    add("calls", json!(pattern.calls));
    add("parameters", pattern.parameters.clone());
    add("statistics", view::statistics(record));
    add("code", pattern.code.as_str().into());
    add("history", history.into());
    Ok(Value::Object(data).into())
}
