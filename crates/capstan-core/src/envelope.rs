//! The one result shape. Field order here is the order on the wire; absent means absent.

use serde::{Deserialize, Serialize};
use serde_json::Value;

use crate::code::{ConsoleLine, Mode, TraceId};
use crate::{ErrorCode, ResultError, Route, RouteReason};

/// What every run of a capability answers with.
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
    /// For code: what it is called, and its full name.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub capability_name: Option<String>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub capability_fqdn: Option<String>,
    /// For code: how it was asked for.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub mode: Option<Mode>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub route_used: Option<Route>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub reason: Option<RouteReason>,
    /// Only when the caller asked for a trace.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub attempts: Option<Vec<AttemptMeta>>,
    /// Whenever the capability pages.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub pagination: Option<Pagination>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub timings: Option<Timings>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub cost: Option<Cost>,
    /// What code called.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub calls: Vec<CallsMade>,
    /// What code wrote to its console; only when the caller asked for a trace, or it failed.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub console: Vec<ConsoleLine>,
    /// Under which it is remembered: `capstan trace show`.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub trace_id: Option<TraceId>,
    /// What an empty list was searched for.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub note: Option<String>,
    /// What GitHub complained about beside an answer that is complete.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub warnings: Vec<String>,
    /// For a read in a chain: the number of a write that is listed after it, and that happened before it was read.
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

/// One try on one route.
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
    /// Send it as `after` to get the next page.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub end_cursor: Option<String>,
    /// How many there are in all, where the route that answered knows.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub total: Option<u64>,
    /// GitHub gave up before it had looked everywhere: more may match than is listed.
    #[serde(default, skip_serializing_if = "is_false")]
    pub incomplete: bool,
}

fn is_false(flag: &bool) -> bool {
    !flag
}

#[derive(Clone, Copy, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct Timings {
    pub total_ms: u64,
    /// The part of it that was spent waiting for GitHub.
    pub adapter_ms: u64,
}

#[derive(Clone, Copy, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct Cost {
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub tokens_in: Option<u64>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub tokens_out: Option<u64>,
}

/// A call that the receiver can send as it stands.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct NextCall {
    pub capability: String,
    pub input: Value,
}
