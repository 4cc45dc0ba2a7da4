//! Copies parts of schemas into other schemas.

use serde_json::{Map, Value, json};

use super::values::{DEEPEST, depth};

/// The largest size of a schema that is copied, in bytes (roughly).
const LONGEST: usize = 4 << 10;

/// Returns a part of a schema with all references resolved; `None` if that is too large.
pub(super) fn alone(document: &Value, node: &Value) -> Option<Value> {
    let mut room = LONGEST;
    let alone = inlined(document, node, 0, &mut room)?;
    (alone.is_object() && depth(&alone) <= DEEPEST).then_some(alone)
}

fn inlined(document: &Value, node: &Value, depth: usize, room: &mut usize) -> Option<Value> {
    *room = room.checked_sub(match node {
        Value::String(text) => text.len() + 2,
        _ => 4,
    })?;
    if depth > 2 * DEEPEST {
        return None;
    }
    let fields = match node {
        Value::Object(fields) => fields,
        Value::Array(items) => {
            let items = items
                .iter()
                .map(|it| inlined(document, it, depth + 1, room));
            return items.collect::<Option<Vec<_>>>().map(Value::Array);
        }
        other => return Some(other.clone()),
    };
    let mut rest = Map::new();
    let mut target = None;
    for (name, field) in fields {
        match (name.as_str(), field) {
            ("$ref", Value::String(reference)) => {
                let part = document.pointer(reference.strip_prefix('#')?)?;
                target = Some(inlined(document, part, depth + 1, room)?);
            }
            ("$defs" | "definitions", Value::Object(_)) => {}
            ("$id" | "$anchor" | "$dynamicRef" | "$dynamicAnchor", Value::String(_)) => {
                return None;
            }
            _ => {
                *room = room.checked_sub(name.len())?;
                rest.insert(name.clone(), inlined(document, field, depth + 1, room)?);
            }
        }
    }
    Some(match target {
        None => Value::Object(rest),
        Some(target) if rest.is_empty() => target,
        Some(target) => {
            rest.insert("allOf".to_owned(), json!([target]));
            Value::Object(rest)
        }
    })
}
