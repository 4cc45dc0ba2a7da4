//! A batch, and what its answer means for each part.

use apollo_compiler::collections::HashMap;
use serde_json::{Map, Value};

use crate::part::Kind;

/// Many operations as one.
#[derive(Debug, Clone, PartialEq)]
pub struct Batch {
    pub document: String,
    pub operation_name: String,
    pub variables: Map<String, Value>,
    pub kind: Kind,
    /// How many parts there are.
    pub(crate) parts: usize,
    /// The response keys of the batch: whose each is, and what it is called there.
    pub(crate) keys: HashMap<String, (usize, String)>,
}

impl Batch {
    /// What each part would have got alone, in the order of the parts. Keys that `data` lacks are
    /// lacking there too.
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

    /// Whose error this is: the part, and the path as that part alone would have seen it. `None`
    /// when the path names no part.
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

    /// `query`, `mutation Chain`
    fn is_heading(&self, segment: &str) -> bool {
        match segment.split_once(' ') {
            Some((word, name)) => word == self.kind.keyword() && name == self.operation_name,
            None => matches!(segment, "query" | "mutation"),
        }
    }
}
