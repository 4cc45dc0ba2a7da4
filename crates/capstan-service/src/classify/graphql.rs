//! Classifies the `errors` of a GraphQL answer.

use capstan_core::port::{Failure, PartialError};
use capstan_core::{ErrorCode, Outcome};
use serde_json::{Map, Value};

use super::failure::with_head;
use super::verdict::{self, Verdict};
use super::{Head, message};

/// Returns the failure for errors without data. The first represents all of them.
pub(crate) fn failure_from_errors(head: &Head, errors: &[Value]) -> Failure {
    let errors: Vec<_> = errors
        .iter()
        .map(|error| PartialError {
            failure: Box::new(failure_from_error(head, error, false)),
            path: error_path(error),
        })
        .collect();
    // If one error leaves the outcome unknown, the whole request has an unknown outcome.
    let outcomes = errors.iter().map(|error| error.failure.outcome);
    let outcome = outcomes
        .into_iter()
        .find(|outcome| *outcome != Outcome::NotApplied)
        .unwrap_or(Outcome::NotApplied);
    let too_much = errors.iter().any(|error| error.failure.too_much);
    match errors.first().map(|first| (*first.failure).clone()) {
        Some(first) => Failure {
            outcome,
            too_much,
            errors,
            ..first
        },
        None => super::invalid_body(
            head,
            "the answer has neither data nor errors",
            Outcome::Unknown,
        ),
    }
}

/// Classifies errors that come beside data. Each outcome is that of the error's own root field.
pub(crate) fn partial_errors(
    head: &Head,
    data: &Map<String, Value>,
    errors: &[Value],
) -> Vec<PartialError> {
    let classified = errors.iter().map(|error| {
        let mut failure = failure_from_error(head, error, true);
        let path = error_path(error);
        failure.outcome = match path.split_first() {
            // The field has a value, so it ran.
            Some((root, _)) if data.get(root).is_some_and(|field| !field.is_null()) => {
                Outcome::Applied
            }
            // It ran, but an error below it made it null.
            Some((_, [_, ..])) => Outcome::Unknown,
            _ => failure.outcome,
        };
        PartialError {
            failure: Box::new(failure),
            path,
        }
    });
    classified.collect()
}

fn failure_from_error(head: &Head, error: &Value, beside_data: bool) -> Failure {
    let text = error.get("message").and_then(Value::as_str);
    let text = text.map(message::tidy).filter(|text| !text.is_empty());
    let text = text.unwrap_or_else(|| "the service gave an error without a message".to_owned());
    let code = error.pointer("/extensions/code").and_then(Value::as_str);
    let mut failure = with_head(verdict(error, code, beside_data), text, head);
    if let Some(code) = code {
        failure.error.set_detail("service_code", code);
    }
    failure
}

fn verdict(error: &Value, code: Option<&str>, beside_data: bool) -> Verdict {
    if let Some(verdict) = code.and_then(verdict::graphql_code) {
        return verdict;
    }
    // The error has a place in the document but no path in the answer: the whole document was refused.
    let in_document = error.get("locations").is_some() && error.get("path").is_none();
    if in_document && !beside_data {
        return verdict::refused(ErrorCode::Validation);
    }
    verdict::unknown(ErrorCode::Unknown)
}

fn error_path(error: &Value) -> Vec<String> {
    let parts = error.get("path").and_then(Value::as_array);
    let text = |part: &Value| match part {
        Value::String(name) => name.clone(),
        other => other.to_string(),
    };
    parts.into_iter().flatten().map(text).collect()
}
