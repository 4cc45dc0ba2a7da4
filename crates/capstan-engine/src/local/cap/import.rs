//! `cap.import`: imports the output of `cap.export`, all of it or nothing.

use std::borrow::Cow;

use serde_json::{Value, json};

use capstan_core::card::Operation;
use capstan_core::{ErrorCode, ResultError};

use super::exported;
use crate::capability::store_error;
use crate::code::script_error;
use crate::local::action::{Action, ActionFailure, ActionOutput, Work};
use crate::local::input;

pub(in crate::local) const ACTION: Action = Action {
    id: "cap.import",
    description: "Import code capabilities from cap.export; all or none",
    operation: Operation::Write,
    input: || {
        let properties = json!({
            "version": {"const": 1},
            "capabilities": {
                "type": "array",
                "items": exported::schema(),
                "minItems": 1,
                "maxItems": 10_000,
            },
        });
        (properties, &["capabilities"])
    },
    example: || json!({"capabilities": [{"name": "double", "intent": "double a number", "code": "return args.n * 2"}]}),
    intents: &[
        "import capabilities",
        "restore saved code from a backup",
        "load scripts from a file",
        "take over capabilities from another machine",
        "install exported code",
        "bring in capabilities from json",
        "add the scripts a colleague sent me",
        "upload saved code",
    ],
    run: |work| Box::pin(run(work)),
};

async fn run(work: Work<'_>) -> Result<ActionOutput, ActionFailure> {
    let given = work.input.get("capabilities").and_then(Value::as_array);
    let sandbox = work.engine.shared.sandbox()?;
    let mut items = Vec::new();
    for (index, item) in given.into_iter().flatten().enumerate() {
        let bad = |mut error: ResultError| {
            error.message = format!("`capabilities.{index}`: {}", error.message);
            error
        };
        let code = item.get("code").and_then(Value::as_str).unwrap_or_default();
        if let Cow::Owned(_) = work.engine.shared.redactor.text(&item.to_string()) {
            let message = "it contains a token, and secrets must not be remembered";
            return Err(bad(ResultError::new(ErrorCode::Validation, message)).into());
        }
        let script = sandbox
            .read(code)
            .await
            .map_err(script_error)
            .map_err(bad)?;
        let read = exported::from_json(item, &script);
        let read = read.map_err(|why| bad(ResultError::new(ErrorCode::Validation, why)))?;
        for name in read.aliases.iter().chain([&read.name]) {
            input::check_name_is_free(&work, name).map_err(bad)?;
        }
        items.push(read);
    }
    let imported = work
        .store
        .import(work.viewer(), items, work.now())
        .await
        .map_err(|error| store_error(&error))?;
    let rows: Vec<_> = imported
        .iter()
        .map(|it| json!({"name": it.name.as_str(), "fqdn": it.fqdn.as_str(), "known": it.known}))
        .collect();
    Ok(json!({"capabilities": rows}).into())
}
