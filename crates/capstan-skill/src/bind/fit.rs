//! Whether a value will do, as far as that can be known, and everything that speaks against it.

use capstan_schema::{Mismatch, Schema, assignable_projected};
use serde_json::{Map, Value};

use super::types::Ty;
use crate::places::{Step, steps};

/// Why a value may not do.
#[derive(Debug)]
pub(crate) enum Misfit {
    /// There are values of its type that are wrong in kind.
    Never(Vec<Mismatch>),
    /// The type is right; only bounds that schemas seldom state are not known to be kept.
    Perhaps(Vec<Mismatch>),
}

pub(super) fn misfit(given: &Ty, wanted: &Ty) -> Option<Misfit> {
    between(given.schema()?, wanted.schema()?)
}

/// Why not everything that passes one schema passes another.
pub(crate) fn between(from: Schema<'_>, to: Schema<'_>) -> Option<Misfit> {
    assignable_projected(from, to).err()?;
    // A value that is known whole is right or wrong.
    if from.node().get("const").is_some() {
        return Some(Misfit::Never(mismatches(from, to.node().clone())));
    }
    let wrong = mismatches(from, without_bounds(to.node()));
    Some(match wrong.is_empty() {
        true => Misfit::Perhaps(mismatches(from, to.node().clone())),
        false => Misfit::Never(wrong),
    })
}

/// All reasons, in a line.
pub(super) fn reasons(mismatches: &[Mismatch]) -> String {
    let all: Vec<_> = mismatches.iter().map(ToString::to_string).collect();
    all.join("; ")
}

/// More reasons than anybody reads.
const MOST: usize = 20;

/// Every mismatch that is there without the others: what was found is taken out of what is needed, and the
/// question is asked again.
pub(super) fn mismatches(from: Schema<'_>, mut to: Value) -> Vec<Mismatch> {
    let mut found = Vec::new();
    while found.len() < MOST
        && let Err(mismatch) = assignable_projected(from, Schema::new(&to))
    {
        if found.contains(&mismatch) {
            break;
        }
        let path = steps(&mismatch.path);
        let is_out = match mismatch.reason.ends_with("is required") {
            true => take_out_required(&mut to, &path),
            false => take_out(&mut to, &path),
        };
        found.push(mismatch);
        if !is_out {
            break;
        }
    }
    found
}

/// Lets anything pass at a path. Not where the way to it is no plain one.
fn take_out(schema: &mut Value, path: &[Step]) -> bool {
    let (Some((step, rest)), Value::Object(keywords)) = (path.split_first(), schema) else {
        return false;
    };
    let part = match step {
        Step::Property(name) => {
            let properties = keywords
                .entry("properties")
                .or_insert_with(|| Value::Object(Map::new()));
            let Value::Object(properties) = properties else {
                return false;
            };
            match rest.is_empty() {
                true => Some(properties.entry(name.clone()).or_insert(Value::Null)),
                false => properties.get_mut(name),
            }
        }
        step => element(keywords, step),
    };
    match (part, rest.is_empty()) {
        (Some(part), true) => {
            *part = Value::Bool(true);
            true
        }
        (Some(part), false) => take_out(part, rest),
        (None, _) => false,
    }
}

/// Lets the last property of a path be missing.
fn take_out_required(schema: &mut Value, path: &[Step]) -> bool {
    let (Some((step, rest)), Value::Object(keywords)) = (path.split_first(), schema) else {
        return false;
    };
    if let (Step::Property(name), [], Some(Value::Array(required))) =
        (step, rest, keywords.get_mut("required"))
    {
        required.retain(|it| it.as_str() != Some(name));
        return true;
    }
    let part = match step {
        Step::Property(name) => keywords
            .get_mut("properties")
            .and_then(|it| it.get_mut(name)),
        step => element(keywords, step),
    };
    part.is_some_and(|part| take_out_required(part, rest))
}

fn element<'a>(keywords: &'a mut Map<String, Value>, step: &Step) -> Option<&'a mut Value> {
    match step {
        Step::At(index) => keywords.get_mut("prefixItems")?.get_mut(*index),
        Step::Element | Step::Property(_) => keywords.get_mut("items"),
    }
}

/// What narrows a type down without changing it.
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
