//! `skill.runs`: lists runs of skills, newest first.

use serde_json::{Value, json};

use capstan_core::card::Operation;
use capstan_core::code::TraceId;
use capstan_core::port::RunFilter;
use capstan_core::run::{RunState, RunSummary};

use crate::capability::store_error;
use crate::local::action::{Action, ActionFailure, ActionOutput, Work};
use crate::local::run::owner;
use crate::local::{input, view};

pub(in crate::local) const ACTION: Action = Action {
    id: "skill.runs",
    description: "List runs of skills, newest first",
    operation: Operation::Read,
    input: || {
        let properties = json!({
            "skill": {"type": "string", "description": "only of this skill"},
            "state": {
                "enum": ["open", "ok", "failed"],
                "description": "open: under way, or stopped by a crash",
            },
            "limit": {"type": "integer", "minimum": 1, "maximum": 1000, "default": 20},
            "before": {"type": "string", "description": "the id of a run: only older ones"},
        });
        (properties, &[])
    },
    example: || json!({"state": "open"}),
    intents: &[
        "list runs of skills",
        "which workflows crashed",
        "what can be resumed",
        "unfinished runs",
        "history of a skill",
        "which skills are still running",
        "show failed skill runs",
        "past runs of a skill",
    ],
    run: |work| Box::pin(run(work)),
};

async fn run(work: Work<'_>) -> Result<ActionOutput, ActionFailure> {
    let state = work.input.get("state").cloned();
    let filter = RunFilter {
        skill: input::owned(work.input, "skill"),
        state: state.and_then(|state| serde_json::from_value(state).ok()),
        limit: input::number(work.input, "limit"),
        before: input::text(work.input, "before").map(TraceId::kept),
    };
    let runs = work.store.runs(work.viewer(), &filter).await;
    let runs = runs.map_err(|error| store_error(&error))?;
    let rows: Vec<_> = runs.iter().map(row).collect();
    Ok(json!({"runs": rows}).into())
}

fn row(run: &RunSummary) -> Value {
    let mut row = json!({
        "id": run.id,
        "at": view::date(run.started_at),
        "skill": run.skill,
        "state": run.state,
        "done": run.done,
        "steps": run.total,
        "attempt": run.attempt,
        "error": run.error,
    });
    if run.state == RunState::Open {
        row["owner"] = owner(run.owner);
    }
    row
}
