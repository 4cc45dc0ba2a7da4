//! Which properties a schema has looked at, so that `unevaluatedProperties` does not.

use serde_json::Value;

use crate::accept::{Truth, own_covers};
use crate::budget::Budget;
use crate::lookup::list;
use crate::schema::Schema;

/// Whether a value that passes all but `unevaluatedProperties` of this schema has had this property
/// looked at. Not known where that depends on which alternatives the value passes.
pub(crate) fn covers(schema: Schema<'_>, name: &str, budget: &Budget) -> Truth {
    looks_at(schema, Some(name), budget)
}

/// Like [`covers`], of a property that no schema names.
pub(crate) fn covers_others(schema: Schema<'_>, budget: &Budget) -> Truth {
    looks_at(schema, None, budget)
}

fn looks_at(schema: Schema<'_>, name: Option<&str>, budget: &Budget) -> Truth {
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
            .deeper(|| looks_at(part, name, budget))
            .unwrap_or(Truth::Unknown)
    };
    let perhaps = |part: &Value| match whole(schema.child(part)) {
        Truth::No => Truth::No,
        Truth::Yes | Truth::Unknown => Truth::Unknown,
    };
    let mut any = match name {
        Some(name) => own_covers(keywords, name, budget),
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
