//! Fields of an answer, by the names that callers know for them.

use serde_json::{Map, Value};

use capstan_core::card::Card;

use crate::names::snake_case;

/// The card's own name of a field: what the card says that another name means (`statusCheckRollup` is `checks`), or
/// another spelling of its own (`createdAt` is `created_at`).
pub fn own_field(card: &Card, name: &str) -> String {
    let stated = &card.line.fields;
    if let Some(own) = stated.get(name) {
        return own.clone();
    }
    let parts = name.split('.');
    let known = parts.map(|part| {
        if is_field(&card.output_schema, part) {
            part.to_owned()
        } else {
            snake_case(part)
        }
    });
    let known = known.collect::<Vec<_>>().join(".");
    let is_known = known.split('.').all(|it| is_field(&card.output_schema, it));
    let mut stated = stated.iter();
    match stated.find(|(other, _)| !is_known && snake_case(other) == known) {
        Some((_, own)) => own.clone(),
        None => known,
    }
}

/// Whether there is a field of this name anywhere; everything may be one where nothing is described.
fn is_field(schema: &Value, name: &str) -> bool {
    fn has(schema: &Value, name: &str) -> bool {
        match schema {
            Value::Object(words) => {
                let properties = words.get("properties").and_then(Value::as_object);
                properties.is_some_and(|it| it.contains_key(name))
                    || words.values().any(|it| has(it, name))
            }
            Value::Array(schemas) => schemas.iter().any(|it| has(it, name)),
            _ => false,
        }
    }
    schema.as_object().is_none_or(Map::is_empty) || has(schema, name)
}
