//! Keeps secrets out of what the routes say about failures.

use capstan_core::port::{Answer, Failure};
use capstan_core::{Redactor, ResultError};

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
    mask(redactor, &mut failed.error);
    for partial in &mut failed.errors {
        mask(redactor, &mut partial.failure.error);
    }
}

fn mask(redactor: &Redactor, error: &mut ResultError) {
    error.message = redactor.text(&error.message).into_owned();
    for detail in error.details.values_mut() {
        redactor.value(detail);
    }
}
