//! Classifies the `errors` of a GraphQL answer.

use capstan_core::port::{Failure, PartialError, Verdict};
use capstan_core::{ErrorCode, Outcome};
use serde_json::{Map, Value};

use super::failure::{rate_limit_verdict, with_head};
use super::table;
use super::{Head, wait};
use crate::message;

/// Returns the failure for errors without data. The most informative error represents all of them.
pub(crate) fn failure_from_errors(head: &Head, errors: &[Value]) -> Failure {
    let errors = errors.iter().map(|error| PartialError {
        failure: Box::new(failure_from_error(head, error, false)),
        path: PartialError::path_of(error),
    });
    Failure::from_errors(errors.collect(), |failure| rank(failure.error.code)).unwrap_or_else(
        || {
            let why = "GitHub answered with neither data nor errors";
            super::invalid_body(head, why, Outcome::Unknown)
        },
    )
}

/// Classifies errors that come beside data. Each outcome is that of the error's own root field.
pub(crate) fn partial_errors(
    head: &Head,
    data: &Map<String, Value>,
    errors: &[Value],
) -> Vec<PartialError> {
    let classified = errors.iter().map(|error| {
        let path = without_operation_type(PartialError::path_of(error), data);
        PartialError::beside_data(failure_from_error(head, error, true), path, data)
    });
    classified.collect()
}

fn failure_from_error(head: &Head, error: &Value, beside_data: bool) -> Failure {
    let message = message::from_graphql_error(error);
    let (verdict, name) = verdict(head, error, &message, beside_data);
    let mut failure = with_head(verdict, message, head);
    if let Some(name) = name {
        let details = &mut failure.error.details;
        details.insert("github_type".to_owned(), name.into());
    }
    failure
}

fn verdict<'a>(
    head: &Head,
    error: &'a Value,
    message: &str,
    beside_data: bool,
) -> (Verdict, Option<&'a str>) {
    let code = error.pointer("/extensions/code").and_then(Value::as_str);
    if let Some(name) = error.get("type").and_then(Value::as_str) {
        // GitHub reports its limits on content as bad input.
        let verdict = rate_limit_verdict(message)
            .or_else(|| table::graphql_type(name))
            .unwrap_or(table::UNKNOWN);
        return (table::reclassified(verdict, message), Some(name));
    }
    if let Some(verdict) = code.and_then(table::graphql_code) {
        return (verdict, code);
    }
    if error.pointer("/extensions/problems").is_some() {
        return (Verdict::refused(ErrorCode::Validation), code);
    }
    let words = table::words(&table::GITHUB_WORDS, message);
    if code.is_some() && !beside_data {
        // The input is probably wrong, but an unknown code does not prove that nothing ran.
        let verdict = rate_limit_verdict(message).unwrap_or(Verdict {
            outcome: Outcome::Unknown,
            ..words.unwrap_or(Verdict::refused(ErrorCode::Validation))
        });
        return (verdict, code);
    }
    if let Some(verdict) = words {
        return (verdict, code);
    }
    // The error has a location in the document but no path in the answer: GitHub refused the whole
    // document.
    let in_document = error.get("locations").is_some() && error.get("path").is_none();
    if in_document && !beside_data {
        return (Verdict::refused(ErrorCode::Validation), code);
    }
    // The failed request may itself have used up the budget, so this is a guess.
    if !beside_data && wait::budget_is_spent(head) {
        return (Verdict::unknown(ErrorCode::RateLimit), code);
    }
    (table::UNKNOWN, code)
}

/// Removes the operation type (`query` or `mutation`), with which GitHub sometimes starts a path.
fn without_operation_type(mut path: Vec<String>, data: &Map<String, Value>) -> Vec<String> {
    let is_operation_type = |root: &String| matches!(root.as_str(), "query" | "mutation");
    if path.len() > 1
        && path
            .first()
            .is_some_and(|root| is_operation_type(root) && !data.contains_key(root))
    {
        path.remove(0);
    }
    path
}

/// Ranks how well an error explains why there is no answer, best first (0). Errors about the whole
/// request come first, uninformative ones last.
fn rank(code: ErrorCode) -> u8 {
    match code {
        ErrorCode::RateLimit => 0,
        ErrorCode::Auth => 1,
        ErrorCode::AdapterUnsupported => 2,
        ErrorCode::Validation => 3,
        ErrorCode::NotFound => 4,
        ErrorCode::Conflict => 5,
        ErrorCode::Server => 6,
        _ => 7,
    }
}
