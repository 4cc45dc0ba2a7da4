//! Faults: what can go wrong on request, for which requests, and how many times.

use std::sync::{Mutex, PoisonError};
use std::time::Duration;

use serde::{Deserialize, Serialize};
use serde_json::Value;

use super::log::{Operation, SeenRequest, Transport};

/// A fault that waits for matching requests.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct Fault {
    pub filter: Filter,
    /// How many more requests it hits; `None` means every one.
    pub times: Option<u32>,
    #[serde(flatten)]
    pub kind: FaultKind,
}

/// Which requests a fault hits; an absent part matches everything.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(default, deny_unknown_fields)]
pub struct Filter {
    #[serde(skip_serializing_if = "Option::is_none")]
    pub transport: Option<Transport>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub operation: Option<Operation>,
    /// GraphQL: the operation's name or one of its root fields. REST: part of the path.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub name: Option<String>,
}

/// What goes wrong.
///
/// Kinds that answer with a refusal (`status_*`, `primary_limit`, `graphql_error`) and the `*_before` kinds leave
/// the world alone. Kinds that spoil a 2xx answer (`truncated`, `partial_error`, `html_200`, `data_string`,
/// `huge`, `not_json`) and the `*_after` kinds do what was asked first.
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
    /// GraphQL only: an error of this type, at `path` if there is one, else without data.
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
}

impl Fault {
    /// A fault that hits the next request, whatever it is.
    pub fn once(kind: FaultKind) -> Self {
        Self {
            filter: Filter::default(),
            times: Some(1),
            kind,
        }
    }

    /// A fault that hits every request until the faults are cleared.
    pub fn always(kind: FaultKind) -> Self {
        Self {
            times: None,
            ..Self::once(kind)
        }
    }

    #[must_use]
    pub fn times(mut self, times: u32) -> Self {
        self.times = Some(times);
        self
    }

    #[must_use]
    pub fn on_graphql(mut self) -> Self {
        self.filter.transport = Some(Transport::Graphql);
        self
    }

    #[must_use]
    pub fn on_rest(mut self) -> Self {
        self.filter.transport = Some(Transport::Rest);
        self
    }

    #[must_use]
    pub fn on_reads(mut self) -> Self {
        self.filter.operation = Some(Operation::Read);
        self
    }

    #[must_use]
    pub fn on_writes(mut self) -> Self {
        self.filter.operation = Some(Operation::Write);
        self
    }

    /// Only requests with this GraphQL operation name or root field, or this text in the REST path.
    #[must_use]
    pub fn named(mut self, name: impl Into<String>) -> Self {
        self.filter.name = Some(name.into());
        self
    }

    /// Reads the control endpoint's form: `{"kind": …, <its own fields>, "filter": {…}, "times": n|null}`.
    pub(crate) fn from_json(value: Value) -> Result<Self, String> {
        let Value::Object(mut fields) = value else {
            return Err("a fault is a JSON object".to_owned());
        };
        let filter = match fields.remove("filter") {
            None => Filter::default(),
            Some(filter) => serde_json::from_value(filter).map_err(|e| format!("filter: {e}"))?,
        };
        let times = match fields.remove("times") {
            None => Some(1),
            Some(times) => serde_json::from_value(times).map_err(|e| format!("times: {e}"))?,
        };
        let kind =
            serde_json::from_value(Value::Object(fields)).map_err(|e| format!("kind: {e}"))?;
        Ok(Self {
            filter,
            times,
            kind,
        })
    }
}

impl Filter {
    fn matches(&self, request: &SeenRequest) -> bool {
        self.transport
            .is_none_or(|transport| transport == request.transport)
            && self
                .operation
                .is_none_or(|operation| operation == request.operation)
            && self
                .name
                .as_deref()
                .is_none_or(|name| match request.transport {
                    Transport::Rest => request.path.contains(name),
                    Transport::Graphql => {
                        request.operation_name.as_deref() == Some(name)
                            || request.root_fields.iter().any(|f| f == name)
                    }
                })
    }
}

impl FaultKind {
    fn concerns(&self, transport: Transport) -> bool {
        !matches!(self, Self::GraphqlError { .. }) || transport == Transport::Graphql
    }
}

/// The faults that are waiting, in the order they were injected.
#[derive(Debug, Default)]
pub(crate) struct FaultBook {
    waiting: Mutex<Vec<Fault>>,
}

/// What the faults do to one request: a delay, and at most one fault proper.
#[derive(Debug, Default)]
pub(crate) struct Struck {
    pub(crate) delay: Duration,
    pub(crate) kind: Option<FaultKind>,
}

impl FaultBook {
    pub(crate) fn inject(&self, fault: Fault) {
        self.lock().push(fault);
    }

    pub(crate) fn clear(&self) {
        self.lock().clear();
    }

    pub(crate) fn all(&self) -> Vec<Fault> {
        self.lock().clone()
    }

    /// Takes what hits this request: every matching latency, and the oldest other matching fault.
    pub(crate) fn strike(&self, request: &SeenRequest) -> Struck {
        let mut struck = Struck::default();
        let mut waiting = self.lock();
        for fault in waiting.iter_mut() {
            if fault.times == Some(0)
                || !fault.filter.matches(request)
                || !fault.kind.concerns(request.transport)
            {
                continue;
            }
            match &fault.kind {
                FaultKind::Latency { ms } => struck.delay += Duration::from_millis(*ms),
                kind if struck.kind.is_none() => struck.kind = Some(kind.clone()),
                _ => continue,
            }
            fault.times = fault.times.map(|left| left - 1);
        }
        waiting.retain(|fault| fault.times != Some(0));
        struck
    }

    fn lock(&self) -> std::sync::MutexGuard<'_, Vec<Fault>> {
        self.waiting.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

fn default_reset() -> u64 {
    60
}
