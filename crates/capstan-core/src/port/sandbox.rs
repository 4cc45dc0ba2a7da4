//! The port to the place where agents' code is read and run.

use std::fmt;
use std::sync::Arc;
use std::time::Duration;

use serde_json::{Map, Value};

use super::BoxFuture;
use crate::code::{Limits, Script, ScriptCall, ScriptEnd, ScriptError, ScriptReply};

pub trait Sandbox: Send + Sync {
    /// Reads TypeScript: its identity, what it calls and reads, and what is run in the end.
    /// Nothing of it is run.
    fn read<'a>(&'a self, source: &'a str) -> BoxFuture<'a, Result<Arc<Script>, ScriptError>>;

    /// Runs what was read. Whatever the code does, this ends within its limits. Dropping the future
    /// stops the run.
    fn run<'a>(&'a self, run: ScriptRun<'a>) -> BoxFuture<'a, ScriptEnd>;

    /// How runs are kept apart from everything else. Starts nothing.
    fn state(&self) -> SandboxState;
}

pub struct ScriptRun<'a> {
    pub script: &'a Script,
    /// What the code sees as `args`.
    pub args: &'a Map<String, Value>,
    pub limits: Limits,
    pub calls: &'a dyn ScriptCalls,
    /// How many runs wait for this one: code can call code. A run that others wait for must not
    /// queue behind them, or all would wait for ever: only those at 0 count against the
    /// concurrency; the engine bounds the depth.
    pub depth: u32,
}

impl fmt::Debug for ScriptRun<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("ScriptRun")
            .field("hash", &self.script.hash)
            .field("limits", &self.limits)
            .finish_non_exhaustive()
    }
}

/// Who answers what the code calls.
pub trait ScriptCalls: Send + Sync {
    /// Takes the calls that the code made in one go, before it waited for any of them. What can be
    /// answered together is one future; each answers some of the calls, all of them answer all.
    fn call<'a>(&'a self, calls: Vec<ScriptCall>) -> Vec<UnderWay<'a>>;

    /// Drops a call that only reads, because nobody waits for its answer any more. `false` if it may
    /// write something: then it goes on, and its answer is waited for.
    fn drop_read(&self, _id: u32) -> bool {
        false
    }

    /// Withdraws a call. `false` if it may have written something already, or may still: then it goes
    /// on, and its answer is waited for.
    fn withdraw(&self, _id: u32) -> bool {
        false
    }
}

/// Calls that are being answered together.
pub type UnderWay<'a> = BoxFuture<'a, Vec<ScriptReply>>;

#[derive(Clone, Debug, PartialEq)]
pub struct SandboxState {
    pub isolation: Isolation,
    /// What holds a run in, in words: `seccomp`, `landlock`, `memory limit` …
    pub layers: Vec<String>,
    /// What this machine lacks, and what follows from it.
    pub missing: Vec<String>,
    pub limits: Limits,
    /// How many runs may compute at once.
    pub concurrency: usize,
    /// How many runs there may be at once, those included that wait for calls or timers.
    pub most_runs: usize,
    /// How long a run waits for its turn before it is refused.
    pub patience: Duration,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Isolation {
    /// Runs happen in processes of their own, which can be killed.
    Process,
    /// Runs happen inside this process; native functions cannot be interrupted.
    Thread,
}
