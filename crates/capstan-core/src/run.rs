//! The journal of a skill run, step by step, so that it can be resumed after a crash.

use std::collections::HashMap;

use serde::{Deserialize, Serialize};
use serde_json::{Map, Value};

use crate::code::{Timestamp, TraceId};

/// A new run.
#[derive(Clone, Debug, PartialEq)]
pub struct NewRun {
    /// The id of its trace, if nothing else is executed.
    pub id: TraceId,
    /// The name with its version.
    pub skill: String,
    /// The fingerprint of the plan. A run cannot be resumed with another plan.
    pub fingerprint: String,
    /// Absent if it contains secrets.
    pub input: Option<Map<String, Value>>,
    /// Shows whether an input that is given later is the same.
    pub input_hash: String,
    /// The number of steps in the plan.
    pub total: u64,
    pub at: Timestamp,
}

/// The right to record what happens in a run. It belongs to the last attempt that took over the
/// run. An earlier attempt learns at its next record that it has lost the turn, and sends nothing
/// more.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct RunTurn {
    pub run: TraceId,
    /// 1 for the attempt that began the run.
    pub attempt: u32,
}

/// The process of the latest attempt of a run.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct RunOwner {
    /// Its process id; absent for runs from before owners were recorded.
    pub process: Option<u32>,
    /// When it began or took over the run.
    pub since: Timestamp,
    /// `Gone` for a finished run, which has no owner any more.
    pub presence: Presence,
}

/// Whether a process still exists. Safety does not depend on it: it only decides whether a run may
/// be taken over without an explicit request.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Presence {
    Alive,
    /// It certainly ended.
    Gone,
    /// It cannot be determined from here.
    Unknown,
}

/// The result of recording steps.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Noted {
    Kept,
    /// The turn is over: the run was taken over, or it ended. Only the ends of writes that this
    /// attempt had sent were stored.
    TurnOver,
}

#[derive(Clone, Debug, PartialEq)]
pub struct SkillRun {
    pub id: TraceId,
    pub skill: String,
    pub fingerprint: String,
    pub input: Option<Map<String, Value>>,
    pub input_hash: String,
    pub total: u64,
    pub attempt: u32,
    /// Changes with every record about the run. A take-over names the revision on which it was
    /// decided.
    pub revision: u64,
    pub owner: RunOwner,
    pub state: RunState,
    /// Why it failed.
    pub error: Option<String>,
    pub started_at: Timestamp,
    pub updated_at: Timestamp,
    /// The steps in the order in which they were first recorded. After a successful run their
    /// outputs are deleted.
    pub steps: Vec<RunStep>,
    /// Every write that was sent, in the order of the attempts and then of sending.
    pub sends: Vec<RunSend>,
}

/// One write that was sent, and what its own attempt learned about it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct RunSend {
    pub path: String,
    pub attempt: u32,
    /// `None` while no answer is recorded: the write may have happened.
    pub done: Option<bool>,
    pub at: Timestamp,
}

/// The fields of a run that a list shows.
#[derive(Clone, Debug, PartialEq)]
pub struct RunSummary {
    pub id: TraceId,
    pub skill: String,
    pub state: RunState,
    pub error: Option<String>,
    /// The number of finished steps, including skipped ones.
    pub done: u64,
    pub total: u64,
    pub attempt: u32,
    pub owner: RunOwner,
    pub started_at: Timestamp,
    pub updated_at: Timestamp,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum RunState {
    /// It has not ended: it is running, or its process is gone.
    Open,
    Ok,
    Failed,
}

/// The last known state of a step.
#[derive(Clone, Debug, PartialEq)]
pub struct RunStep {
    /// The path from the top of the skill: `fetch/user-lookup`.
    pub path: String,
    pub state: StepState,
    pub at: Timestamp,
}

#[derive(Clone, Debug, PartialEq)]
pub enum StepState {
    /// A write that was sent. It is unknown whether it happened.
    Started,
    /// It ended with this output; `None` if the output could not be stored.
    Done(Option<Value>),
    /// It failed, and certainly changed nothing.
    NotDone,
    /// It was skipped because a condition was false.
    Skipped,
}

/// The end of a run.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct RunEnd {
    /// Why it failed; `None` if it succeeded.
    pub error: Option<String>,
    pub at: Timestamp,
}

/// A run that was taken over, and its finished steps.
#[derive(Clone, Debug, PartialEq)]
pub struct Resumption {
    pub turn: RunTurn,
    /// The output of each finished step, by its path.
    pub done: HashMap<String, Value>,
}
