//! Completes an input: normalizes whole numbers, and fills in the schema's defaults.

use serde_json::Value;

use capstan_core::card::Card;

use crate::integers;

/// Returns the input with the schema's defaults for missing fields.
pub fn with_defaults(card: &Card, mut input: Value) -> Value {
    integers::normalize(&mut input);
    let properties = card
        .input_schema
        .get("properties")
        .and_then(Value::as_object);
    let Some(fields) = input.as_object_mut() else {
        return input;
    };
    for (name, schema) in properties.into_iter().flatten() {
        if let Some(default) = schema.get("default")
            && !fields.contains_key(name)
        {
            fields.insert(name.clone(), default.clone());
        }
    }
    input
}
