//! What goes into a batch.

use serde_json::{Map, Value};

/// One operation that is to travel with others.
#[derive(Debug, Clone, Copy)]
pub struct Part<'a> {
    /// What the names of this part start with in the batch; see [`alias`](crate::alias).
    pub alias: &'a str,
    pub document: &'a str,
    /// Which of the document's operations it is; needed when there are several.
    pub operation_name: Option<&'a str>,
    pub variables: &'a Map<String, Value>,
}

/// What an operation does.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Kind {
    Query,
    Mutation,
}

impl Kind {
    /// The keyword in front of an operation.
    pub(crate) fn keyword(self) -> &'static str {
        match self {
            Self::Query => "query",
            Self::Mutation => "mutation",
        }
    }
}
