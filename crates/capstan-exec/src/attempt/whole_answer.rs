//! Reads an answer that is taken as it is: nobody described it, so only the errors beside it say what is missing.

use serde_json::Value;

use capstan_core::card::Operation;
use capstan_core::port::{Answer, Failure, PartialError};
use capstan_core::{ErrorCode, Outcome, ResultError};

/// Returns the warnings about an answer, or the failure if it cannot be used.
///
/// A query whose parts all failed is a failure, and one of which a part failed is an answer with warnings. A mutation is
/// a failure if any of its writes failed; the failure has the answers of the others.
pub(super) fn warnings(operation: Operation, answer: &Answer) -> Result<Vec<String>, Failure> {
    let Some(first) = answer.errors.first() else {
        return Ok(Vec::new());
    };
    let parts = answer.body.as_object();
    let parts = || parts.into_iter().flat_map(|parts| parts.values());
    let has_any = parts().any(|part| !part.is_null());
    match operation {
        Operation::Read if has_any => Ok(answer.errors.iter().map(described).collect()),
        Operation::Read => Err((*first.failure).clone()),
        Operation::Write if !parts().any(Value::is_null) && has_any => {
            Ok(answer.errors.iter().map(described).collect())
        }
        Operation::Write => Err(failed_write(first, answer, has_any)),
    }
}

fn failed_write(first: &PartialError, answer: &Answer, has_any: bool) -> Failure {
    let failure = (*first.failure).clone();
    if !has_any {
        return failure;
    }
    let unknown = answer
        .errors
        .iter()
        .any(|error| error.failure.outcome != Outcome::NotApplied);
    let mut failure = failure.map_error(|error| ResultError {
        message: format!(
            "{} (at {}); other writes of the same request were applied",
            error.message,
            first.path.join(".")
        ),
        retryable: false,
        ..error.with_detail("data", answer.body.clone())
    });
    failure.outcome = if unknown {
        Outcome::Unknown
    } else {
        Outcome::Partial
    };
    failure
}

fn described(error: &PartialError) -> String {
    let message = &error.failure.error.message;
    if error.path.is_empty() {
        message.clone()
    } else {
        format!("{}: {message}", error.path.join("."))
    }
}

/// The failure of an answer without any part, if GitHub said nothing about it.
pub(super) fn is_without_result(operation: Operation, answer: &Answer) -> Option<Failure> {
    let parts = answer.body.as_object()?;
    let is_empty = !parts.is_empty() && parts.values().all(Value::is_null);
    (is_empty && answer.errors.is_empty() && operation == Operation::Write).then(|| {
        let message = "GitHub answered without a result and without an error";
        Failure::new(
            ResultError::new(ErrorCode::Server, message),
            Outcome::Unknown,
        )
    })
}
