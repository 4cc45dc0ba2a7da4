//! A batch, and the answer of each of its parts.

use apollo_compiler::collections::HashMap;
use serde_json::{Map, Value};

use crate::part::OperationKind;

/// Many operations merged into one.
#[derive(Debug, Clone, PartialEq)]
pub struct Batch {
    pub document: String,
    pub operation_name: String,
    pub variables: Map<String, Value>,
    pub kind: OperationKind,
    /// The number of parts.
    pub(crate) parts: usize,
    /// The response keys of the batch, each with its part and its key in that part.
    pub(crate) keys: HashMap<String, (usize, String)>,
}

impl Batch {
    /// Splits an answer into what each part would have received alone, in the order of the parts. A
    /// key that `data` lacks is missing from its part too.
    pub fn split(&self, data: Map<String, Value>) -> Vec<Map<String, Value>> {
        let mut answers = vec![Map::new(); self.parts];
        for (key, value) in data {
            if let Some((part, own)) = self.keys.get(&key)
                && let Some(answer) = answers.get_mut(*part)
            {
                answer.insert(own.clone(), value);
            }
        }
        answers
    }

    /// Returns the part that an error belongs to, and the error's path as that part alone would
    /// have received it. Returns `None` if the path names no part.
    pub fn owner(&self, path: &[String]) -> Option<(usize, Vec<String>)> {
        // GitHub puts the operation itself in front of some paths.
        let (first, rest) = path.split_first()?;
        let (key, rest) = if !self.keys.contains_key(first) && self.is_heading(first) {
            rest.split_first()?
        } else {
            (first, rest)
        };
        let (part, own) = self.keys.get(key)?;
        let mut path = vec![own.clone()];
        path.extend_from_slice(rest);
        Some((*part, path))
    }

    /// Returns whether a segment names the operation: `query`, `mutation Chain`.
    fn is_heading(&self, segment: &str) -> bool {
        match segment.split_once(' ') {
            Some((word, name)) => word == self.kind.keyword() && name == self.operation_name,
            None => matches!(segment, "query" | "mutation"),
        }
    }
}
