//! From what a caller sent to an input that fits the card: defaults filled in, then validated.

use serde_json::{Map, Value};

use capstan_core::ResultError;
use capstan_core::card::Card;

use crate::schemas::CardSchemas;

/// The input with the schema's defaults under it, valid for the card.
pub(crate) fn prepare(
    card: &Card,
    schemas: &CardSchemas,
    given: &Map<String, Value>,
) -> Result<Value, ResultError> {
    let mut input = given.clone();
    let properties = card
        .input_schema
        .get("properties")
        .and_then(Value::as_object);
    for (name, schema) in properties.into_iter().flatten() {
        if let Some(default) = schema.get("default")
            && !input.contains_key(name)
        {
            input.insert(name.clone(), default.clone());
        }
    }
    let input = Value::Object(input);
    schemas.check_input(card, &input)?;
    Ok(input)
}
