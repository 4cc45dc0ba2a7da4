//! Errors in documents, and reasons why operations cannot be merged.

use thiserror::Error;

/// An error in a document, with its byte offset.
#[derive(Debug, Clone, PartialEq, Eq, Error)]
#[error("{message}")]
pub struct DocumentError {
    pub message: String,
    pub offset: Option<usize>,
}

/// Why no batch was made. `part` is the index of the part with the error.
#[derive(Debug, Clone, PartialEq, Eq, Error)]
#[non_exhaustive]
pub enum MergeError {
    #[error("there is nothing to merge; give at least one operation")]
    Empty,
    #[error("operation {part} is not a valid GraphQL document: {message}")]
    Syntax { part: usize, message: String },
    #[error("`{alias}` cannot be the alias of operation {part}; use letters, digits and `_`")]
    Alias { part: usize, alias: String },
    #[error("the document of operation {part} has no operation `{name}`")]
    NoSuchOperation { part: usize, name: String },
    #[error("the document of operation {part} has no operation")]
    NoOperation { part: usize },
    #[error("the document of operation {part} has {count} operations; name the one that is meant")]
    SeveralOperations { part: usize, count: usize },
    #[error("operation {part} is a subscription; GitHub answers queries and mutations")]
    Subscription { part: usize },
    #[error(
        "operation {part} is not of the same kind as the first; merge queries and mutations apart"
    )]
    Mixed { part: usize },
    #[error("operation {part} has a directive of its own, `@{name}`; send it alone")]
    Directives { part: usize, name: String },
    #[error("operation {part} uses the fragment `{name}`, which its document does not define")]
    UnknownFragment { part: usize, name: String },
    #[error("the fragment `{name}` of operation {part} contains itself")]
    RecursiveFragment { part: usize, name: String },
    #[error("operation {part} uses the variable `${name}`, which it does not define")]
    UnknownVariable { part: usize, name: String },
    #[error("operation {part} defines the variable `${name}` but never uses it; remove it")]
    UnusedVariable { part: usize, name: String },
    #[error("operation {part} defines the variable `${name}` twice")]
    DuplicateVariable { part: usize, name: String },
}

impl MergeError {
    /// Returns the part with the error; `None` if no part in particular has it.
    pub fn part(&self) -> Option<usize> {
        match self {
            Self::Empty => None,
            Self::Syntax { part, .. }
            | Self::Alias { part, .. }
            | Self::NoSuchOperation { part, .. }
            | Self::NoOperation { part }
            | Self::SeveralOperations { part, .. }
            | Self::Subscription { part }
            | Self::Mixed { part }
            | Self::Directives { part, .. }
            | Self::UnknownFragment { part, .. }
            | Self::RecursiveFragment { part, .. }
            | Self::UnknownVariable { part, .. }
            | Self::UnusedVariable { part, .. }
            | Self::DuplicateVariable { part, .. } => Some(*part),
        }
    }
}
