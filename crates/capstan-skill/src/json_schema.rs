//! Whether a schema is one. Nothing else here knows who validates it.

use serde_json::Value;

/// The first thing that is wrong: where, as a JSON pointer, and what.
pub(crate) fn check(schema: &Value) -> Result<(), (String, String)> {
    jsonschema::draft202012::meta::validate(schema).map_err(|error| {
        let message = format!("is no JSON Schema: {error}");
        (error.instance_path().to_string(), message)
    })
}
