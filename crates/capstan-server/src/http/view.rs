//! What is shown of relations.

use serde_json::{Value, json};

use capstan_core::code::Edge;
use capstan_core::date::rfc3339;
use capstan_engine::{KnownEdge, Relation};

/// One that is kept.
pub(super) fn dependency(edge: &Edge) -> Value {
    json!({
        "from_capability_id": edge.from.as_str(),
        "to_capability_id": edge.to.as_str(),
        "observed_count": edge.observed,
        "confidence_score": rounded(edge.confidence()),
        "edge_type": edge.kind.as_str(),
        "edge_source": edge.source.as_str(),
        "created_at": rfc3339(edge.created_at),
        "last_observed": rfc3339(edge.last_observed),
    })
}

/// One that is kept, or that stands in a skill or in code alone: then nobody knows since when.
pub(super) fn known_dependency(known: &KnownEdge) -> Value {
    let mut content = dependency(&known.edge);
    if let Some(fields) = content.as_object_mut().filter(|_| known.is_declared) {
        fields.retain(|name, _| name != "created_at" && name != "last_observed");
        fields.insert("declared".to_owned(), true.into());
    }
    content
}

/// One of the graph. What is declared stands in a skill or in code, and is kept nowhere else.
pub(super) fn relation(relation: &Relation) -> Value {
    json!({
        "from_capability_id": relation.from.as_str(),
        "to_capability_id": relation.to.as_str(),
        "observed_count": relation.observed,
        "confidence_score": rounded(relation.confidence()),
        "edge_type": relation.kind.as_str(),
        "edge_source": relation.source.as_str(),
        "declared": relation.declared,
    })
}

/// 0.7 times 0.8 is 0.56 for people.
pub(super) fn rounded(number: f64) -> f64 {
    (number * 10_000.0).round() / 10_000.0
}
