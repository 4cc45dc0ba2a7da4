//! Classifies the `errors` of a GraphQL answer.

use capstan_core::port::{Failure, PartialError, Verdict};
use capstan_core::{ErrorCode, Outcome};
use serde_json::{Map, Value};

use super::failure::with_head;
use super::verdict;
use super::{Head, message};

/// Returns the failure for errors without data. The first represents all of them.
pub(crate) fn failure_from_errors(head: &Head, errors: &[Value]) -> Failure {
    let errors = errors.iter().map(|error| PartialError {
        failure: Box::new(failure_from_error(head, error, false)),
        path: PartialError::path_of(error),
    });
    Failure::from_errors(errors.collect(), |_| 0).unwrap_or_else(|| {
        let why = "the answer has neither data nor errors";
        super::invalid_body(head, why, Outcome::Unknown)
    })
}

/// Classifies errors that come beside data. Each outcome is that of the error's own root field.
pub(crate) fn partial_errors(
    head: &Head,
    data: &Map<String, Value>,
    errors: &[Value],
) -> Vec<PartialError> {
    let classified = errors.iter().map(|error| {
        let failure = failure_from_error(head, error, true);
        PartialError::beside_data(failure, PartialError::path_of(error), data)
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
        return Verdict::refused(ErrorCode::Validation);
    }
    Verdict::unknown(ErrorCode::Unknown)
}
