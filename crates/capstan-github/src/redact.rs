//! Keeps secrets out of what the routes say about failures.

use capstan_core::Redactor;
use capstan_core::port::{Answer, Failure};

/// Masks secrets in every error of a result. The body is data; whoever shows it masks it.
pub(crate) fn result(
    redactor: &Redactor,
    mut result: Result<Answer, Failure>,
) -> Result<Answer, Failure> {
    match &mut result {
        Ok(answer) => {
            for partial in &mut answer.errors {
                failure(redactor, &mut partial.failure);
            }
        }
        Err(failed) => failure(redactor, failed),
    }
    result
}

fn failure(redactor: &Redactor, failed: &mut Failure) {
    failed.error.redact(redactor);
    for partial in &mut failed.errors {
        partial.failure.error.redact(redactor);
    }
}
