//! Schemas that allow properties that they do not name.

use serde_json::{Map, Value};

/// Keywords whose value is a schema or a list of schemas, except those that negate.
const SCHEMAS: [&str; 8] = [
    "items",
    "additionalProperties",
    "unevaluatedProperties",
    "unevaluatedItems",
    "contains",
    "prefixItems",
    "allOf",
    "anyOf",
];

/// Keywords whose values map names to schemas.
const NAMED: [&str; 4] = [
    "properties",
    "patternProperties",
    "$defs",
    "dependentSchemas",
];

/// Returns the schema without the keywords that forbid unnamed properties.
pub(super) fn opened(schema: &Value) -> Value {
    let Value::Object(keywords) = schema else {
        return schema.clone();
    };
    let refuses = |keyword: &str, value: &Value| {
        matches!(keyword, "additionalProperties" | "unevaluatedProperties")
            && *value == Value::Bool(false)
    };
    let kept = keywords
        .iter()
        .filter(|(keyword, value)| !refuses(keyword, value));
    let kept = kept.map(|(keyword, value)| {
        let value = match keyword.as_str() {
            name if SCHEMAS.contains(&name) => each(value),
            name if NAMED.contains(&name) => by_name(value),
            _ => value.clone(),
        };
        (keyword.clone(), value)
    });
    Value::Object(kept.collect::<Map<_, _>>())
}

fn each(value: &Value) -> Value {
    match value {
        Value::Array(schemas) => schemas.iter().map(opened).collect(),
        schema => opened(schema),
    }
}

fn by_name(value: &Value) -> Value {
    match value {
        Value::Object(schemas) => {
            let schemas = schemas
                .iter()
                .map(|(name, schema)| (name.clone(), opened(schema)));
            Value::Object(schemas.collect::<Map<_, _>>())
        }
        other => other.clone(),
    }
}
