//! Checks a document against the schema.

use super::lint::lint;
use crate::graphql::request::Request;
use crate::graphql::schema::schema;
use apollo_compiler::ExecutableDocument;
use apollo_compiler::validation::{DiagnosticList, Valid};
use serde_json::{Value, json};

/// Returns a document that can be executed, or GitHub's errors about it.
pub(in crate::graphql) fn check(
    request: &Request,
) -> Result<Valid<ExecutableDocument>, Vec<Value>> {
    if let Some(errors) = request.syntax_errors() {
        return Err(first_syntax_error(errors));
    }
    let document = request.document();
    let (built, mut problems) = match document.to_executable(schema()) {
        Ok(built) => (built, Vec::new()),
        Err(invalid) => (invalid.partial, validator_errors(&invalid.errors)),
    };
    let valid = match built.validate(schema()) {
        Ok(valid) => valid,
        Err(invalid) => {
            problems.extend(validator_errors(&invalid.errors));
            Valid::assume_valid(invalid.partial)
        }
    };
    if problems.is_empty() {
        return Ok(valid);
    }
    let github_errors = lint(schema(), document);
    Err(if github_errors.is_empty() {
        problems
    } else {
        github_errors
    })
}

fn first_syntax_error(errors: &DiagnosticList) -> Vec<Value> {
    let first = errors.iter().next();
    let rendered = first.map(|diagnostic| {
        let range = diagnostic.line_column_range();
        let position = range.map(|range| range.start);
        let at = position.map_or(String::new(), |at| {
            format!(" at [{}, {}]", at.line, at.column)
        });
        json!({
            "message": format!("Parse error: {}{at}", diagnostic.error),
            "locations": Vec::from_iter(position),
        })
    });
    Vec::from_iter(rendered)
}

/// Converts the validator's errors, except those that GitHub does not report.
fn validator_errors(errors: &DiagnosticList) -> Vec<Value> {
    errors
        .iter()
        // GitHub merges fields with the same name and different types; the official client relies on it.
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
