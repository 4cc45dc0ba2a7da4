//! Many operations in one call: what is asked for, and the one shape of the answer.

use serde::{Deserialize, Serialize};
use serde_json::Value;

use crate::code::TraceId;
use crate::{AttemptMeta, Cost, ErrorCode, Pagination, ResultError, Route, TaskRequest, Timings};

/// Steps that run as one call, in the order in which their results are wanted.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct ChainRequest {
    pub steps: Vec<ChainStep>,
    /// How long the whole chain may take.
    pub timeout_ms: Option<u64>,
    /// Tell how long it took.
    pub trace: bool,
    /// What the caller says it is for.
    pub intent: Option<String>,
}

/// One step. Its input may refer to earlier steps: `"$issue.data.number"`, `"$0.data.id"`.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct ChainStep {
    /// What later steps call it.
    pub name: Option<String>,
    pub request: TaskRequest,
    /// The name or number of an earlier step with a list: this step is run for each of its rows. In its input
    /// `$name.field` is then the field of the row.
    pub each: Option<String>,
    /// An expression over earlier steps: this step is run only if it holds.
    pub when: Option<String>,
}

impl ChainRequest {
    /// What one call may have at the most.
    pub const MOST_STEPS: usize = 1000;

    /// The error of a chain that is longer than that.
    pub fn too_many(steps: usize) -> ResultError {
        let most = Self::MOST_STEPS;
        let message = format!("{steps} steps are too many: expected at most {most} in one call");
        ResultError::new(ErrorCode::Validation, message)
    }
}

/// What every chain answers with. Field order is the order on the wire; absent means absent.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct ChainResultEnvelope {
    pub status: ChainStatus,
    /// In the order of the steps.
    pub results: Vec<ChainStepResult>,
    pub meta: ChainMeta,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum ChainStatus {
    /// Every step is ok.
    Success,
    /// Some are.
    Partial,
    /// None is.
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

/// What is worth telling about one step beside its result.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct ChainStepMeta {
    /// Only where it is not the chain's.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub route_used: Option<Route>,
    /// For code: its full name.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub capability_fqdn: Option<String>,
    /// Only when the caller asked for a trace.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub attempts: Option<Vec<AttemptMeta>>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub pagination: Option<Pagination>,
    /// What an empty list was searched for.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub note: Option<String>,
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub warnings: Vec<String>,
    /// For a read in a chain: the number of a write that is listed after it, and that happened before it was read.
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
    /// The route that the steps share; GraphQL as soon as one step used it.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub route_used: Option<Route>,
    pub total: usize,
    pub succeeded: usize,
    pub failed: usize,
    /// How many requests were sent, lookups and repetitions included.
    pub requests: usize,
    /// Into how many requests the work was cut, had nothing to be repeated.
    pub chunks: usize,
    /// Only when the caller asked for a trace.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub timings: Option<Timings>,
    /// Only when the caller asked for it: what the chain costs a model, estimated.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub cost: Option<Cost>,
    /// Only when the caller asked for a trace: under which it is remembered.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub trace_id: Option<TraceId>,
    /// What the caller should hear that is of no single step.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub warnings: Vec<String>,
}

impl ChainStatus {
    /// What so many successes of so many steps come to.
    pub fn of(succeeded: usize, total: usize) -> Self {
        match succeeded {
            all if all == total && total > 0 => ChainStatus::Success,
            0 => ChainStatus::Failed,
            _ => ChainStatus::Partial,
        }
    }
}
