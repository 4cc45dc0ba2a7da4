//! The variables of a request, coerced to their declared types.

use super::schema::schema;
use apollo_compiler::ExecutableDocument;
use apollo_compiler::executable::Operation;
use apollo_compiler::request::coerce_variable_values;
use apollo_compiler::response::{JsonMap, JsonValue};
use apollo_compiler::validation::Valid;
use serde_json::{Value, json};

/// Returns the coerced variables of an operation, or GitHub's error about the first that does not fit.
pub(super) fn variables(
    document: &ExecutableDocument,
    operation: &Operation,
    given: &Value,
) -> Result<Valid<JsonMap>, Vec<Value>> {
    let given = match JsonValue::from(given.clone()) {
        JsonValue::Object(map) => map,
        _ => JsonMap::new(),
    };
    coerce_variable_values(schema(), operation, &given).map_err(|error| {
        let error_with_name = first_invalid_variable(document, operation, &given);
        vec![error_with_name.unwrap_or_else(|| json!({ "message": error.message().to_string() }))]
    })
}

/// Returns GitHub's error about the first variable that cannot be coerced. The engine's error does not name it.
fn first_invalid_variable(
    document: &ExecutableDocument,
    operation: &Operation,
    given: &JsonMap,
) -> Option<Value> {
    let mut with_one_variable = operation.clone();
    for definition in &operation.variables {
        with_one_variable.variables = vec![definition.clone()];
        let Err(error) = coerce_variable_values(schema(), &with_one_variable, given) else {
            continue;
        };
        let name = definition.name.as_str();
        let value = given.get(name).map_or(Value::Null, |value| {
            serde_json::to_value(value).unwrap_or_default()
        });
        let explanation = if value.is_null() {
            "Expected value to not be null".to_owned()
        } else {
            error.message().to_string()
        };
        let location = definition.location();
        let position = location.and_then(|span| span.line_column(&document.sources));
        return Some(json!({
            "message": format!(
                "Variable ${name} of type {} was provided invalid value",
                definition.ty
            ),
            "locations": Vec::from_iter(position),
            "extensions": {
                "value": value,
                "problems": [{ "path": [], "explanation": explanation }],
            },
        }));
    }
    None
}
