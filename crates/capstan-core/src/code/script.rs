//! Code that was parsed, and the course of a run.

use std::collections::BTreeSet;
use std::time::Duration;

use serde::{Deserialize, Serialize};
use serde_json::Value;

use super::CodeHash;
use crate::ResultError;

/// TypeScript that was parsed and can be run.
#[derive(Clone, Debug, PartialEq)]
pub struct Script {
    pub hash: CodeHash,
    /// The code to run: the body of an async function.
    pub javascript: String,
    /// Maps places in the JavaScript to places in the TypeScript. Only the sandbox uses it.
    pub source_map: String,
    /// The capabilities that are called by name, in the order of the code.
    pub calls: Vec<CallTarget>,
    /// The JSON Schema of `args`, inferred from how the code reads them.
    pub parameters: Value,
    pub mentions: Mentions,
}

/// What code mentions, without running it: which values it can have read from a result, and which
/// are its own. Comments and types are ignored.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct Mentions {
    /// The names of properties that it reads: `issue.number`, `issue["number"]`, `const { number }
    /// = issue`.
    pub reads: BTreeSet<String>,
    /// The names of properties that it sets: `{ number: 1 }`, `issue.number = 1`.
    pub writes: BTreeSet<String>,
    /// Its texts, including those that it joins from literals.
    pub texts: BTreeSet<String>,
    /// Its numbers, by value: `0x30` and `40 + 8` are 48.
    pub numbers: Vec<f64>,
}

/// The target of a call.
#[derive(Clone, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum CallTarget {
    /// `capstan.issue.view(input)`: `issue.view`.
    Capstan(String),
    /// `mcp.files.read(input)`.
    Mcp { server: String, tool: String },
    /// `caps.name(args)`, and everything else that `execute` finds by that name.
    Caps(String),
}

impl CallTarget {
    /// Returns the name that `execute` knows.
    pub fn capability(&self) -> String {
        match self {
            CallTarget::Capstan(id) => id.clone(),
            CallTarget::Mcp { server, tool } => format!("{server}.{tool}"),
            CallTarget::Caps(name) => name.clone(),
        }
    }
}

/// A call by running code.
#[derive(Clone, Debug, PartialEq)]
pub struct ScriptCall {
    /// Unique within the run.
    pub id: u32,
    pub target: CallTarget,
    pub input: Value,
    /// How long the code waits for the answer, if it sets a limit.
    pub timeout: Option<Duration>,
}

/// The answer to a call.
#[derive(Clone, Debug, PartialEq)]
pub struct ScriptReply {
    pub id: u32,
    pub result: Result<ScriptValue, ResultError>,
}

#[derive(Clone, Debug, PartialEq)]
pub struct ScriptValue {
    pub data: Value,
    /// Values that the code can read beside the data, such as cursors.
    pub meta: Option<Value>,
}

/// The end of a run.
#[derive(Clone, Debug, PartialEq)]
pub struct ScriptEnd {
    pub result: Result<Value, ScriptError>,
    pub console: Vec<ConsoleLine>,
    /// Whether more was written than is kept.
    pub console_cut: bool,
    /// Messages for the author of the code, such as that it read one page of several.
    pub warnings: Vec<String>,
    pub usage: ScriptUsage,
    /// Reads that were in flight when the code had its result, and were dropped.
    pub dropped: Vec<String>,
}

#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct ConsoleLine {
    /// `log`, `info`, `warn`, `error` or `debug`.
    pub level: String,
    pub text: String,
}

/// The resources that a run used.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct ScriptUsage {
    pub wall: Duration,
    pub cpu: Duration,
    /// The peak memory of the engine, if it is known.
    pub memory_bytes: u64,
    pub calls: u32,
}

/// Why code could not be parsed, or ended without a result.
#[derive(Clone, Debug, PartialEq, thiserror::Error)]
#[error("{message}")]
pub struct ScriptError {
    pub kind: ScriptErrorKind,
    /// A complete sentence that says what to do.
    pub message: String,
    /// The place in the TypeScript.
    pub place: Option<Place>,
    /// The call stack, innermost first.
    pub stack: Vec<Frame>,
}

#[derive(Clone, Debug, PartialEq)]
pub enum ScriptErrorKind {
    /// It is not TypeScript.
    Syntax,
    /// It is TypeScript that is not supported: modules, decorators …
    Unsupported,
    /// The code threw. `name` is that of the error, such as `TypeError`.
    Thrown { name: String },
    /// A call failed, and the code did not catch it.
    Call(Box<ResultError>),
    /// A limit was hit.
    Limit(Stopped),
    /// The result cannot be written as JSON.
    NotJson,
    /// Too many runs at once.
    Busy,
    /// The sandbox itself failed, and the code may be correct.
    Broken,
}

/// The limit that ended a run.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Stopped {
    Wall,
    Cpu,
    Memory,
    Stack,
    Output,
    Calls,
    /// The code itself is too long or nested too deeply.
    Source,
}

/// A place in the TypeScript, counted from 1.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Place {
    pub line: u32,
    pub column: u32,
}

#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Frame {
    pub function: String,
    #[serde(flatten)]
    pub place: Place,
}

impl ScriptError {
    pub fn new(kind: ScriptErrorKind, message: impl Into<String>) -> Self {
        Self {
            kind,
            message: message.into(),
            place: None,
            stack: Vec::new(),
        }
    }

    #[must_use]
    pub fn at(mut self, place: Option<Place>) -> Self {
        self.place = place;
        self
    }
}
