//! The graph as JSON.

use serde_json::{Value, json};

use capstan_core::code::EdgeKind;

use crate::Relation;
use crate::local::input;

pub(super) fn row(edge: &Relation) -> Value {
    json!({
        "from": edge.from.as_str(),
        "to": edge.to.as_str(),
        "type": edge.kind.as_str(),
        "source": edge.source.as_str(),
        "observed": edge.observed,
        "confidence": rounded(edge.confidence()),
    })
}

pub(super) fn kinds(given: &serde_json::Map<String, Value>) -> Vec<EdgeKind> {
    let one = input::text(given, "type").and_then(|text| text.parse().ok());
    one.into_iter().collect()
}

/// Rounds to nine decimal places, because ranks in a large graph are small.
pub(super) fn rounded(number: f64) -> f64 {
    (number * 1e9).round() / 1e9
}
