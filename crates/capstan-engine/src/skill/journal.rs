//! Records how far a run of a skill is, so that it can go on after a crash. A write is on the disk as
//! sent before it leaves, and as done before its step counts as done. An attempt that lost its turn
//! learns that from the first of these notes, so it sends nothing more.

use std::collections::HashMap;
use std::sync::atomic::{AtomicBool, Ordering};

use serde_json::{Map, Value};

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

pub(super) struct Journal<'a> {
    shared: &'a Shared,
    store: &'a dyn Store,
    turn: RunTurn,
    /// By the path of a step: what it gave when the run was at it before.
    done: HashMap<String, Value>,
    /// Somebody else has the run.
    lost: AtomicBool,
    ended: bool,
}

impl<'a> Journal<'a> {
    /// Of a run that begins; nothing where there is no store, and of what has a single step. A run that
    /// writes begins when that is on the disk.
    pub(super) async fn begin(
        runner: SkillRunner<'a>,
        plan: &Plan,
        input: &Map<String, Value>,
        id: TraceId,
    ) -> Result<Option<Self>, StoreError> {
        let shared = runner.code.shared;
        let Some(store) = shared.store().filter(|_| !plan.is_atomic()) else {
            return Ok(None);
        };
        let given = Value::Object(input.clone());
        let new = NewRun {
            id: id.clone(),
            skill: format!("{}@{}", plan.id, plan.version),
            fingerprint: runner.plans.fingerprint(plan).await,
            input: has_no_secrets(&shared.redactor, &given).then(|| input.clone()),
            input_hash: input_hash(given),
            total: plan.leaves().count() as u64,
            at: shared.timestamp(),
        };
        let begun = store.begin_run(shared.viewer(), new);
        if plan.leaves().any(|(.., leaf)| leaf.writes()) {
            begun.await?;
        } else {
            // What only reads can be run again.
            drop(begun);
        }
        Ok(Some(Self {
            shared,
            store,
            turn: RunTurn {
                run: id,
                attempt: 1,
            },
            done: HashMap::new(),
            lost: AtomicBool::new(false),
            ended: false,
        }))
    }

    /// Of a run that goes on.
    pub(super) fn resume(shared: &'a Shared, resumption: &Resumption) -> Option<Self> {
        Some(Self {
            shared,
            store: shared.store()?,
            turn: resumption.turn.clone(),
            done: resumption.done.clone(),
            lost: AtomicBool::new(false),
            ended: false,
        })
    }

    /// Whoever writes as a part of the run has to have it.
    pub(super) fn turn(&self) -> &RunTurn {
        &self.turn
    }

    /// By which it can be resumed; nothing if somebody else does that already.
    pub(super) fn run(&self) -> Option<&TraceId> {
        let lost = self.lost.load(Ordering::Relaxed);
        (!lost).then_some(&self.turn.run)
    }

    /// What a step gave before the run was resumed.
    pub(super) fn known(&self, path: &str) -> Option<&Value> {
        self.done.get(path)
    }

    /// These are about to leave. Those that write may leave when this is answered well.
    pub(super) async fn leaving(&self, steps: &[LaunchedStep<'_>]) -> Result<(), Failure> {
        let writes = steps.iter().filter(|step| step.leaf.writes());
        let notes: Vec<_> = writes
            .map(|step| self.note(step.path, StepState::Started))
            .collect();
        if notes.is_empty() {
            return Ok(());
        }
        match self.store.note_steps(&self.turn, notes).await {
            Ok(Noted::Kept) => Ok(()),
            Ok(Noted::TurnOver) => Err(not_sent(self.turn_over())),
            Err(error) => Err(refused(&error)),
        }
    }

    /// These came back. Those that write count as done when this is answered.
    pub(super) async fn over(&self, came: &[(&str, &Leaf, &StepResult)]) -> Result<(), Failure> {
        let mut wait = false;
        let mut notes = Vec::new();
        for (path, leaf, result) in came {
            wait |= leaf.writes();
            let state = match &result.result {
                Ok(data) => self.gave(data),
                Err(failure) if failure.changed_nothing() => StepState::NotDone,
                // What is known stays true: it left.
                Err(_) => continue,
            };
            notes.push(self.note(path, state));
        }
        if notes.is_empty() {
            return Ok(());
        }
        let noted = self.store.note_steps(&self.turn, notes);
        if !wait {
            // What was only read can be read again.
            drop(noted);
            return Ok(());
        }
        match noted.await {
            Ok(Noted::TurnOver) => Err(self.turn_over().into()),
            // Where it could not be recorded, it is on the disk that it left: whoever resumes the run
            // asks about it.
            Ok(Noted::Kept) | Err(_) => Ok(()),
        }
    }

    /// A step got what another one gave.
    pub(super) fn served(&self, path: &str, gave: &Value) {
        self.mention(path, self.gave(gave));
    }

    pub(super) fn skipped(&self, path: &str) {
        self.mention(path, StepState::Skipped);
    }

    /// Notes what nobody has to wait for.
    fn mention(&self, path: &str, state: StepState) {
        let notes = vec![self.note(path, state)];
        drop(self.store.note_steps(&self.turn, notes));
    }

    /// The run is over.
    pub(super) async fn end(mut self, error: Option<&ResultError>) {
        self.ended = true;
        let error = error.map(|error| self.redacted(&error.message));
        // Whoever resumes it finds out how far it came.
        let _ = self.store.end_run(&self.turn, self.ending(error)).await;
    }

    /// Somebody else has the run by now.
    fn turn_over(&self) -> ResultError {
        self.lost.store(true, Ordering::Relaxed);
        let RunTurn { run, attempt } = &self.turn;
        let message = format!(
            "attempt {attempt} of run {run} is over: somebody else took the run over, or it ended"
        );
        ResultError::new(ErrorCode::Conflict, message)
    }

    fn gave(&self, value: &Value) -> StepState {
        let kept = has_no_secrets(&self.shared.redactor, value);
        StepState::Done(kept.then(|| value.clone()))
    }

    fn note(&self, path: &str, state: StepState) -> RunStep {
        RunStep {
            path: path.to_owned(),
            state,
            at: self.shared.timestamp(),
        }
    }

    fn ending(&self, error: Option<String>) -> RunEnd {
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
        if !self.ended {
            let why = "the caller did not wait for the end".to_owned();
            drop(self.store.end_run(&self.turn, self.ending(Some(why))));
        }
    }
}

/// Why a write did not leave, where the store did not take the note.
fn refused(error: &StoreError) -> Failure {
    let code = match error {
        StoreError::Refused(_) => ErrorCode::Conflict,
        _ => ErrorCode::Unknown,
    };
    let mut refused = not_sent(ResultError::new(code, error.to_string()));
    // A store that is locked, or full, may not be so for long.
    refused.error.retryable = code != ErrorCode::Conflict;
    refused
}

fn not_sent(mut error: ResultError) -> Failure {
    error.message = format!("not sent: {}", error.message);
    Failure::not_sent(error)
}

/// The same for inputs with the same fields, in whatever order.
pub(crate) fn input_hash(mut input: Value) -> String {
    input.sort_all_objects();
    fingerprint(&input)
}
