//! `run.show`: shows one run of a skill, step by step.

use serde_json::{Value, json};

use capstan_core::card::Operation;
use capstan_core::run::{RunSend, RunState, RunStep, SkillRun, StepState};

use super::found::{named, owner};
use crate::local::action::{Action, ActionFailure, ActionOutput, Work};
use crate::local::view;

pub(in crate::local) const ACTION: Action = Action {
    id: "run.show",
    description: "Show how far a run of a skill got, step by step",
    operation: Operation::Read,
    input: || {
        let properties = json!({
            "run": {"type": "string", "description": "the id of a run, its beginning, or last"},
        });
        (properties, &["run"])
    },
    example: || json!({"run": "01jcx5m2k7"}),
    intents: &[
        "show a run of a skill",
        "how far did the workflow come",
        "which steps are done",
        "where did the skill stop",
        "state of a run",
        "progress of a skill",
        "which step of the skill failed",
        "what is left to do in this run",
    ],
    run: |work| Box::pin(run(work)),
};

async fn run(work: Work<'_>) -> Result<ActionOutput, ActionFailure> {
    let run = named(&work).await?;
    let steps: Vec<_> = run.steps.iter().map(|step| row(step, &run)).collect();
    let mut shown = json!({
        "id": run.id,
        "skill": run.skill,
        "state": run.state,
        "attempt": run.attempt,
        "started_at": view::date(run.started_at),
        "updated_at": view::date(run.updated_at),
        "of": run.total,
        "steps": steps,
    });
    if run.state == RunState::Open {
        shown["owner"] = owner(run.owner);
    }
    if let Some(error) = run.error {
        shown["error"] = error.into();
    }
    Ok(shown.into())
}

fn row(step: &RunStep, run: &SkillRun) -> Value {
    let state = match step.state {
        StepState::Started => "unknown",
        StepState::Done(_) => "done",
        StepState::NotDone => "not_done",
        StepState::Skipped => "skipped",
    };
    let mut row = json!({"step": step.path, "state": state, "at": view::date(step.at)});
    let sends = run.sends.iter().filter(|send| send.path == step.path);
    let sends: Vec<_> = sends.map(sent).collect();
    // Sending once is the normal case and needs no mention.
    if sends.len() > 1 {
        row["sent"] = sends.into();
    }
    row
}

fn sent(send: &RunSend) -> Value {
    let state = match send.done {
        None => "unknown",
        Some(true) => "done",
        Some(false) => "not_done",
    };
    json!({"attempt": send.attempt, "state": state, "at": view::date(send.at)})
}
