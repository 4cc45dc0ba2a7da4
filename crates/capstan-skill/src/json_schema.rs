//! Whether a schema is one. Nothing else here knows who validates it.

use serde_json::Value;

/// Something that is wrong with a schema: where, as a JSON pointer, and what.
pub(crate) type Wrong = (String, String);

/// Whether every keyword has a value that it can have.
pub(crate) fn is_valid(schema: &Value) -> bool {
    jsonschema::draft202012::meta::is_valid(schema)
}

/// Everything that is wrong, in the words of the validator.
pub(crate) fn wrongs(schema: &Value) -> Vec<Wrong> {
    let validator = jsonschema::draft202012::meta::validator();
    let errors = validator.iter_errors(schema);
    errors
        .map(|error| (error.instance_path().to_string(), error.to_string()))
        .collect()
}

/// Why a schema cannot be used although it is one: a pattern that cannot be read, a reference that leads
/// nowhere.
pub(crate) fn unusable(schema: &Value) -> Option<String> {
    let error = jsonschema::draft202012::new(schema).err()?;
    Some(error.to_string())
}
