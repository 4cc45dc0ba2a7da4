//! `trace.list`: lists past executions, newest first.

use serde_json::{Value, json};

use capstan_core::card::Operation;
use capstan_core::code::{TraceId, TraceState, TraceSummary};
use capstan_core::port::TraceFilter;

use crate::capability::store_error;
use crate::local::action::{Action, ActionFailure, ActionOutput, Work};
use crate::local::{input, view};

pub(in crate::local) const ACTION: Action = Action {
    id: "trace.list",
    description: "List past executions, newest first",
    operation: Operation::Read,
    input: || {
        let properties = json!({
            "capability": {"type": "string", "description": "only those that ran or called it"},
            "ok": {"type": "boolean", "description": "only successes, or only failures"},
            "limit": {"type": "integer", "minimum": 1, "maximum": 1000, "default": 20},
            "before": {"type": "string", "description": "a trace id: only older ones"},
        });
        (properties, &[])
    },
    example: || json!({"ok": false, "limit": 5}),
    intents: &[
        "list traces",
        "what was executed recently",
        "show the last failures",
        "which runs failed today",
        "execution history",
        "what did the agent do today",
        "log of executed calls",
        "recent executions of a capability",
    ],
    run: |work| Box::pin(run(work)),
};

async fn run(work: Work<'_>) -> Result<ActionOutput, ActionFailure> {
    let filter = TraceFilter {
        capability: input::owned(work.input, "capability"),
        ok: input::flag(work.input, "ok"),
        limit: input::number(work.input, "limit"),
        before: input::text(work.input, "before").map(TraceId::kept),
    };
    let traces = work
        .store
        .traces(work.viewer(), &filter)
        .await
        .map_err(|error| store_error(&error))?;
    let rows: Vec<_> = traces.iter().map(row).collect();
    Ok(json!({"traces": rows}).into())
}

fn row(trace: &TraceSummary) -> Value {
    let mut row = json!({
        "id": trace.id,
        "at": view::date(trace.started_at),
        "mode": trace.mode,
        "capability": trace.capability,
        "intent": trace.intent,
        "ok": trace.ok,
        "error_code": trace.error_code,
        "ms": trace.duration_us / 1000,
        "calls": trace.calls,
    });
    if trace.state != TraceState::Ended {
        row["state"] = json!(trace.state);
    }
    row
}
