//! What a caller asks for: a capability, its input, and how to run it.

use serde::{Deserialize, Serialize};
use serde_json::{Map, Value};

use crate::Route;

/// One thing to run.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct TaskRequest {
    pub capability: String,
    pub input: Map<String, Value>,
    pub options: Options,
    /// What the caller says it is for.
    pub intent: Option<String>,
}

/// Code to run.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct CodeRequest {
    /// What it is for. It becomes the description of the capability.
    pub intent: String,
    /// TypeScript.
    pub code: String,
    /// What it sees as `args`.
    pub args: Map<String, Value>,
    pub options: Options,
}

/// How to run it and how to shape the answer. The defaults suit an agent.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields, default)]
pub struct Options {
    /// Use this route and no other.
    pub route: Option<Route>,
    /// Include every attempt in `meta.attempts`.
    pub trace: bool,
    /// Do not cut long texts.
    pub full: bool,
    /// Keep only these fields of the data (of each row, for a list).
    pub fields: Option<Vec<String>>,
    /// The text form of the answer.
    pub format: Option<Format>,
    /// How long the whole run may take.
    pub timeout_ms: Option<u64>,
    /// Estimate in `meta.cost` what the call costs a model.
    pub cost: bool,
    /// For a list: read all pages, up to `limit` rows.
    pub all: bool,
    /// For a list: how many rows are wanted at most, where that is more than a page has.
    pub limit: Option<u64>,
    /// For a list: an expression over a row; only rows of which it holds are kept.
    #[serde(rename = "where")]
    pub condition: Option<String>,
}

/// The text form of an answer.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Format {
    Json,
    Toon,
}
