//! Values in the form in which files and schemas have them.

use serde_json::{Map, Value, json};

/// Values that are nested deeper are not written, because the reader limits the depth of files.
pub(super) const DEEPEST: usize = 16;

/// Escapes a value for a file: a text that begins with `$` would be read as an expression.
pub(super) fn plain(value: &Value) -> Value {
    match value {
        Value::String(text) if text.starts_with('$') => format!("${text}").into(),
        Value::Array(items) => items.iter().map(plain).collect(),
        Value::Object(fields) => {
            let fields = fields.iter().map(|(name, it)| (name.clone(), plain(it)));
            Value::Object(fields.collect::<Map<_, _>>())
        }
        other => other.clone(),
    }
}

/// Returns how deeply lists and maps are nested; 0 for a plain value.
pub(super) fn depth(value: &Value) -> usize {
    match value {
        Value::Array(items) => 1 + items.iter().map(depth).max().unwrap_or(0),
        Value::Object(fields) => 1 + fields.values().map(depth).max().unwrap_or(0),
        _ => 0,
    }
}

/// Returns the type of a value as a schema; any type for null.
pub(super) fn type_of(value: &Value) -> Value {
    let name = match value {
        Value::Null => return json!({}),
        Value::Bool(_) => "boolean",
        Value::Number(number) if number.is_f64() => "number",
        Value::Number(_) => "integer",
        Value::String(_) => "string",
        Value::Array(_) => "array",
        Value::Object(_) => "object",
    };
    json!({"type": name})
}
