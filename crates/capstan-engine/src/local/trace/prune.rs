//! `trace.prune`: forgets old executions.

use serde_json::json;

use capstan_core::card::Operation;

use crate::capability::store_error;
use crate::local::action::{Action, ActionFailure, ActionOutput, Work};
use crate::local::input;

pub(in crate::local) const ACTION: Action = Action {
    id: "trace.prune",
    description: "Forget all but the newest traces",
    operation: Operation::Write,
    input: || {
        let properties = json!({
            "keep": {"type": "integer", "minimum": 0, "description": "how many to keep"},
        });
        (properties, &["keep"])
    },
    example: || json!({"keep": 1000}),
    intents: &[
        "delete old traces",
        "clean up the execution history",
        "forget past runs",
        "shrink the store",
        "prune traces",
        "keep only the newest traces",
        "free the space of old executions",
        "trim the execution log",
    ],
    run: |work| Box::pin(run(work)),
};

async fn run(work: Work<'_>) -> Result<ActionOutput, ActionFailure> {
    let keep = input::number(work.input, "keep").unwrap_or(u64::MAX);
    let forgotten = work
        .store
        .prune_traces(work.viewer(), keep)
        .await
        .map_err(|error| store_error(&error))?;
    Ok(json!({"forgotten": forgotten}).into())
}
