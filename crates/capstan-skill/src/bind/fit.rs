//! Decides whether values of one schema are acceptable to another, and collects all reasons why not.

use capstan_schema::{Mismatch, Schema, assignable_projected};
use serde_json::{Map, Value};

use super::types::Ty;
use crate::places::{PathSegment, path_segments};

/// Why a value may not be acceptable.
#[derive(Debug)]
pub(crate) enum Misfit {
    /// Some values of its type have the wrong type.
    Never(Vec<Mismatch>),
    /// The type is right, but a bound may be exceeded. Schemas rarely state such bounds.
    Perhaps(Vec<Mismatch>),
}

pub(super) fn misfit(given: &Ty, wanted: &Ty) -> Option<Misfit> {
    between(given.schema()?, wanted.schema()?)
}

/// Returns the reasons why not everything that matches one schema matches another.
pub(crate) fn between(from: Schema<'_>, to: Schema<'_>) -> Option<Misfit> {
    assignable_projected(from, to).err()?;
    // A value that is fully known either fits or does not.
    if from.node().get("const").is_some() {
        return Some(Misfit::Never(mismatches(from, to.node().clone())));
    }
    let problems = mismatches(from, without_bounds(to.node()));
    Some(if problems.is_empty() {
        Misfit::Perhaps(mismatches(from, to.node().clone()))
    } else {
        Misfit::Never(problems)
    })
}

/// Joins all reasons into one line.
pub(super) fn reasons(mismatches: &[Mismatch]) -> String {
    let all: Vec<_> = mismatches.iter().map(ToString::to_string).collect();
    all.join("; ")
}

/// The largest number of reasons that are reported.
const MOST: usize = 20;

/// Finds every mismatch that does not depend on another: each mismatch is removed from the requirements, and
/// the schemas are compared again.
pub(super) fn mismatches(from: Schema<'_>, mut to: Value) -> Vec<Mismatch> {
    let mut found = Vec::new();
    while found.len() < MOST
        && let Err(mismatch) = assignable_projected(from, Schema::new(&to))
    {
        if found.contains(&mismatch) {
            break;
        }
        let path = path_segments(&mismatch.path);
        let is_out = if mismatch.reason.ends_with("is required") {
            allow_missing(&mut to, &path)
        } else {
            allow_anything(&mut to, &path)
        };
        found.push(mismatch);
        if !is_out {
            break;
        }
    }
    found
}

/// Makes the schema accept anything at a path. Returns false if the path does not lead through plain
/// properties and items.
fn allow_anything(schema: &mut Value, path: &[PathSegment]) -> bool {
    let (Some((step, rest)), Value::Object(keywords)) = (path.split_first(), schema) else {
        return false;
    };
    let part = match step {
        PathSegment::Property(name) => {
            let properties = keywords
                .entry("properties")
                .or_insert_with(|| Value::Object(Map::new()));
            let Value::Object(properties) = properties else {
                return false;
            };
            if rest.is_empty() {
                Some(properties.entry(name.clone()).or_insert(Value::Null))
            } else {
                properties.get_mut(name)
            }
        }
        step => element(keywords, step),
    };
    match (part, rest.is_empty()) {
        (Some(part), true) => {
            *part = Value::Bool(true);
            true
        }
        (Some(part), false) => allow_anything(part, rest),
        (None, _) => false,
    }
}

/// Makes the last property of a path optional. Returns false if that is not possible.
fn allow_missing(schema: &mut Value, path: &[PathSegment]) -> bool {
    let (Some((step, rest)), Value::Object(keywords)) = (path.split_first(), schema) else {
        return false;
    };
    if let (PathSegment::Property(name), [], Some(Value::Array(required))) =
        (step, rest, keywords.get_mut("required"))
    {
        required.retain(|it| it.as_str() != Some(name));
        return true;
    }
    let part = match step {
        PathSegment::Property(name) => keywords
            .get_mut("properties")
            .and_then(|it| it.get_mut(name)),
        step => element(keywords, step),
    };
    part.is_some_and(|part| allow_missing(part, rest))
}

fn element<'a>(keywords: &'a mut Map<String, Value>, step: &PathSegment) -> Option<&'a mut Value> {
    match step {
        PathSegment::At(index) => keywords.get_mut("prefixItems")?.get_mut(*index),
        PathSegment::Element | PathSegment::Property(_) => keywords.get_mut("items"),
    }
}

/// Keywords that restrict the values of a type without changing the type.
const BOUNDS: [&str; 13] = [
    "minimum",
    "maximum",
    "exclusiveMinimum",
    "exclusiveMaximum",
    "multipleOf",
    "minLength",
    "maxLength",
    "pattern",
    "minItems",
    "maxItems",
    "uniqueItems",
    "minProperties",
    "maxProperties",
];

fn without_bounds(schema: &Value) -> Value {
    match schema {
        Value::Array(items) => items.iter().map(without_bounds).collect(),
        Value::Object(fields) => {
            let kept = fields
                .iter()
                .filter(|(name, value)| !BOUNDS.contains(&name.as_str()) || value.is_object())
                .map(|(name, value)| (name.clone(), without_bounds(value)));
            Value::Object(kept.collect())
        }
        other => other.clone(),
    }
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    #[test]
    fn every_mismatch_is_found_at_its_place() {
        let from = json!({
            "type": "object",
            "properties": {
                "a": {"type": "string"},
                "b": {"type": "array", "items": {"type": "object", "properties": {"c": {"type": "null"}}}},
                "extra": {},
            },
        });
        let to = json!({
            "type": "object",
            "properties": {
                "a": {"type": "integer"},
                "b": {"type": "array", "items": {"type": "object", "properties": {"c": {"type": "string"}}}},
                "d": {"type": "string"},
            },
            "required": ["a", "d"],
            "additionalProperties": false,
        });
        let found = mismatches(Schema::new(&from), to);
        let mut found: Vec<_> = found.iter().map(ToString::to_string).collect();
        found.sort();
        assert_eq!(
            found,
            [
                "a: gives string where integer is needed",
                "a: may be missing, but is required",
                "b[].c: may be null",
                "d: is not given, but is required",
                "extra: may be given, but is not allowed",
            ]
        );
    }

    #[test]
    fn what_cannot_be_taken_out_is_told_once() {
        let from = json!({"type": "object", "properties": {"a": {"type": "string"}}});
        let to = json!({"allOf": [{"properties": {"a": {"type": "integer"}}}]});
        assert_eq!(mismatches(Schema::new(&from), to).len(), 1);
    }
}
