//! Many operations in one call: what is asked for, and the one shape of the answer.

use serde::{Deserialize, Serialize};
use serde_json::Value;

use crate::code::TraceId;
use crate::run::Resumption;
use crate::{AttemptMeta, Cost, ErrorCode, Pagination, ResultError, Route, TaskRequest, Timings};

/// Steps that run as one call, in the order in which their results are wanted.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct ChainRequest {
    pub steps: Vec<ChainStep>,
    /// How long the whole chain may take.
    pub timeout_ms: Option<u64>,
    /// Tell how long it took.
    pub trace: bool,
    /// Inputs are meant as they are: nothing in them is a reference.
    pub verbatim: bool,
    /// What the caller says it is for.
    pub intent: Option<String>,
    /// The steps have nothing to do with each other: a bad one keeps none from running.
    pub apart: bool,
    /// Its results go on to other capabilities, and whoever shows them masks them: what only has the
    /// shape of a secret is left in.
    pub raw: bool,
    /// The first failure ends it: what has not left by then stays here.
    pub fail_fast: bool,
    /// Its only step is a skill that goes on where an earlier run stopped.
    pub resume: Option<Resumption>,
    /// The indices of steps that the caller repeats itself: none of their requests is repeated here.
    pub sent_once: Vec<usize>,
    /// By step: its number as the caller counts, where that is another one. Empty where it is the same for all.
    pub places: Vec<usize>,
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

    /// The number of a step as the caller counts.
    pub fn place(&self, index: usize) -> usize {
        self.places.get(index).copied().unwrap_or(index)
    }

    /// The error of a chain that is longer than that.
    pub fn too_many(steps: usize) -> ResultError {
        let most = Self::MOST_STEPS;
        let message = format!("{steps} steps are too many: expected at most {most} in one call");
        ResultError::new(ErrorCode::Validation, message)
    }

    /// The chain that is one run.
    pub fn of_one(request: TaskRequest) -> Self {
        Self {
            timeout_ms: request.options.timeout_ms,
            trace: request.options.trace,
            verbatim: true,
            intent: request.intent.clone(),
            apart: false,
            raw: false,
            fail_fast: false,
            resume: None,
            sent_once: Vec::new(),
            places: Vec::new(),
            steps: vec![ChainStep {
                request,
                ..ChainStep::default()
            }],
        }
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
