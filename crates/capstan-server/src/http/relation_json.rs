//! Relations as JSON.

use serde_json::{Value, json};

use capstan_core::code::Edge;
use capstan_core::date::rfc3339;
use capstan_engine::{KnownEdge, Relation};

/// Returns the JSON of a stored relation.
pub(super) fn stored_edge(edge: &Edge) -> Value {
    json!({
        "from_capability_id": edge.from.as_str(),
        "to_capability_id": edge.to.as_str(),
        "observed_count": edge.observed,
        "confidence_score": round_to_4_decimals(edge.confidence()),
        "edge_type": edge.kind.as_str(),
        "edge_source": edge.source.as_str(),
        "created_at": rfc3339(edge.created_at),
        "last_observed": rfc3339(edge.last_observed),
    })
}

/// Returns the JSON of a relation that is stored, or that is only declared in a skill or in code. The
/// latter has no dates, and `declared` is true.
pub(super) fn known_edge(known: &KnownEdge) -> Value {
    let mut content = stored_edge(&known.edge);
    if known.is_declared
        && let Some(fields) = content.as_object_mut()
    {
        fields.retain(|name, _| name != "created_at" && name != "last_observed");
        fields.insert("declared".to_owned(), true.into());
    }
    content
}

/// Returns the JSON of an edge of the graph. `declared` is true if it is only declared in a skill or
/// in code, and not stored.
pub(super) fn graph_edge(relation: &Relation) -> Value {
    json!({
        "from_capability_id": relation.from.as_str(),
        "to_capability_id": relation.to.as_str(),
        "observed_count": relation.observed,
        "confidence_score": round_to_4_decimals(relation.confidence()),
        "edge_type": relation.kind.as_str(),
        "edge_source": relation.source.as_str(),
        "declared": relation.declared,
    })
}

/// Rounds to four decimals, so that 0.7 × 0.8 is shown as 0.56 and not as 0.5599999999999999.
pub(super) fn round_to_4_decimals(number: f64) -> f64 {
    (number * 10_000.0).round() / 10_000.0
}
