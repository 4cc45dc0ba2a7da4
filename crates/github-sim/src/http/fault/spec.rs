//! A fault: what goes wrong, for which requests, and how many times.

use serde::Serialize;
use serde::de::DeserializeOwned;
use serde_json::{Map, Value};

use super::filter::Filter;
use super::kind::FaultKind;
use crate::http::log::{Operation, Transport};

/// A fault that waits for matching requests.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct Fault {
    pub filter: Filter,
    /// The number of matching requests that it still lets pass.
    pub after: u32,
    /// The number of requests that it still hits; `None` means every matching request.
    pub times: Option<u32>,
    /// Whether the request is applied although the fault refuses it.
    pub applied: bool,
    #[serde(flatten)]
    pub kind: FaultKind,
}

impl Fault {
    /// Creates a fault that hits the next request of any kind.
    pub fn once(kind: FaultKind) -> Self {
        Self {
            filter: Filter::default(),
            after: 0,
            times: Some(1),
            applied: false,
            kind,
        }
    }

    /// Creates a fault that hits every request until the faults are cleared.
    pub fn always(kind: FaultKind) -> Self {
        Self {
            times: None,
            ..Self::once(kind)
        }
    }

    /// Limits the fault to this many requests.
    #[must_use]
    pub fn times(mut self, times: u32) -> Self {
        self.times = Some(times);
        self
    }

    /// Lets this many matching requests pass first.
    #[must_use]
    pub fn after(mut self, requests: u32) -> Self {
        self.after = requests;
        self
    }

    /// Applies the request although the fault refuses it: the client sees an error, but the change was made.
    #[must_use]
    pub fn applied(mut self) -> Self {
        self.applied = true;
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

    /// Limits the fault to requests with this operation name, root field or alias, or with this text in the REST path.
    #[must_use]
    pub fn named(mut self, name: impl Into<String>) -> Self {
        self.filter.name = Some(name.into());
        self
    }

    /// Parses the format of the control endpoint: `{"kind": …, <fields of the kind>, "filter": {…}, "after": n,
    /// "times": n|null, "applied": true|false}`.
    pub(crate) fn from_json(value: Value) -> Result<Self, String> {
        let Value::Object(mut fields) = value else {
            return Err("a fault is a JSON object".to_owned());
        };
        let filter = take(&mut fields, "filter", Filter::default())?;
        let after = take(&mut fields, "after", 0)?;
        let times = take(&mut fields, "times", Some(1))?;
        let applied = take(&mut fields, "applied", false)?;
        let kind =
            serde_json::from_value(Value::Object(fields)).map_err(|e| format!("kind: {e}"))?;
        Ok(Self {
            filter,
            after,
            times,
            applied,
            kind,
        })
    }
}

/// Removes a field from the JSON of a fault and parses it; returns `default` if it is absent.
fn take<T: DeserializeOwned>(
    fields: &mut Map<String, Value>,
    name: &str,
    default: T,
) -> Result<T, String> {
    match fields.shift_remove(name) {
        None => Ok(default),
        Some(value) => serde_json::from_value(value).map_err(|e| format!("{name}: {e}")),
    }
}
