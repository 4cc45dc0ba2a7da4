//! Relations as JSON, and the fields of inputs that select them.

use serde_json::{Map, Value, json};

use capstan_core::code::{Edge, EdgeKind, EdgeSource, LONGEST_NAME};
use capstan_core::port::Direction;

use crate::KnownEdge;
use crate::local::input;

/// Returns the row of a relation.
pub(in crate::local) fn row(edge: &Edge) -> Map<String, Value> {
    let mut row = Map::new();
    row.insert("from".to_owned(), edge.from.as_str().into());
    row.insert("to".to_owned(), edge.to.as_str().into());
    row.insert("type".to_owned(), edge.kind.as_str().into());
    row.insert("source".to_owned(), edge.source.as_str().into());
    row.insert("observed".to_owned(), edge.observed.into());
    row.insert("confidence".to_owned(), edge.confidence().into());
    row
}

/// Returns the row of a relation that may be declared in a skill or in code only.
pub(in crate::local) fn known_row(known: &KnownEdge) -> Map<String, Value> {
    let mut row = row(&known.edge);
    if known.is_declared {
        row.insert("declared".to_owned(), true.into());
    }
    row
}

/// Returns the schema of a field that names a capability of any kind.
pub(in crate::local) fn capability_schema(what: &str) -> Value {
    json!({"type": "string", "minLength": 1, "maxLength": LONGEST_NAME, "description": what})
}

pub(in crate::local) fn kind_schema() -> Value {
    json!({"enum": EdgeKind::ALL.map(EdgeKind::as_str)})
}

pub(in crate::local) fn source_schema() -> Value {
    json!({"enum": EdgeSource::ALL.map(EdgeSource::as_str)})
}

pub(in crate::local) fn kind(given: &Map<String, Value>) -> Option<EdgeKind> {
    input::text(given, "type").and_then(|text| text.parse().ok())
}

pub(in crate::local) fn source(given: &Map<String, Value>) -> Option<EdgeSource> {
    input::text(given, "source").and_then(|text| text.parse().ok())
}

pub(in crate::local) fn direction(given: &Map<String, Value>) -> Direction {
    match input::text(given, "direction") {
        Some("from") => Direction::From,
        Some("to") => Direction::To,
        _ => Direction::Both,
    }
}
