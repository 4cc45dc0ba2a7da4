//! What is wrong with a description or with the rules, and where.

use thiserror::Error;

/// A problem at a place in a file.
#[derive(Clone, Debug, PartialEq, Eq, Error)]
#[error("{pointer}: {message}")]
pub struct Problem {
    /// A JSON pointer, or the id of an operation.
    pub pointer: String,
    pub message: String,
}

impl Problem {
    pub(crate) fn new(pointer: impl Into<String>, message: impl Into<String>) -> Self {
        Self {
            pointer: pointer.into(),
            message: message.into(),
        }
    }
}

/// Returns problems as text, one line each.
pub fn joined(problems: &[Problem]) -> String {
    let lines: Vec<_> = problems.iter().map(ToString::to_string).collect();
    lines.join("\n")
}
