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
    /// How many matching requests it still lets pass.
    pub after: u32,
    /// How many more requests it hits; `None` means every one.
    pub times: Option<u32>,
    /// What it refuses is carried out all the same.
    pub applied: bool,
    #[serde(flatten)]
    pub kind: FaultKind,
}

impl Fault {
    /// A fault that hits the next request, whatever it is.
    pub fn once(kind: FaultKind) -> Self {
        Self {
            filter: Filter::default(),
            after: 0,
            times: Some(1),
            applied: false,
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

    /// Lets this many matching requests pass first.
    #[must_use]
    pub fn after(mut self, requests: u32) -> Self {
        self.after = requests;
        self
    }

    /// Carries out what it refuses: the client is told no, and it happened.
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

    /// Only requests with this GraphQL operation name, root field or alias, or this text in the REST path.
    #[must_use]
    pub fn named(mut self, name: impl Into<String>) -> Self {
        self.filter.name = Some(name.into());
        self
    }

    /// Reads the control endpoint's form: `{"kind": …, <its own fields>, "filter": {…}, "after": n, "times": n|null,
    /// "applied": true|false}`.
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

/// Takes a field out of a fault's form.
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
