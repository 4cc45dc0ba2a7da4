//! Many operations in one call: the request, and the format of the answer.

use serde::{Deserialize, Serialize};
use serde_json::Value;

use crate::code::TraceId;
use crate::{AttemptMeta, Cost, ErrorCode, Pagination, ResultError, Route, TaskRequest, Timings};

/// Steps that run as one call, in the order in which their results are returned.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct ChainRequest {
    pub steps: Vec<ChainStep>,
    /// The time limit of the whole chain, in milliseconds.
    pub timeout_ms: Option<u64>,
    /// Whether the answer includes timings.
    pub trace: bool,
    /// The purpose, in the caller's words.
    pub intent: Option<String>,
}

/// One step. Its input may refer to earlier steps: `"$issue.data.number"`, `"$0.data.id"`.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct ChainStep {
    /// The name by which later steps refer to it.
    pub name: Option<String>,
    pub request: TaskRequest,
    /// The name or number of an earlier step with a list: this step runs for each of its rows. In
    /// its input, `$name.field` is then the field of the row.
    pub each: Option<String>,
    /// An expression over earlier steps: this step runs only if it is true.
    pub when: Option<String>,
}

impl ChainRequest {
    /// The maximum number of steps in one call.
    pub const MOST_STEPS: usize = 1000;

    /// Returns the error for a chain with more steps.
    pub fn too_many(steps: usize) -> ResultError {
        let most = Self::MOST_STEPS;
        let message = format!("{steps} steps are too many: expected at most {most} in one call");
        ResultError::new(ErrorCode::Validation, message)
    }
}

/// The answer to every chain. Field order is the order on the wire; absent fields are left out.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct ChainResultEnvelope {
    pub status: ChainStatus,
    /// The results in the order of the steps.
    pub results: Vec<ChainStepResult>,
    pub meta: ChainMeta,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum ChainStatus {
    /// Every step succeeded.
    Success,
    /// Some steps succeeded.
    Partial,
    /// No step succeeded.
    Failed,
}

#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct ChainStepResult {
    pub task: String,
    #[serde(default, rename = "as", skip_serializing_if = "Option::is_none")]
    pub name: Option<String>,
    pub ok: bool,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub data: Option<Value>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub error: Option<ResultError>,
    #[serde(default, skip_serializing_if = "ChainStepMeta::is_empty")]
    pub meta: ChainStepMeta,
}

/// Facts about one step beside its result.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct ChainStepMeta {
    /// Set only if it differs from the route of the chain.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub route_used: Option<Route>,
    /// The full name, for code.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub capability_fqdn: Option<String>,
    /// Set only if the caller asked for a trace.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub attempts: Option<Vec<AttemptMeta>>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub pagination: Option<Pagination>,
    /// What was searched, for an empty list.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub note: Option<String>,
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub warnings: Vec<String>,
    /// For a read in a chain: the number of a write that comes after it in the list but happened
    /// before the read.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub later_write: Option<usize>,
}

impl ChainStepMeta {
    fn is_empty(&self) -> bool {
        *self == Self::default()
    }
}

#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct ChainMeta {
    /// The route that all steps share; GraphQL as soon as one step used it.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub route_used: Option<Route>,
    pub total: usize,
    pub succeeded: usize,
    pub failed: usize,
    /// The number of requests that were sent, including lookups and retries.
    pub requests: usize,
    /// The number of requests without retries.
    pub chunks: usize,
    /// Set only if the caller asked for a trace.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub timings: Option<Timings>,
    /// The estimated cost for a model; set only if the caller asked for it.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub cost: Option<Cost>,
    /// The id of the trace; set only if the caller asked for a trace.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub trace_id: Option<TraceId>,
    /// Messages for the caller that belong to no single step.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub warnings: Vec<String>,
}

impl ChainStatus {
    /// Returns the status for a number of successful steps out of all.
    pub fn of(succeeded: usize, total: usize) -> Self {
        match succeeded {
            all if all == total && total > 0 => ChainStatus::Success,
            0 => ChainStatus::Failed,
            _ => ChainStatus::Partial,
        }
    }
}
