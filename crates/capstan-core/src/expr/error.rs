//! Errors in expressions.

/// Why a text is not an expression, and where in it.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("{message}")]
pub struct ExprError {
    pub message: String,
    /// The byte offset in the expression's text.
    pub offset: usize,
}
