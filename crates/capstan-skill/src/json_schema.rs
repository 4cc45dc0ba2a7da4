//! Validates JSON Schemas. No other module knows the validator.

use serde_json::Value;

/// A problem in a schema: its place as a JSON pointer, and its description.
pub(crate) type SchemaProblem = (String, String);

/// Whether every keyword has an allowed value.
pub(crate) fn is_valid(schema: &Value) -> bool {
    jsonschema::draft202012::meta::is_valid(schema)
}

/// Returns all problems, in the words of the validator.
pub(crate) fn problems(schema: &Value) -> Vec<SchemaProblem> {
    let validator = jsonschema::draft202012::meta::validator();
    let errors = validator.iter_errors(schema);
    errors
        .map(|error| (error.instance_path().to_string(), error.to_string()))
        .collect()
}

/// Returns why a valid schema cannot be used: a pattern that cannot be parsed, or a reference without a
/// target.
pub(crate) fn unusable_reason(schema: &Value) -> Option<String> {
    let error = jsonschema::draft202012::new(schema).err()?;
    Some(error.to_string())
}
