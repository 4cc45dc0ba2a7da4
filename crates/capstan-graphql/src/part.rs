//! The parts of a batch.

use serde_json::{Map, Value};

/// One operation to be merged with others.
#[derive(Debug, Clone, Copy)]
pub struct Part<'a> {
    /// The prefix of this part's names in the batch; see [`alias`](crate::alias).
    pub alias: &'a str,
    pub document: &'a str,
    /// The name of the operation; required if the document has several.
    pub operation_name: Option<&'a str>,
    pub variables: &'a Map<String, Value>,
}

/// The kind of an operation.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum OperationKind {
    Query,
    Mutation,
}

impl OperationKind {
    /// Returns the keyword of an operation.
    pub(crate) fn keyword(self) -> &'static str {
        match self {
            Self::Query => "query",
            Self::Mutation => "mutation",
        }
    }
}
