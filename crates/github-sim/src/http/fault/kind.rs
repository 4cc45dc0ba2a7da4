//! What can go wrong.

use serde::{Deserialize, Serialize};
use serde_json::Value;

use crate::http::log::{Operation, SeenRequest, Transport};

/// What goes wrong.
///
/// Kinds that refuse (`status_*`, `primary_limit`, `too_many`, and for what they concern `graphql_error`,
/// `pathless_error` and `root_failure`) and the `*_before` kinds leave the world alone, unless [`Fault::applied`].
/// Kinds that spoil a 2xx answer (`truncated`, `partial_error`, `html_200`, `data_string`, `huge`, `not_json`) and
/// the `*_after` kinds do what was asked first.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(tag = "kind", deny_unknown_fields)]
pub enum FaultKind {
    /// The answer comes late; the request is otherwise treated as usual, other faults included.
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
    /// The token lacks a scope: REST 403, GraphQL 200 with `INSUFFICIENT_SCOPES`.
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
    /// `Content-Length` promises the whole body, half of it comes, then the connection ends.
    #[serde(rename = "truncated")]
    Truncated,
    /// GraphQL: one nested nullable field is null and has an error. REST: a field is missing.
    #[serde(rename = "partial_error")]
    PartialError {
        /// REST only: the field to leave out; by default one that identifies the object.
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
    /// Valid JSON of at least this many bytes.
    #[serde(rename = "huge")]
    Huge { bytes: usize },
    /// GraphQL only: an error of this type. Without `path` the whole document is refused, and there is no data.
    ///
    /// With one, everything else is answered. What the path leads to is null, or the nearest thing above it that may
    /// be; a root field is not carried out, while a path into its payload means that it was. The error says the path
    /// as it is given: it may start with `query` or `mutation`, and one that leads nowhere leaves the data whole.
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
    /// GraphQL only: an error without a path beside the data.
    #[serde(rename = "pathless_error")]
    PathlessError {
        #[serde(rename = "type")]
        error_type: String,
        message: String,
        /// The root field, by name or alias, that is null for it.
        #[serde(default)]
        name: Option<String>,
    },
    /// GraphQL only: the root fields of this name or alias fail with an internal error. The others are answered,
    /// unless the field's type is non-null: then all of the data is null.
    #[serde(rename = "root_failure")]
    RootFailure { name: String },
    /// GraphQL writes only: so many root fields are carried out, then the server gives up.
    #[serde(rename = "cut_after_writes")]
    CutAfterWrites { writes: usize, then: Cut },
    /// GraphQL only: the answer comes late, by so much for each root field. Other faults still apply.
    #[serde(rename = "slow_per_field")]
    SlowPerField { ms: u64 },
    /// GraphQL only: documents with more root fields than this get a 502, a moment later.
    #[serde(rename = "too_many")]
    TooMany { fields: usize },
}

/// How a request ends that the server gave up on.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Cut {
    Hang,
    Reset,
    /// 502 as a web page.
    #[serde(rename = "status_502")]
    Status502,
}

impl FaultKind {
    /// Whether it could do anything to this request.
    pub(super) fn concerns(&self, request: &SeenRequest) -> bool {
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

    /// Whether it concerns a part of a GraphQL answer: several of these add up.
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
