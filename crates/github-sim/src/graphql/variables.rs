//! The variables of a request, coerced to their declared types.

use super::schema::schema;
use apollo_compiler::ExecutableDocument;
use apollo_compiler::executable::Operation;
use apollo_compiler::request::coerce_variable_values;
use apollo_compiler::response::{JsonMap, JsonValue};
use apollo_compiler::validation::Valid;
use serde_json::{Value, json};

/// The values that an operation runs with, or GitHub's error about the first that does not fit.
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
        let named = first_wrong(document, operation, &given);
        vec![named.unwrap_or_else(|| json!({ "message": error.message().to_string() }))]
    })
}

/// GitHub's error about the first variable that cannot be coerced, which the engine does not name.
fn first_wrong(
    document: &ExecutableDocument,
    operation: &Operation,
    given: &JsonMap,
) -> Option<Value> {
    let mut alone = operation.clone();
    for definition in &operation.variables {
        alone.variables = vec![definition.clone()];
        let Err(error) = coerce_variable_values(schema(), &alone, given) else {
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
        let place = location.and_then(|span| span.line_column(&document.sources));
        return Some(json!({
            "message": format!(
                "Variable ${name} of type {} was provided invalid value",
                definition.ty
            ),
            "locations": Vec::from_iter(place),
            "extensions": {
                "value": value,
                "problems": [{ "path": [], "explanation": explanation }],
            },
        }));
    }
    None
}
