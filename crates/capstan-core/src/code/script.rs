//! Code that was read, and how a run of it goes.

use std::collections::BTreeSet;
use std::time::Duration;

use serde::{Deserialize, Serialize};
use serde_json::Value;

use super::CodeHash;
use crate::ResultError;

/// TypeScript that was read and can be run.
#[derive(Clone, Debug, PartialEq)]
pub struct Script {
    pub hash: CodeHash,
    /// What is run: the body of an async function.
    pub javascript: String,
    /// From places in the JavaScript to places in the TypeScript; the sandbox's own business.
    pub source_map: String,
    /// The capabilities that are called by name, in the order in which they stand in the code.
    pub calls: Vec<CallTarget>,
    /// The JSON Schema of `args`, from how the code reads them.
    pub parameters: Value,
    pub mentions: Mentions,
}

/// What code says about values without being run: which of them it can have read from a result, and which it has of
/// its own. Comments and types are not looked at.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct Mentions {
    /// The names of properties that it reads: `issue.number`, `issue["number"]`, `const { number } = issue`.
    pub reads: BTreeSet<String>,
    /// The names of properties that it sets: `{ number: 1 }`, `issue.number = 1`.
    pub writes: BTreeSet<String>,
    /// Its texts, those included that it joins of literals.
    pub texts: BTreeSet<String>,
    /// Its numbers, by value: `0x30` and `40 + 8` are 48.
    pub numbers: Vec<f64>,
}

/// What code can call.
#[derive(Clone, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum CallTarget {
    /// `capstan.issue.view(input)`: `issue.view`.
    Capstan(String),
    /// `mcp.files.read(input)`.
    Mcp { server: String, tool: String },
    /// `caps.name(args)`, and whatever else `execute` finds by that name.
    Caps(String),
}

impl CallTarget {
    /// As `execute` knows it.
    pub fn capability(&self) -> String {
        match self {
            CallTarget::Capstan(id) => id.clone(),
            CallTarget::Mcp { server, tool } => format!("{server}.{tool}"),
            CallTarget::Caps(name) => name.clone(),
        }
    }
}

/// A call that running code makes.
#[derive(Clone, Debug, PartialEq)]
pub struct ScriptCall {
    /// Unique within the run.
    pub id: u32,
    pub target: CallTarget,
    pub input: Value,
    /// How long the code waits for the answer, where it says so.
    pub timeout: Option<Duration>,
}

/// What the code is told about a call.
#[derive(Clone, Debug, PartialEq)]
pub struct ScriptReply {
    pub id: u32,
    pub result: Result<ScriptValue, ResultError>,
}

#[derive(Clone, Debug, PartialEq)]
pub struct ScriptValue {
    pub data: Value,
    /// What the code can read beside the data, such as cursors.
    pub meta: Option<Value>,
}

/// How a run ended.
#[derive(Clone, Debug, PartialEq)]
pub struct ScriptEnd {
    pub result: Result<Value, ScriptError>,
    pub console: Vec<ConsoleLine>,
    /// More was written than is kept.
    pub console_cut: bool,
    /// What whoever wrote the code should hear, such as that it read one page of several.
    pub warnings: Vec<String>,
    pub usage: ScriptUsage,
    /// Calls that only read and that were under way when the code had its result: they were dropped.
    pub dropped: Vec<String>,
}

#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct ConsoleLine {
    /// `log`, `info`, `warn`, `error` or `debug`.
    pub level: String,
    pub text: String,
}

/// What a run took.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct ScriptUsage {
    pub wall: Duration,
    pub cpu: Duration,
    /// The most that the engine had allocated, where it is known.
    pub memory_bytes: u64,
    pub calls: u32,
}

/// Why code could not be read, or did not end with a result.
#[derive(Clone, Debug, PartialEq, thiserror::Error)]
#[error("{message}")]
pub struct ScriptError {
    pub kind: ScriptErrorKind,
    /// In words that follow nothing and say what to do.
    pub message: String,
    /// Where in the TypeScript.
    pub place: Option<Place>,
    /// How it got there, innermost first.
    pub stack: Vec<Frame>,
}

#[derive(Clone, Debug, PartialEq)]
pub enum ScriptErrorKind {
    /// It is no TypeScript.
    Syntax,
    /// It is TypeScript that is not run here: modules, decorators …
    Unsupported,
    /// The code threw. `name` is that of the error, such as `TypeError`.
    Thrown { name: String },
    /// A call failed, and the code did not catch it.
    Call(Box<ResultError>),
    /// A limit was hit.
    Limit(Stopped),
    /// The result is nothing that JSON can say.
    NotJson,
    /// Too many runs at once.
    Busy,
    /// The sandbox itself failed; the code may be innocent.
    Broken,
}

/// Which limit ended a run.
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
