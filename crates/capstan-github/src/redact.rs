//! Masks secrets in results of the routes.

use capstan_core::Redactor;
use capstan_core::port::{Answer, Failure};

/// Masks secrets in every error of a result. The body stays as it is; code that displays it masks
/// it.
pub(crate) fn result(
    redactor: &Redactor,
    mut result: Result<Answer, Failure>,
) -> Result<Answer, Failure> {
    match &mut result {
        Ok(answer) => answer.redact_errors(redactor),
        Err(failure) => failure.redact(redactor),
    }
    result
}
