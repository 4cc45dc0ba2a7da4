//! The values that resolvers return. They own their data, so that no resolver holds on to the world.

use crate::world::{Located, Refusal, rest_time};
use serde_json::Value;
use time::OffsetDateTime;

/// The result of a resolver: a value, `None` for a field that is not modelled and gets a default, or an error.
pub(super) type FieldResult = Result<Option<FieldValue>, ResolveError>;

/// The value of a field.
#[derive(Debug, Clone, PartialEq)]
pub(super) enum FieldValue {
    Null,
    Json(Value),
    /// An object of the world.
    Node(Located),
    /// An object with some known fields; its other fields get defaults.
    Record(Record),
    List(Vec<FieldValue>),
    /// All items of a connection, and its additional fields.
    Connection(Vec<FieldValue>, Vec<(&'static str, FieldValue)>),
}

/// An object with some known fields.
#[derive(Debug, Clone, PartialEq)]
pub(super) struct Record {
    pub(super) type_name: String,
    pub(super) fields: Vec<(&'static str, FieldValue)>,
}

/// An error with GitHub's `type`.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct ResolveError {
    pub(super) kind: &'static str,
    pub(super) message: String,
}

impl ResolveError {
    pub(super) fn new(kind: &'static str, message: impl Into<String>) -> Self {
        Self {
            kind,
            message: message.into(),
        }
    }

    pub(super) fn not_found(message: impl Into<String>) -> Self {
        Self::new("NOT_FOUND", message)
    }
}

impl From<Refusal> for ResolveError {
    fn from(refusal: Refusal) -> Self {
        let kind = match refusal {
            Refusal::NotFound(_) => "NOT_FOUND",
            Refusal::Forbidden(_) => "FORBIDDEN",
            Refusal::InsufficientScopes { .. } => "INSUFFICIENT_SCOPES",
            Refusal::Unprocessable(_)
            | Refusal::NotMergeable(_)
            | Refusal::StaleHead(_)
            | Refusal::Gone(_) => "UNPROCESSABLE",
        };
        Self::new(kind, refusal.to_string())
    }
}

impl Record {
    pub(super) fn new(type_name: impl Into<String>) -> Self {
        Self {
            type_name: type_name.into(),
            fields: Vec::new(),
        }
    }

    pub(super) fn with(mut self, name: &'static str, value: impl Into<FieldValue>) -> Self {
        self.fields.push((name, value.into()));
        self
    }
}

/// Creates an object without known fields.
pub(super) fn record(type_name: impl Into<String>) -> Record {
    Record::new(type_name)
}

/// Wraps a value as a successful result.
pub(super) fn some(value: impl Into<FieldValue>) -> FieldResult {
    Ok(Some(value.into()))
}

impl From<Record> for FieldValue {
    fn from(record: Record) -> Self {
        Self::Record(record)
    }
}

impl From<Located> for FieldValue {
    fn from(place: Located) -> Self {
        Self::Node(place)
    }
}

impl From<Value> for FieldValue {
    fn from(value: Value) -> Self {
        Self::Json(value)
    }
}

impl From<&str> for FieldValue {
    fn from(text: &str) -> Self {
        Self::Json(Value::from(text))
    }
}

impl From<String> for FieldValue {
    fn from(text: String) -> Self {
        Self::Json(Value::from(text))
    }
}

impl From<&String> for FieldValue {
    fn from(text: &String) -> Self {
        Self::Json(Value::from(text.as_str()))
    }
}

impl From<bool> for FieldValue {
    fn from(value: bool) -> Self {
        Self::Json(Value::from(value))
    }
}

impl From<u64> for FieldValue {
    fn from(value: u64) -> Self {
        Self::Json(Value::from(value))
    }
}

impl From<usize> for FieldValue {
    fn from(value: usize) -> Self {
        Self::Json(Value::from(value))
    }
}

impl From<OffsetDateTime> for FieldValue {
    fn from(at: OffsetDateTime) -> Self {
        Self::Json(Value::from(rest_time(at)))
    }
}

impl<T: Into<FieldValue>> From<Option<T>> for FieldValue {
    fn from(value: Option<T>) -> Self {
        value.map_or(Self::Null, Into::into)
    }
}

impl<T: Into<FieldValue>> From<Vec<T>> for FieldValue {
    fn from(values: Vec<T>) -> Self {
        Self::List(values.into_iter().map(Into::into).collect())
    }
}
