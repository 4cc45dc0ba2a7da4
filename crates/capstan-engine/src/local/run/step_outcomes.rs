//! Determines the outcome of each step of a run that is to be resumed.

use std::collections::HashMap;

use serde_json::{Map, Value, json};

use capstan_core::ResultError;
use capstan_core::code::Timestamp;
use capstan_core::run::{Presence, RunSend, RunState, RunStep, SkillRun, StepState};
use capstan_exec::masked::has_no_secrets;
use capstan_skill::{Leaf, Plan};

use super::refusal::{conflict, invalid, process};
use crate::shared::Shared;
use crate::skill::projected;

/// What the caller decided about steps of unknown outcome.
pub(super) struct Decisions {
    /// The outputs of the steps that were done, by path.
    done: Map<String, Value>,
    /// The paths of the steps that were not done.
    redo: Vec<String>,
}

impl Decisions {
    /// Reads the decisions from the input of `run.resume`.
    pub(super) fn from_input(input: &Map<String, Value>) -> Self {
        let done = input.get("done").and_then(Value::as_object);
        let redo = input.get("redo").and_then(Value::as_array);
        let redo = redo.into_iter().flatten().filter_map(Value::as_str);
        Self {
            done: done.cloned().unwrap_or_default(),
            redo: redo.map(str::to_owned).collect(),
        }
    }

    /// Returns the paths of all steps that were decided.
    fn paths(&self) -> impl Iterator<Item = &str> {
        let redo = self.redo.iter().map(String::as_str);
        self.done.keys().map(String::as_str).chain(redo)
    }
}

/// The outcomes of all steps of a run that is to be resumed.
pub(super) struct StepOutcomes {
    /// The outputs of all steps that are done, by path.
    pub(super) done: HashMap<String, Value>,
    /// The caller's decisions, for the journal.
    pub(super) decided: Vec<RunStep>,
}

/// Returns the outcomes of all steps, from the journal and the caller's decisions. The error names the steps whose
/// outcome is still unknown, or a decision that does not fit.
pub(super) fn step_outcomes(
    run: &SkillRun,
    plan: &Plan,
    decisions: Decisions,
    shared: &Shared,
    at: Timestamp,
) -> Result<StepOutcomes, ResultError> {
    let leaf = |path: &str| {
        let mut leaves = plan.leaves();
        leaves.find_map(|(_, node, leaf)| (node.path == path).then_some(leaf))
    };
    let mut done = HashMap::new();
    let mut doubtful = Vec::new();
    for step in &run.steps {
        match &step.state {
            StepState::Done(Some(output)) => {
                done.insert(step.path.clone(), output.clone());
            }
            // Resuming decides again whether the step runs.
            StepState::NotDone | StepState::Skipped => {}
            // Reads are repeated.
            StepState::Done(None) | StepState::Started => {
                if leaf(&step.path).is_some_and(Leaf::writes) {
                    doubtful.push((step.path.as_str(), &step.state));
                }
            }
        }
    }
    check_no_write_under_way(run, &doubtful)?;
    let is_doubtful = |path: &str| doubtful.iter().any(|(it, _)| *it == path);
    if let Some(path) = decisions.paths().find(|path| !is_doubtful(path)) {
        let open: Vec<_> = doubtful.iter().map(|(path, _)| *path).collect();
        let message = match open.as_slice() {
            [] => format!("`{path}` is not a step with an unknown outcome: there are none"),
            open => format!(
                "`{path}` is not a step with an unknown outcome: expected one of {}",
                open.join(", ")
            ),
        };
        return Err(invalid(message));
    }
    let is_done = |path: &str| {
        let by_an_attempt = |send: &RunSend| send.path == path && send.done == Some(true);
        let lost_output =
            |(it, state): &(&str, &StepState)| *it == path && matches!(state, StepState::Done(_));
        run.sends.iter().any(by_an_attempt) || doubtful.iter().any(lost_output)
    };
    if let Some(path) = decisions.redo.iter().find(|path| is_done(path)) {
        let message =
            format!("`{path}` was done, so it is not repeated: give its output in `done`");
        return Err(invalid(message));
    }
    let undecided = |(path, _): &&(&str, &StepState)| !decisions.paths().any(|it| it == *path);
    let open: Vec<_> = doubtful.iter().filter(undecided).collect();
    if !open.is_empty() {
        return Err(unknown_outcome_error(run, &open));
    }
    let mut decided = Vec::new();
    for (path, output) in decisions.done {
        if decisions.redo.contains(&path) {
            return Err(invalid(format!(
                "`{path}` is in both `done` and `redo`: keep one"
            )));
        }
        let output = match leaf(&path) {
            Some(leaf) => checked_output(shared, &path, leaf, output)?,
            None => output,
        };
        // An output with secrets is not kept; the next resume must ask for it again.
        let kept = has_no_secrets(&shared.redactor, &output);
        let state = StepState::Done(kept.then(|| output.clone()));
        decided.push(RunStep {
            path: path.clone(),
            state,
            at,
        });
        done.insert(path, output);
    }
    let redo = decisions.redo.into_iter().map(|path| RunStep {
        path,
        state: StepState::NotDone,
        at,
    });
    decided.extend(redo);
    Ok(StepOutcomes { done, decided })
}

/// Refuses to resume while another process waits for the answer to a write, because the outcome is still open.
fn check_no_write_under_way(
    run: &SkillRun,
    doubtful: &[(&str, &StepState)],
) -> Result<(), ResultError> {
    if run.state != RunState::Open || run.owner.presence != Presence::Alive {
        return Ok(());
    }
    let sent = |(_, state): &&(&str, &StepState)| **state == StepState::Started;
    let names: Vec<_> = doubtful
        .iter()
        .filter(sent)
        .map(|(path, _)| *path)
        .collect();
    if names.is_empty() {
        return Ok(());
    }
    let message = format!(
        "run {} cannot be taken over now: {} has sent `{}` and waits for the answer. Try again \
         later, or end that process first",
        run.id,
        process(run.owner),
        names.join("`, `")
    );
    Err(conflict(message).with_detail("in_flight", json!(names)))
}

/// Returns the output that the caller states for a step, reduced to its schema and checked, because other steps rely
/// on it.
fn checked_output(
    shared: &Shared,
    path: &str,
    leaf: &Leaf,
    output: Value,
) -> Result<Value, ResultError> {
    let output = projected(output, leaf.output.as_deref());
    let Some(why) = leaf
        .output
        .as_ref()
        .and_then(|schema| shared.schemas().misfit(schema, &output))
    else {
        return Ok(output);
    };
    let message = format!("`done.{path}` does not fit the output of this step: {why}");
    Err(invalid(message))
}

/// Returns the error for steps with an unknown outcome.
fn unknown_outcome_error(run: &SkillRun, open: &[&(&str, &StepState)]) -> ResultError {
    let reasons: Vec<_> = open
        .iter()
        .map(|(path, state)| match state {
            StepState::Done(_) => format!("`{path}` was done, but its output was not kept"),
            _ => format!("`{path}` was sent, and nobody knows whether it was done"),
        })
        .collect();
    let names: Vec<_> = open.iter().map(|(path, _)| *path).collect();
    let message = format!(
        "run {} cannot continue by itself: {}. Look, then resume it with `done` (its output) or \
         `redo` (it was not done)",
        run.id,
        reasons.join("; ")
    );
    conflict(message).with_detail("unknown", json!(names))
}
