//! The port to the sandbox, where agents' code is parsed and run.

use std::fmt;
use std::sync::Arc;
use std::time::Duration;

use serde_json::{Map, Value};

use super::BoxFuture;
use crate::code::{Limits, Script, ScriptCall, ScriptEnd, ScriptError, ScriptReply};

pub trait Sandbox: Send + Sync {
    /// Parses TypeScript: its identity, what it calls and reads, and the JavaScript to run. Nothing
    /// is executed.
    fn read<'a>(&'a self, source: &'a str) -> BoxFuture<'a, Result<Arc<Script>, ScriptError>>;

    /// Runs parsed code. Whatever the code does, this ends within its limits. Dropping the future
    /// stops the run.
    fn run<'a>(&'a self, run: ScriptRun<'a>) -> BoxFuture<'a, ScriptEnd>;

    /// Returns how runs are isolated. It starts nothing.
    fn state(&self) -> SandboxState;
}

pub struct ScriptRun<'a> {
    pub script: &'a Script,
    /// The value that the code sees as `args`.
    pub args: &'a Map<String, Value>,
    pub limits: Limits,
    pub calls: &'a dyn ScriptCalls,
    /// How many runs wait for this one, because code can call code. A run that others wait for must
    /// not queue behind them, or all would wait for ever. So only runs at depth 0 count against the
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

/// Answers the calls of the code.
pub trait ScriptCalls: Send + Sync {
    /// Takes the calls that the code made together, before it waited for any of them. Each returned
    /// future answers some of the calls together; all of them answer all.
    fn call<'a>(&'a self, calls: Vec<ScriptCall>) -> Vec<UnderWay<'a>>;

    /// Drops a read, because its answer is no longer needed. Returns `false` if the call may write:
    /// then it goes on, and its answer is awaited.
    fn drop_read(&self, _id: u32) -> bool {
        false
    }

    /// Withdraws a call. Returns `false` if it may have written something, or still may: then it
    /// goes on, and its answer is awaited.
    fn withdraw(&self, _id: u32) -> bool {
        false
    }
}

/// Calls that are answered together.
pub type UnderWay<'a> = BoxFuture<'a, Vec<ScriptReply>>;

#[derive(Clone, Debug, PartialEq)]
pub struct SandboxState {
    pub isolation: Isolation,
    /// The layers of isolation, in words: `seccomp`, `landlock`, `memory limit` …
    pub layers: Vec<String>,
    /// What this machine lacks, and the consequences.
    pub missing: Vec<String>,
    pub limits: Limits,
    /// How many runs may compute at once.
    pub concurrency: usize,
    /// How many runs may exist at once, including those that wait for calls or timers.
    pub most_runs: usize,
    /// How long a run waits for its turn before it is refused.
    pub patience: Duration,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Isolation {
    /// Each run has a process of its own, which can be killed.
    Process,
    /// Runs share this process; native functions cannot be interrupted.
    Thread,
}
