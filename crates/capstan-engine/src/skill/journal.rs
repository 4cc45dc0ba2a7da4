//! Journals the progress of a skill's run, so that it can be resumed after a crash. A write is journaled before it is
//! sent, and its end before the step counts as done. An attempt that lost its turn learns so from the store before
//! its next write, so it sends nothing more.

use std::collections::HashMap;
use std::sync::atomic::{AtomicBool, Ordering};

use serde_json::{Map, Value};

use capstan_core::card::without_secrets;
use capstan_core::code::TraceId;
use capstan_core::port::{Failure, Store, StoreError};
use capstan_core::run::{NewRun, Noted, Resumption, RunEnd, RunStep, RunTurn, StepState};
use capstan_core::{ErrorCode, ResultError};
use capstan_exec::masked::has_no_secrets;
use capstan_skill::{Leaf, Plan, fingerprint};

use super::SkillRunner;
use super::launch::LaunchedStep;
use crate::shared::Shared;
use crate::step_result::StepResult;

/// The journal of one attempt at a run.
pub(super) struct Journal<'a> {
    shared: &'a Shared,
    store: &'a dyn Store,
    turn: RunTurn,
    /// The outputs of steps that earlier attempts finished, by path.
    earlier_outputs: HashMap<String, Value>,
    /// Another process has taken the run over.
    is_lost: AtomicBool,
    is_ended: bool,
}

impl<'a> Journal<'a> {
    /// Begins the journal of a new run. Returns `None` without a store, and for a skill with a single step. Waits for
    /// the disk if the skill writes.
    pub(super) async fn begin(
        runner: SkillRunner<'a>,
        plan: &Plan,
        input: &Map<String, Value>,
        id: TraceId,
    ) -> Result<Option<Self>, StoreError> {
        let shared = runner.code.shared;
        if plan.is_atomic() {
            return Ok(None);
        }
        let Some(store) = shared.store() else {
            return Ok(None);
        };
        let given = Value::Object(input.clone());
        let schema = plan.scopes.first().and_then(|scope| scope.input.as_deref());
        let shown = without_secrets(schema.unwrap_or(&Value::Null), &given);
        let is_kept = *shown == given && has_no_secrets(&shared.redactor, &given);
        let new = NewRun {
            id: id.clone(),
            skill: format!("{}@{}", plan.id, plan.version),
            fingerprint: runner.plans.fingerprint(plan).await,
            input: is_kept.then(|| input.clone()),
            input_hash: input_hash(given),
            total: plan.leaves().count() as u64,
            at: shared.timestamp(),
        };
        let begun = store.begin_run(shared.viewer(), new);
        if plan.leaves().any(|(.., leaf)| leaf.writes()) {
            begun.await?;
        } else {
            // A run that only reads can be started again instead of resumed.
            drop(begun);
        }
        Ok(Some(Self {
            shared,
            store,
            turn: RunTurn {
                run: id,
                attempt: 1,
            },
            earlier_outputs: HashMap::new(),
            is_lost: AtomicBool::new(false),
            is_ended: false,
        }))
    }

    /// Continues the journal of a resumed run. Returns `None` without a store.
    pub(super) fn resume(shared: &'a Shared, resumption: &Resumption) -> Option<Self> {
        Some(Self {
            shared,
            store: shared.store()?,
            turn: resumption.turn.clone(),
            earlier_outputs: resumption.done.clone(),
            is_lost: AtomicBool::new(false),
            is_ended: false,
        })
    }

    /// Returns the turn that every write of the run needs.
    pub(super) fn turn(&self) -> &RunTurn {
        &self.turn
    }

    /// Returns the id by which the run can be resumed; `None` if another process has taken it over.
    pub(super) fn run(&self) -> Option<&TraceId> {
        let is_lost = self.is_lost.load(Ordering::Relaxed);
        (!is_lost).then_some(&self.turn.run)
    }

    /// Returns the output of a step that an earlier attempt finished.
    pub(super) fn earlier_output(&self, path: &str) -> Option<&Value> {
        self.earlier_outputs.get(path)
    }

