//! Reads the simulator's data about documented operations, and builds requests from it.

use std::io::Read as _;
use std::path::Path;

use flate2::read::GzDecoder;
use serde_json::{Map, Value, json};

/// Returns all documented operations, unpacked.
pub(super) fn operations() -> Vec<Value> {
    let file = Path::new(env!("CARGO_MANIFEST_DIR")).join("data/operations.json.gz");
    let packed = std::fs::read(file).expect("the data file");
    let mut text = String::new();
    GzDecoder::new(packed.as_slice())
        .read_to_string(&mut text)
        .expect("gzip");
    let data: Value = serde_json::from_str(&text).expect("JSON");
    let shared = data["shared"].as_array().expect("shared values");
    let operations = data["operations"].as_array().expect("operations");
    operations
        .iter()
        .map(|packed| expand(shared, packed))
        .collect()
}

/// Returns the smallest value that an input schema allows.
pub(super) fn sample(schema: &Value) -> Value {
    if let Some(allowed) = schema["enum"].as_array() {
        return allowed[0].clone();
    }
    if let Some(alternatives) = schema["anyOf"].as_array() {
        let mut value = sample(&without(schema, "anyOf"));
        let first = sample(&alternatives[0]);
        match (value.as_object_mut(), first) {
            (Some(fields), Value::Object(more)) => {
                for (name, found) in more {
                    // An alternative may require a field whose type only the whole schema knows.
                    let typed = &schema["properties"][&name];
                    let found = if typed.is_null() {
                        found
                    } else {
                        sample(typed)
                    };
                    fields.insert(name, found);
                }
                return value;
            }
            (_, first) => return first,
        }
    }
    let kind = match &schema["type"] {
        Value::Array(names) => names[0].as_str(),
        name => name.as_str(),
    };
    match kind {
        Some("string") if schema["format"] == "date" => json!("2026-01-05"),
        Some("string") => json!("example"),
        Some("integer" | "number") => json!(1),
        Some("boolean") => json!(true),
        Some("null") => Value::Null,
        Some("array") => {
            let count = schema["minItems"].as_u64().unwrap_or(0);
            (0..count).map(|_| sample(&schema["items"])).collect()
        }
        _ => {
            let required = schema["required"].as_array();
            let fields: Map<String, Value> = required
                .into_iter()
                .flatten()
                .filter_map(Value::as_str)
                .map(|name| (name.to_owned(), sample(&schema["properties"][name])))
                .collect();
            Value::Object(fields)
        }
    }
}

fn without(schema: &Value, name: &str) -> Value {
    let mut schema = schema.clone();
    schema.as_object_mut().expect("a schema").shift_remove(name);
    if schema["type"].is_null() && !schema["properties"].is_null() {
        schema["type"] = json!("object");
    }
    schema
}

fn expand(shared: &[Value], packed: &Value) -> Value {
    match packed {
        Value::Object(fields) if fields.len() == 1 && fields.contains_key("$") => {
            let index = usize::try_from(fields["$"].as_u64().expect("an index")).expect("an index");
            expand(shared, &shared[index])
        }
        Value::Object(fields) => fields
            .iter()
            .map(|(name, value)| (name.clone(), expand(shared, value)))
            .collect(),
        Value::Array(items) => items.iter().map(|item| expand(shared, item)).collect(),
        scalar => scalar.clone(),
    }
}
