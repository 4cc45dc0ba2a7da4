//! Checks the length of names.

use capstan_core::code::{LONGEST_NAME, shown_name};
use capstan_core::{ErrorCode, ResultError};

/// Refuses names that are too long to exist, before they are looked up.
pub(crate) fn check_length(name: &str) -> Result<(), ResultError> {
    if name.len() <= LONGEST_NAME {
        return Ok(());
    }
    let message = format!(
        "`{}` is too long: expected at most {LONGEST_NAME} bytes, not {}",
        shown_name(name),
        name.len()
    );
    Err(ResultError::new(ErrorCode::Validation, message))
}
