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

/// Who may write down what happens in a run: whoever took it over last. What an earlier one still
/// wants to write down is refused, so it does nothing more.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct RunTurn {
    pub run: TraceId,
    /// 1 for whoever began it.
    pub attempt: u32,
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
    pub state: RunState,
    /// Why it failed.
    pub error: Option<String>,
    pub started_at: Timestamp,
    pub updated_at: Timestamp,
    /// In the order in which they were first written down. Of a run that ended well nothing is left
    /// of what they gave.
    pub steps: Vec<RunStep>,
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
