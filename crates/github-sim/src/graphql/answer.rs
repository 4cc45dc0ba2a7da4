//! What resolvers answer: values that own everything, so that no resolver holds on to the world.

use crate::world::{Located, Refusal, rest_time};
use serde_json::Value;
use time::OffsetDateTime;

/// What a resolver says: a value, `None` for "not modelled, take the default", or a failure.
pub(super) type Answer = Result<Option<Val>, Failure>;

/// The value of a field.
#[derive(Debug, Clone, PartialEq)]
pub(super) enum Val {
    Null,
    Json(Value),
    /// Something in the world.
    Node(Located),
    /// An object with some known fields; its other fields are defaults.
    Record(Record),
    List(Vec<Val>),
    /// All items of a connection, and its fields beside them.
    Connection(Vec<Val>, Vec<(&'static str, Val)>),
}

#[derive(Debug, Clone, PartialEq)]
pub(super) struct Record {
    pub(super) type_name: String,
    pub(super) fields: Vec<(&'static str, Val)>,
}

/// An error with GitHub's `type`.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct Failure {
    pub(super) kind: &'static str,
    pub(super) message: String,
}

impl Failure {
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

impl From<Refusal> for Failure {
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

    pub(super) fn with(mut self, name: &'static str, value: impl Into<Val>) -> Self {
        self.fields.push((name, value.into()));
        self
    }
}

/// An object of which nothing but the type is known.
pub(super) fn record(type_name: impl Into<String>) -> Record {
    Record::new(type_name)
}

/// The usual successful answer.
pub(super) fn some(value: impl Into<Val>) -> Answer {
    Ok(Some(value.into()))
}

impl From<Record> for Val {
    fn from(record: Record) -> Self {
        Self::Record(record)
    }
}

impl From<Located> for Val {
    fn from(place: Located) -> Self {
        Self::Node(place)
    }
}

impl From<Value> for Val {
    fn from(value: Value) -> Self {
        Self::Json(value)
    }
}

impl From<&str> for Val {
    fn from(text: &str) -> Self {
        Self::Json(Value::from(text))
    }
}

impl From<String> for Val {
    fn from(text: String) -> Self {
        Self::Json(Value::from(text))
    }
}

impl From<&String> for Val {
    fn from(text: &String) -> Self {
        Self::Json(Value::from(text.as_str()))
    }
}

impl From<bool> for Val {
    fn from(value: bool) -> Self {
        Self::Json(Value::from(value))
    }
}

impl From<u64> for Val {
    fn from(value: u64) -> Self {
        Self::Json(Value::from(value))
    }
}

impl From<usize> for Val {
    fn from(value: usize) -> Self {
        Self::Json(Value::from(value))
    }
}

impl From<OffsetDateTime> for Val {
    fn from(at: OffsetDateTime) -> Self {
        Self::Json(Value::from(rest_time(at)))
    }
}

impl<T: Into<Val>> From<Option<T>> for Val {
    fn from(value: Option<T>) -> Self {
        value.map_or(Self::Null, Into::into)
    }
}

impl<T: Into<Val>> From<Vec<T>> for Val {
    fn from(values: Vec<T>) -> Self {
        Self::List(values.into_iter().map(Into::into).collect())
    }
}
