//! `cap.merge`: merges two capabilities that do the same.

use serde_json::{Value, json};

use capstan_core::card::Operation;
use capstan_core::code::{LONGEST_NAME, Record};
use capstan_core::{ErrorCode, ResultError};

use crate::capability::store_error;
use crate::local::action::{Action, ActionFailure, ActionOutput, Work};
use crate::local::{input, view};

pub(in crate::local) const ACTION: Action = Action {
    id: "cap.merge",
    description: "Merge a code capability into another that calls the same things",
    operation: Operation::Write,
    input: || {
        let properties = json!({
            "from": {"type": "string", "maxLength": LONGEST_NAME, "description": "is removed; its names become aliases"},
            "into": {"type": "string", "maxLength": LONGEST_NAME, "description": "stays"},
        });
        (properties, &["from", "into"])
    },
    example: || json!({"from": "unnamed_a7f3b2c1", "into": "triage-report"}),
    intents: &[
        "merge two capabilities",
        "join duplicate scripts",
        "two capabilities do the same, make them one",
        "deduplicate saved code",
        "fold one capability into another",
        "combine similar scripts",
        "this is the same code twice",
        "clean up duplicate capabilities",
    ],
    run: |work| Box::pin(run(work)),
};

async fn run(work: Work<'_>) -> Result<ActionOutput, ActionFailure> {
    let from = work.own("from").await?.record;
    let into = work.own("into").await?.record;
    check_visibility(&from, &into)?;
    for name in from.aliases.iter().chain([&from.name]) {
        input::check_name_is_free(&work, name)?;
    }
    let (from, into) = (from.fqdn, into.fqdn);
    let merged = work.store.merge(&from, &into, work.now()).await;
    let record = merged.map_err(|error| store_error(&error))?.record;
    let mut data = view::names(&record);
    data.insert("merged".to_owned(), from.as_str().into());
    data.insert("statistics".to_owned(), view::statistics(&record));
    Ok(Value::Object(data).into())
}

/// Refuses a merge into a less visible capability: callers of `from` must be able to call `into`.
fn check_visibility(from: &Record, into: &Record) -> Result<(), ResultError> {
    if into.visibility >= from.visibility {
        return Ok(());
    }
    let message = format!(
        "`{}` is {} and `{}` is {}: others who call the first would lose it; make the second {} \
         with cap.share, then merge",
        from.name, from.visibility, into.name, into.visibility, from.visibility
    );
    let mend = json!({"tool": "execute", "arguments": {"capability": "cap.share",
        "input": {"capability": into.fqdn.as_str(), "visibility": from.visibility}}});
    Err(ResultError::new(ErrorCode::Policy, message).with_detail("mend", mend))
}
