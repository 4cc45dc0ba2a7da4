//! `cap.merge`: two capabilities that do the same become one.

use serde_json::{Value, json};

use capstan_core::ResultError;
use capstan_core::card::Operation;

use crate::capability::broken;
use crate::local::action::{Action, Done, Work};
use crate::local::view;

pub(in crate::local) const ACTION: Action = Action {
    id: "cap.merge",
    description: "Merge a code capability into another that calls the same things",
    operation: Operation::Write,
    input: || {
        let properties = json!({
            "from": {"type": "string", "description": "goes; its names become aliases"},
            "into": {"type": "string", "description": "stays"},
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
    ],
    run: |work| Box::pin(run(work)),
};

async fn run(work: Work<'_>) -> Result<Done, ResultError> {
    let from = work.own("from").await?.record.fqdn;
    let into = work.own("into").await?.record.fqdn;
    let merged = work.store.merge(&from, &into, work.now()).await;
    let record = merged.map_err(|error| broken(&error))?.record;
    let mut data = view::names(&record);
    data.insert("merged".to_owned(), from.as_str().into());
    data.insert("statistics".to_owned(), view::statistics(&record));
    Ok(Value::Object(data).into())
}
