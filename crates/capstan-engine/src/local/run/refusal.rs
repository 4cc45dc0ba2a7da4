//! The errors of `run.resume`, and their wording.

use capstan_core::run::RunOwner;
use capstan_core::{ErrorCode, ResultError};

/// Returns the error for a run whose state does not permit what the caller asks for.
pub(super) fn conflict(message: String) -> ResultError {
    ResultError::new(ErrorCode::Conflict, message)
}

/// Returns the error for an input that is not valid for the run.
pub(super) fn invalid(message: String) -> ResultError {
    ResultError::new(ErrorCode::Validation, message)
}

/// Names the process that has a run.
pub(super) fn process(owner: RunOwner) -> String {
    owner
        .process
        .map_or("a process".to_owned(), |it| format!("process {it}"))
}
