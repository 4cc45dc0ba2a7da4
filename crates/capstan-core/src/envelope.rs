//! The result format. Field order here is the order on the wire; absent fields are left out.

use serde::{Deserialize, Serialize};
use serde_json::Value;

use crate::code::{ConsoleLine, Mode, TraceId};
use crate::{ErrorCode, ResultError, Route, RouteReason};

/// The answer to every run of a capability.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct ResultEnvelope {
    pub ok: bool,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub data: Option<Value>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub error: Option<ResultError>,
    pub meta: ResultMeta,
}

impl ResultEnvelope {
    pub fn success(data: Value, meta: ResultMeta) -> Self {
        Self {
            ok: true,
            data: Some(data),
            error: None,
            meta,
        }
    }

    pub fn failure(error: ResultError, meta: ResultMeta) -> Self {
        Self {
            ok: false,
            data: None,
            error: Some(error.bounded()),
            meta,
        }
    }
}

/// How the result came about.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct ResultMeta {
    pub capability_id: String,
    /// The display name, for code.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub capability_name: Option<String>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub capability_fqdn: Option<String>,
    /// How it was requested, for code.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub mode: Option<Mode>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub route_used: Option<Route>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub reason: Option<RouteReason>,
    /// Set only if the caller asked for a trace.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub attempts: Option<Vec<AttemptMeta>>,
    /// Set if the capability pages.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub pagination: Option<Pagination>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub timings: Option<Timings>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub cost: Option<Cost>,
    /// The calls that code made.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub calls: Vec<CallsMade>,
    /// What code wrote to its console; set only if the caller asked for a trace, or if it failed.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub console: Vec<ConsoleLine>,
    /// The id of the trace: `capstan trace show`.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub trace_id: Option<TraceId>,
    /// What was searched, for an empty list.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub note: Option<String>,
    /// GitHub's complaints beside a complete answer.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub warnings: Vec<String>,
    /// For a read in a chain: the number of a write that comes after it in the list but happened
    /// before the read.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub later_write: Option<usize>,
    /// At most three ready-to-send calls that are likely to follow.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub next: Vec<NextCall>,
}

/// How often code called a capability.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct CallsMade {
    pub capability: String,
    pub count: u64,
    #[serde(default, skip_serializing_if = "is_zero")]
    pub failed: u64,
}

fn is_zero(count: &u64) -> bool {
    *count == 0
}

/// One attempt on one route.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct AttemptMeta {
    pub route: Route,
    pub status: AttemptStatus,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub error_code: Option<ErrorCode>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub duration_ms: Option<u64>,
    /// Why it failed or was skipped.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub detail: Option<String>,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum AttemptStatus {
    Success,
    Error,
    Skipped,
}

#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct Pagination {
    pub has_next_page: bool,
    /// The cursor to send as `after` for the next page.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub end_cursor: Option<String>,
    /// The total number of rows, if the route provides it.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub total: Option<u64>,
    /// Whether GitHub gave up before it had searched everything: more rows may match.
    #[serde(default, skip_serializing_if = "is_false")]
    pub incomplete: bool,
}

fn is_false(flag: &bool) -> bool {
    !flag
}

#[derive(Clone, Copy, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct Timings {
    pub total_ms: u64,
    /// The time that was spent waiting for GitHub.
    pub adapter_ms: u64,
}

#[derive(Clone, Copy, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct Cost {
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub tokens_in: Option<u64>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub tokens_out: Option<u64>,
}

/// A call that the caller can send unchanged.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct NextCall {
    pub capability: String,
    pub input: Value,
}
