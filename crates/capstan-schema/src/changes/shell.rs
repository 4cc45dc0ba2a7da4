//! Schemas without some of their keywords.

use serde_json::{Map, Value};

/// Remarks: keywords that let the same values pass whatever they say.
const REMARKS: [&str; 10] = [
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

/// What is compared part by part.
const PARTS: [&str; 5] = [
    "properties",
    "required",
    "items",
    "additionalProperties",
    "unevaluatedProperties",
];

/// Keywords by which a schema is made of others.
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

/// The first remark that two schemas do not share, and what it is in either.
pub(super) fn other_remark<'a>(
    old: &'a Value,
    new: &'a Value,
) -> Option<(&'static str, Option<&'a Value>, Option<&'a Value>)> {
    REMARKS
        .into_iter()
        .map(|remark| (remark, old.get(remark), new.get(remark)))
        .find(|(_, old, new)| old != new)
}

/// What a schema says besides about its parts; nothing if it is made of others.
pub(super) fn shell(node: &Value) -> Option<Value> {
    let keywords = node.as_object()?;
    if COMBINATIONS.iter().any(|it| keywords.contains_key(*it)) {
        return None;
    }
    let rest = keywords.iter().filter(|(keyword, _)| {
        !PARTS.contains(&keyword.as_str()) && !REMARKS.contains(&keyword.as_str())
    });
    let rest = rest.map(|(keyword, value)| (keyword.clone(), value.clone()));
    Some(Value::Object(rest.collect::<Map<_, _>>()))
}
