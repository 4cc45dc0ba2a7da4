//! A value that fits a schema of a description.

use serde_json::{Map, Value, json};

/// How deeply values are made. What is deeper is left out.
const DEPTH: usize = 4;

/// Returns a value for a schema.
pub(super) fn example(root: &Value, schema: &Value) -> Value {
    value(root, schema, DEPTH)
}

/// Follows references.
pub(super) fn resolved<'a>(root: &'a Value, mut schema: &'a Value) -> &'a Value {
    while let Some(reference) = schema["$ref"].as_str() {
        schema = root.pointer(reference.trim_start_matches('#')).unwrap();
    }
    schema
}

fn value(root: &Value, schema: &Value, depth: usize) -> Value {
    let schema = resolved(root, schema);
    for key in ["anyOf", "oneOf", "allOf"] {
        if let Some(first) = schema[key].get(0) {
            return value(root, first, depth);
        }
    }
    if let Some(first) = schema["enum"].get(0) {
        return first.clone();
    }
    match schema["type"].as_str() {
        Some("string") => json!("text"),
        Some("integer") => json!(7),
        Some("number") => json!(1.5),
        Some("boolean") => json!(true),
        Some("array") if depth == 0 => json!([]),
        Some("array") => json!([value(root, &schema["items"], depth - 1)]),
        _ => object(root, schema, depth),
    }
}

fn object(root: &Value, schema: &Value, depth: usize) -> Value {
    let required = schema["required"].as_array();
    let is_required =
        |name: &String| required.is_some_and(|all| all.iter().any(|it| it == name.as_str()));
    let fields = schema["properties"].as_object().into_iter().flatten();
    let fields = fields.filter(|(name, _)| is_required(name));
    let fields = fields.map(|(name, field)| {
        let value = if depth == 0 {
            Value::Null
        } else {
            value(root, field, depth - 1)
        };
        (name.clone(), value)
    });
    Value::Object(fields.collect::<Map<_, _>>())
}