    /// Journals the writes among the steps that are about to be sent. On an error they must not be sent.
    pub(super) async fn record_sent(&self, steps: &[LaunchedStep<'_>]) -> Result<(), Failure> {
        let writes = steps.iter().filter(|step| step.leaf.writes());
        let notes: Vec<_> = writes
            .map(|step| self.run_step(step.path, StepState::Started))
            .collect();
        if notes.is_empty() {
            return Ok(());
        }
        match self.store.note_steps(&self.turn, notes).await {
            Ok(Noted::Kept) => Ok(()),
            Ok(Noted::TurnOver) => Err(not_sent(self.lose_turn())),
            Err(error) => Err(store_failure(&error)),
        }
    }

    /// Journals the answers of steps. Waits for the store if one of them writes. The error says that the turn is
    /// lost.
    pub(super) async fn record_answers(
        &self,
        answers: &[(&str, &Leaf, &StepResult)],
    ) -> Result<(), Failure> {
        let mut wait = false;
        let mut notes = Vec::new();
        for (path, leaf, result) in answers {
            wait |= leaf.writes();
            let state = match &result.result {
                Ok(data) => self.done_state(data),
                Err(failure) if failure.changed_nothing() => StepState::NotDone,
                // The journal keeps saying that it was sent.
                Err(_) => continue,
            };
            notes.push(self.run_step(path, state));
        }
        if notes.is_empty() {
            return Ok(());
        }
        let noted = self.store.note_steps(&self.turn, notes);
        if !wait {
            // Reads can be repeated.
            drop(noted);
            return Ok(());
        }
        match noted.await {
            Ok(Noted::TurnOver) => Err(self.lose_turn().into()),
            // If the store failed, the journal still says that the write was sent. Resuming then asks
            // the user about it.
            Ok(Noted::Kept) | Err(_) => Ok(()),
        }
    }

    /// Journals a step that got the output of another one.
    pub(super) fn record_reused(&self, path: &str, output: &Value) {
        self.record_without_waiting(path, self.done_state(output));
    }

    pub(super) fn record_skipped(&self, path: &str) {
        self.record_without_waiting(path, StepState::Skipped);
    }

    /// Journals the state of a step without waiting for the store.
    fn record_without_waiting(&self, path: &str, state: StepState) {
        let notes = vec![self.run_step(path, state)];
        drop(self.store.note_steps(&self.turn, notes));
    }

    /// Journals the end of the run.
    pub(super) async fn end(mut self, error: Option<&ResultError>) {
        self.is_ended = true;
        let error = error.map(|error| self.redacted(&error.message));
        // If this fails, the journal of the steps is still enough to resume the run.
        let _ = self.store.end_run(&self.turn, self.run_end(error)).await;
    }

    /// Marks the turn as lost, and returns the error.
    fn lose_turn(&self) -> ResultError {
        self.is_lost.store(true, Ordering::Relaxed);
        let RunTurn { run, attempt } = &self.turn;
        let message = format!(
            "attempt {attempt} of run {run} is over: another process took the run over, or it ended"
        );
        ResultError::new(ErrorCode::Conflict, message)
    }

    /// Returns the state of a finished step. An output with secrets is not kept.
    fn done_state(&self, value: &Value) -> StepState {
        let kept = has_no_secrets(&self.shared.redactor, value);
        StepState::Done(kept.then(|| value.clone()))
    }

    fn run_step(&self, path: &str, state: StepState) -> RunStep {
        RunStep {
            path: path.to_owned(),
            state,
            at: self.shared.timestamp(),
        }
    }

    fn run_end(&self, error: Option<String>) -> RunEnd {
        RunEnd {
            error,
            at: self.shared.timestamp(),
        }
    }

    fn redacted(&self, text: &str) -> String {
        self.shared.redactor.text(text).into_owned()
    }
}

impl Drop for Journal<'_> {
    fn drop(&mut self) {
        if !self.is_ended {
            let why = "the caller did not wait for the end".to_owned();
            drop(self.store.end_run(&self.turn, self.run_end(Some(why))));
        }
    }
}

/// Returns the failure of a write that was not sent because the store did not journal it.
fn store_failure(error: &StoreError) -> Failure {
    let code = match error {
        StoreError::Refused(_) => ErrorCode::Conflict,
        _ => ErrorCode::Unknown,
    };
    let mut refused = not_sent(ResultError::new(code, error.to_string()));
    // A store may be locked or full only for a short time.
    refused.error.retryable = code != ErrorCode::Conflict;
    refused
}

fn not_sent(mut error: ResultError) -> Failure {
    error.message = format!("not sent: {}", error.message);
    Failure::not_sent(error)
}

/// Returns a hash of an input that does not depend on the order of fields.
pub(crate) fn input_hash(mut input: Value) -> String {
    input.sort_all_objects();
    fingerprint(&input)
}
