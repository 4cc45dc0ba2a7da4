//! What is remembered of the run of a skill, step by step, so that it can go on after a crash.

use std::collections::HashMap;

use serde::{Deserialize, Serialize};
use serde_json::{Map, Value};

use crate::code::{Timestamp, TraceId};

/// A run that begins.
#[derive(Clone, Debug, PartialEq)]
pub struct NewRun {
    /// That of its trace, where it is all that is executed.
    pub id: TraceId,
    /// With its version.
    pub skill: String,
    /// Of the plan: another one cannot go on where this one stopped.
    pub fingerprint: String,
    /// Absent if there are secrets in it.
    pub input: Option<Map<String, Value>>,
    /// Tells whether an input that is given later is the same.
    pub input_hash: String,
    /// How many steps the plan has.
    pub total: u64,
    pub at: Timestamp,
}

/// The right to record what happens in a run. It belongs to the attempt that took the run over last;
/// an earlier attempt learns from every note that it has lost it, and sends nothing more.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct RunTurn {
    pub run: TraceId,
    /// 1 for whoever began it.
    pub attempt: u32,
}

/// The process that has the latest attempt of a run.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct RunOwner {
    /// Its number on its machine; absent for runs that were recorded before owners were.
    pub process: Option<u32>,
    /// When it began the run, or took it over.
    pub since: Timestamp,
    /// `Gone` for a run that is over: nobody has it any more.
    pub presence: Presence,
}

/// Whether a process is still there. Nothing that must be safe depends on it: it decides only whether
/// a run may be taken over without being told so.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Presence {
    Alive,
    /// It certainly ended.
    Gone,
    /// It cannot be found out from here.
    Unknown,
}

/// What became of a note.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Noted {
    Kept,
    /// The turn is over: somebody took the run over, or it ended. Of the note, only how writes ended
    /// that this very attempt had sent was kept.
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
    /// Changes with everything that is recorded about the run. A take-over names the one that it was
    /// decided on.
    pub revision: u64,
    pub owner: RunOwner,
    pub state: RunState,
    /// Why it failed.
    pub error: Option<String>,
    pub started_at: Timestamp,
    pub updated_at: Timestamp,
    /// In the order in which they were first written down. Of a run that ended well nothing is left
    /// of what they gave.
    pub steps: Vec<RunStep>,
    /// Every write that left, in the order of the attempts and then of the sending.
    pub sends: Vec<RunSend>,
}

/// One write that left, and what its own attempt learned about it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct RunSend {
    pub path: String,
    pub attempt: u32,
    /// Nothing while no answer is recorded: the write may have happened.
    pub done: Option<bool>,
    pub at: Timestamp,
}

/// What a list shows of a run.
#[derive(Clone, Debug, PartialEq)]
pub struct RunSummary {
    pub id: TraceId,
    pub skill: String,
    pub state: RunState,
    pub error: Option<String>,
    /// How many steps are over, skipped ones included.
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
    /// It never ended: it is under way, or its process is gone.
    Open,
    Ok,
    Failed,
}

/// The last that is known of a step.
#[derive(Clone, Debug, PartialEq)]
pub struct RunStep {
    /// From the top of the skill: `fetch/user-lookup`.
    pub path: String,
    pub state: StepState,
    pub at: Timestamp,
}

#[derive(Clone, Debug, PartialEq)]
pub enum StepState {
    /// A write that left. Whether it happened is not known.
    Started,
    /// It is over, and this is what it gave; nothing if that could not be kept.
    Done(Option<Value>),
    /// It failed, and certainly changed nothing.
    NotDone,
    /// It was not wanted: a condition did not hold.
    Skipped,
}

/// How a run ended.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct RunEnd {
    /// Why it failed; nothing if it did not.
    pub error: Option<String>,
    pub at: Timestamp,
}

/// A run that somebody took over, and what of it is done.
#[derive(Clone, Debug, PartialEq)]
pub struct Resumption {
    pub turn: RunTurn,
    /// By the path of a step: what it gave.
    pub done: HashMap<String, Value>,
}
