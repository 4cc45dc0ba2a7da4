//! `trace.show`: shows one execution in full.

use serde_json::json;

use capstan_core::card::Operation;

use super::{named, newest};
use crate::local::action::{Action, ActionFailure, ActionOutput, Work};
use crate::local::input;

pub(in crate::local) const ACTION: Action = Action {
    id: "trace.show",
    description: "Show what an execution did: calls, timings, console, errors",
    operation: Operation::Read,
    input: || {
        let properties = json!({
            "id": {"type": "string", "description": "a trace id, its beginning, or last"},
        });
        (properties, &["id"])
    },
    example: || json!({"id": "01jcx5m2k7"}),
    intents: &[
        "show a trace",
        "what did this run do",
        "why did the execution fail",
        "timeline of a run",
        "console output of code",
        "debug a failed execution",
        "which calls did the code make",
        "how long did each call take",
    ],
    run: |work| Box::pin(run(work)),
};

async fn run(work: Work<'_>) -> Result<ActionOutput, ActionFailure> {
    let id = input::text(work.input, "id").unwrap_or_default();
    let trace = match id {
        "last" => newest(&work).await?,
        id => named(&work, id).await?,
    };
    Ok(serde_json::to_value(&trace).unwrap_or_default().into())
}
