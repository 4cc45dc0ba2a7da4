//! Schemas without some of their keywords.

use serde_json::{Map, Value};

/// Annotations: keywords that do not influence which values match.
const ANNOTATIONS: [&str; 10] = [
    "title",
    "description",
    "default",
    "examples",
    "format",
    "deprecated",
    "readOnly",
    "writeOnly",
    "$comment",
    "$schema",
];

/// Keywords that are compared part by part.
const PARTS: [&str; 5] = [
    "properties",
    "required",
    "items",
    "additionalProperties",
    "unevaluatedProperties",
];

/// Keywords that combine schemas.
const COMBINATIONS: [&str; 9] = [
    "$ref",
    "allOf",
    "anyOf",
    "oneOf",
    "if",
    "not",
    "$dynamicRef",
    "dependentSchemas",
    "prefixItems",
];

/// Returns the first annotation in which two schemas differ, with its values.
pub(super) fn first_changed_annotation<'a>(
    old: &'a Value,
    new: &'a Value,
) -> Option<(&'static str, Option<&'a Value>, Option<&'a Value>)> {
    ANNOTATIONS
        .into_iter()
        .map(|remark| (remark, old.get(remark), new.get(remark)))
        .find(|(_, old, new)| old != new)
}

/// Returns a schema without the keywords for its parts and annotations; `None` if it combines other schemas.
pub(super) fn without_parts(node: &Value) -> Option<Value> {
    let keywords = node.as_object()?;
    if COMBINATIONS.iter().any(|it| keywords.contains_key(*it)) {
        return None;
    }
    let rest = keywords.iter().filter(|(keyword, _)| {
        !PARTS.contains(&keyword.as_str()) && !ANNOTATIONS.contains(&keyword.as_str())
    });
    let rest = rest.map(|(keyword, value)| (keyword.clone(), value.clone()));
    Some(Value::Object(rest.collect::<Map<_, _>>()))
}
