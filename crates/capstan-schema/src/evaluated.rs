//! Which properties a schema evaluates, so that `unevaluatedProperties` does not apply to them.

use serde_json::Value;

use crate::accept::{Truth, evaluates_itself};
use crate::budget::Budget;
use crate::lookup::list;
use crate::schema::Schema;

/// Whether a schema, apart from its `unevaluatedProperties`, evaluates this property of a matching value.
/// Unknown if that depends on which alternatives the value matches.
pub(crate) fn evaluates(schema: Schema<'_>, name: &str, budget: &Budget) -> Truth {
    evaluates_named(schema, Some(name), budget)
}

/// Like [`evaluates`], for a property that no schema names.
pub(crate) fn evaluates_others(schema: Schema<'_>, budget: &Budget) -> Truth {
    evaluates_named(schema, None, budget)
}

fn evaluates_named(schema: Schema<'_>, name: Option<&str>, budget: &Budget) -> Truth {
    let Some(keywords) = schema.keywords() else {
        return Truth::No;
    };
    if keywords.contains_key("additionalProperties") {
        return Truth::Yes;
    }
    if keywords.contains_key("$dynamicRef") {
        return Truth::Unknown;
    }
    let whole = |part: Schema<'_>| {
        if part.node.get("unevaluatedProperties").is_some() {
            return Truth::Yes;
        }
        budget
            .deeper(|| evaluates_named(part, name, budget))
            .unwrap_or(Truth::Unknown)
    };
    let perhaps = |part: &Value| match whole(schema.child(part)) {
        Truth::No => Truth::No,
        Truth::Yes | Truth::Unknown => Truth::Unknown,
    };
    let mut any = match name {
        Some(name) => evaluates_itself(keywords, name, budget),
        None if keywords.contains_key("patternProperties") => Truth::Unknown,
        None => Truth::No,
    };
    let mut add = |found: Truth| any = Truth::any([any, found]);
    if let Some(reference) = keywords.get("$ref") {
        let target = reference.as_str().and_then(|it| schema.resolve(it, budget));
        add(target.map_or(Truth::Unknown, whole));
    }
    for part in list(keywords, "allOf").unwrap_or(&[]) {
        add(whole(schema.child(part)));
    }
    for keyword in ["anyOf", "oneOf"] {
        for part in list(keywords, keyword).unwrap_or(&[]) {
            add(perhaps(part));
        }
    }
    for keyword in ["if", "then", "else"] {
        if let Some(part) = keywords.get(keyword) {
            add(perhaps(part));
        }
    }
    if let Some(Value::Object(parts)) = keywords.get("dependentSchemas") {
        for part in parts.values() {
            add(perhaps(part));
        }
    }
    any
}
