//! Masks secrets in failures of the routes.

use capstan_core::Redactor;
use capstan_core::port::{Answer, Failure};

/// Masks secrets in every error of a result. The body stays as it is; code that displays it masks
/// it.
pub(crate) fn result(
    redactor: &Redactor,
    mut result: Result<Answer, Failure>,
) -> Result<Answer, Failure> {
    match &mut result {
        Ok(answer) => {
            for partial in &mut answer.errors {
                redact_failure(redactor, &mut partial.failure);
            }
        }
        Err(failed) => redact_failure(redactor, failed),
    }
    result
}

fn redact_failure(redactor: &Redactor, failed: &mut Failure) {
    failed.error.redact(redactor);
    for partial in &mut failed.errors {
        partial.failure.error.redact(redactor);
    }
}
