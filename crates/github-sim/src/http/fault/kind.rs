//! The kinds of faults.

use serde::{Deserialize, Serialize};
use serde_json::Value;

use crate::http::log::{Operation, SeenRequest, Transport};

/// What a fault does to a request.
///
/// Kinds that refuse (`status_*`, `primary_limit`, `too_many`, and `graphql_error`, `pathless_error` and `root_failure`
/// for the fields they name) and the `*_before` kinds do not apply the request, unless [`Fault::applied`] is set.
/// Kinds that replace or damage a 2xx response (`truncated`, `partial_error`, `html_200`, `data_string`, `huge`,
/// `not_json`) and the `*_after` kinds apply the request first.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(tag = "kind", deny_unknown_fields)]
pub enum FaultKind {
    /// Delays the response by `ms` milliseconds. Other faults still apply.
    #[serde(rename = "latency_ms")]
    Latency { ms: u64 },
    #[serde(rename = "hang_before")]
    HangBefore,
    #[serde(rename = "hang_after")]
    HangAfter,
    #[serde(rename = "reset_before")]
    ResetBefore,
    #[serde(rename = "reset_after")]
    ResetAfter,
    #[serde(rename = "status_401")]
    Status401,
    /// Reports a missing scope: REST 403, GraphQL 200 with `INSUFFICIENT_SCOPES`.
    #[serde(rename = "status_403_scope")]
    Status403Scope,
    #[serde(rename = "status_403_secondary")]
    Status403Secondary {
        #[serde(default)]
        retry_after: Option<u64>,
    },
    #[serde(rename = "status_429")]
    Status429 {
        #[serde(default)]
        retry_after: Option<u64>,
    },
    #[serde(rename = "status_500")]
    Status500,
    #[serde(rename = "status_502_html")]
    Status502Html,
    #[serde(rename = "status_503")]
    Status503,
    /// Announces the whole body in `Content-Length`, sends half of it and closes the connection.
    #[serde(rename = "truncated")]
    Truncated,
    /// GraphQL: sets one nested nullable field to null and adds an error. REST: leaves a field out.
    #[serde(rename = "partial_error")]
    PartialError {
        /// REST only: the field to leave out. By default a field that identifies the object.
        #[serde(default)]
        field: Option<String>,
    },
    #[serde(rename = "primary_limit")]
    PrimaryLimit {
        /// Seconds until the limit resets.
        #[serde(default = "default_reset")]
        reset_in: u64,
    },
    #[serde(rename = "html_200")]
    Html200,
    #[serde(rename = "data_string")]
    DataString,
    /// Responds with valid JSON of at least this many bytes.
    #[serde(rename = "huge")]
    Huge { bytes: usize },
    /// GraphQL only: an error of this type. Without `path` the whole document is refused, and the response has no data.
    ///
    /// With `path`, the other fields are executed. The value at the path becomes null, or the nearest nullable value
    /// above it. If the path is a root field, that field is not executed; if the path continues into its payload, it
    /// is. The error repeats the path as given: it may start with `query` or `mutation`. A path that matches nothing
    /// leaves the data unchanged.
    #[serde(rename = "graphql_error")]
    GraphqlError {
        #[serde(rename = "type")]
        error_type: String,
        message: String,
        #[serde(default)]
        path: Option<Vec<Value>>,
    },
    #[serde(rename = "not_json")]
    NotJson,
    /// GraphQL only: an error without a path, next to the data.
    #[serde(rename = "pathless_error")]
    PathlessError {
        #[serde(rename = "type")]
        error_type: String,
        message: String,
        /// The root field, by name or alias, that becomes null.
        #[serde(default)]
        name: Option<String>,
    },
    /// GraphQL only: the root fields with this name or alias fail with an internal error. The other fields are
    /// executed; if the type of a failing field is non-null, the whole data becomes null.
    #[serde(rename = "root_failure")]
    RootFailure { name: String },
    /// GraphQL writes only: executes this many root fields, then ends the request as `then` says.
    #[serde(rename = "cut_after_writes")]
    CutAfterWrites { writes: usize, then: Cut },
    /// GraphQL only: delays the response by `ms` milliseconds for each root field. Other faults still apply.
    #[serde(rename = "slow_per_field")]
    SlowPerField { ms: u64 },
    /// GraphQL only: responds with 502, after a short delay, to documents with more root fields than this.
    #[serde(rename = "too_many")]
    TooMany { fields: usize },
}

/// How a request ends after [`FaultKind::CutAfterWrites`].
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Cut {
    Hang,
    Reset,
    /// Status 502 with an HTML page.
    #[serde(rename = "status_502")]
    Status502,
}

impl FaultKind {
    /// Returns whether this fault can affect the request.
    pub(super) fn can_affect(&self, request: &SeenRequest) -> bool {
        let graphql = request.transport == Transport::Graphql;
        match self {
            Self::GraphqlError { .. } | Self::SlowPerField { .. } => graphql,
            Self::PathlessError { name, .. } => {
                graphql && name.as_deref().is_none_or(|name| request.has_root(name))
            }
            Self::RootFailure { name } => graphql && request.has_root(name),
            Self::CutAfterWrites { .. } => graphql && request.operation == Operation::Write,
            Self::TooMany { fields } => graphql && request.root_fields.len() > *fields,
            _ => true,
        }
    }

    /// Returns whether this fault affects a part of a GraphQL response. Several such faults can hit one request.
    pub(super) fn is_partial(&self) -> bool {
        matches!(
            self,
            Self::GraphqlError { path: Some(_), .. }
                | Self::PathlessError { .. }
                | Self::RootFailure { .. }
        )
    }
}

fn default_reset() -> u64 {
    60
}
