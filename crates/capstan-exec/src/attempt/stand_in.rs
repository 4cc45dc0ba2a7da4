//! Placeholders for values that only GitHub knows, for dry runs.

use serde_json::{Map, Value};

use capstan_core::expr::{Root, Segment};

use super::{Lookup, RouteScript};

/// Returns a placeholder for the result of a lookup (for one element if it fans out): every field that is read from it,
/// each with its own path as in `<$issue.id>`.
pub(super) fn stand_in(script: RouteScript<'_>, name: &str, lookup: Lookup<'_>) -> Value {
    let lookups = script.lookups();
    let others = lookups.iter().flat_map(|(_, lookup)| lookup.expressions());
    let expressions: Vec<_> = script.expressions().into_iter().chain(others).collect();
    let mut value = Value::Null;
    for path in expressions.iter().flat_map(|expr| expr.paths()) {
        if path.root == Root::Variable(name.to_owned()) {
            plant(&mut value, &path.segments, &format!("<{path}>"));
        }
    }
    match value {
        Value::Array(mut items) if lookup.each().is_some() => items.pop().unwrap_or(Value::Null),
        value => value,
    }
}

fn plant(value: &mut Value, segments: &[Segment], text: &str) {
    let Some((segment, rest)) = segments.split_first() else {
        *value = text.into();
        return;
    };
    match segment {
        Segment::Key(key) => {
            if !value.is_object() {
                *value = Value::Object(Map::new());
            }
            if let Some(fields) = value.as_object_mut() {
                plant(fields.entry(key.clone()).or_insert(Value::Null), rest, text);
            }
        }
        Segment::Each | Segment::Index(_) => {
            let mut item = value.get(0).cloned().unwrap_or(Value::Null);
            plant(&mut item, rest, text);
            *value = Value::Array(vec![item]);
        }
    }
}
