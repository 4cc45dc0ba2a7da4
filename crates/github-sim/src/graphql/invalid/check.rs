//! Checks a document against the schema.

use super::lint::lint;
use crate::graphql::request::Request;
use crate::graphql::schema::schema;
use apollo_compiler::ExecutableDocument;
use apollo_compiler::validation::{DiagnosticList, Valid};
use serde_json::{Value, json};

/// A document ready to execute, or GitHub's errors about it.
pub(in crate::graphql) fn check(
    request: &Request,
) -> Result<Valid<ExecutableDocument>, Vec<Value>> {
    if let Some(errors) = request.syntax_errors() {
        return Err(syntax(errors));
    }
    let document = request.document();
    let (built, mut problems) = match document.to_executable(schema()) {
        Ok(built) => (built, Vec::new()),
        Err(broken) => (broken.partial, generic(&broken.errors)),
    };
    let valid = match built.validate(schema()) {
        Ok(valid) => valid,
        Err(broken) => {
            problems.extend(generic(&broken.errors));
            Valid::assume_valid(broken.partial)
        }
    };
    if problems.is_empty() {
        return Ok(valid);
    }
    let spoken = lint(schema(), document);
    Err(if spoken.is_empty() { problems } else { spoken })
}

fn syntax(errors: &DiagnosticList) -> Vec<Value> {
    let first = errors.iter().next();
    let rendered = first.map(|diagnostic| {
        let range = diagnostic.line_column_range();
        let place = range.map(|range| range.start);
        let at = place.map_or(String::new(), |at| {
            format!(" at [{}, {}]", at.line, at.column)
        });
        json!({
            "message": format!("Parse error: {}{at}", diagnostic.error),
            "locations": Vec::from_iter(place),
        })
    });
    Vec::from_iter(rendered)
}

/// What the validator found, without what GitHub lets pass.
fn generic(errors: &DiagnosticList) -> Vec<Value> {
    errors
        .iter()
        // GitHub merges fields of one name and different types; the official client relies on it.
        .filter(|diagnostic| diagnostic.error.unstable_error_name() != Some("ConflictingFieldType"))
        .map(|diagnostic| {
            let range = diagnostic.line_column_range();
            let code = match diagnostic.error.unstable_error_name() {
                Some("DisallowedVariableUsage") => Some("variableMismatch"),
                Some("ConflictingFieldName" | "ConflictingFieldArgument") => Some("fieldConflict"),
                Some("RequiredField") => Some("missingRequiredInputObjectAttribute"),
                Some("UndefinedInputValue") => Some("argumentNotAccepted"),
                Some("UnsupportedValueType" | "UndefinedEnumValue" | "IntCoercionError") => {
                    Some("argumentLiteralsIncompatible")
                }
                _ => None,
            };
            json!({
                "path": ["query"],
                "extensions": code.map_or_else(|| json!({}), |code| json!({ "code": code })),
                "locations": Vec::from_iter(range.map(|range| range.start)),
                "message": diagnostic.error.to_string(),
            })
        })
        .collect()
}
