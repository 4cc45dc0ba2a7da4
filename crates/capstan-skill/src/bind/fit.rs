//! Whether a value will do, as far as that can be known.

use capstan_schema::{Schema, assignable_projected};
use serde_json::Value;

use super::types::Ty;

/// Why a value may not do.
pub(crate) enum Misfit {
    /// There are values of its type that are wrong in kind.
    Never(String),
    /// The type is right; only bounds that schemas seldom state are not known to be kept.
    Perhaps(String),
}

pub(super) fn misfit(given: &Ty, wanted: &Ty, required: bool) -> Option<Misfit> {
    if required && !given.always {
        let reason = "it may be missing, and is required";
        return Some(Misfit::Never(reason.to_owned()));
    }
    between(given.schema()?, wanted.schema()?)
}

/// Why not everything that passes one schema passes another.
pub(crate) fn between(from: Schema<'_>, to: Schema<'_>) -> Option<Misfit> {
    let mismatch = assignable_projected(from, to).err()?;
    let reason = mismatch.to_string();
    // A value that is known whole is right or wrong.
    let is_literal = from.node().get("const").is_some();
    let without_bounds = without_bounds(to.node());
    match !is_literal && assignable_projected(from, Schema::new(&without_bounds)).is_ok() {
        true => Some(Misfit::Perhaps(reason)),
        false => Some(Misfit::Never(reason)),
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
