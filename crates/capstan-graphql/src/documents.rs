//! Documents that are read once, however often their operations are merged or counted.

use std::sync::Arc;

use apollo_compiler::collections::HashMap;
use serde_json::{Map, Value};

use crate::batch::Batch;
use crate::cost;
use crate::document::Document;
use crate::error::MergeError;
use crate::merge;
use crate::operation::Operation;
use crate::part::Part;

/// Documents by their text. Reading one is most of the work of merging or counting its operations:
/// keep this for as long as the same documents come again.
#[derive(Debug, Default)]
pub struct Documents {
    known: Vec<Known>,
    places: HashMap<String, usize>,
}

/// A document, with those of its operations that were merged.
#[derive(Debug)]
struct Known {
    document: Document,
    operations: Vec<(Option<String>, Arc<Operation>)>,
}

impl Documents {
    /// As [`merge`](crate::merge).
    pub fn merge(&mut self, parts: &[Part<'_>]) -> Result<Batch, MergeError> {
        let operations = parts.iter().enumerate().map(|(index, part)| {
            let document = self.read(part.document, index)?;
            document.operation(part.operation_name, index)
        });
        let operations: Vec<Arc<Operation>> = operations.collect::<Result<_, _>>()?;
        merge::merge_operations(parts, &operations)
    }

    /// As [`nodes`](crate::nodes).
    pub fn nodes(
        &mut self,
        document: &str,
        operation_name: Option<&str>,
        variables: &Map<String, Value>,
    ) -> Result<u64, MergeError> {
        let known = self.read(document, 0)?;
        cost::count(&known.document, operation_name, variables)
    }

    fn read(&mut self, text: &str, part: usize) -> Result<&mut Known, MergeError> {
        let place = match self.places.get(text) {
            Some(&place) => place,
            None => {
                let place = self.known.len();
                self.known.push(Known {
                    document: Document::parse_part(text, part)?,
                    operations: Vec::new(),
                });
                self.places.insert(text.to_owned(), place);
                place
            }
        };
        Ok(&mut self.known[place])
    }
}

impl Known {
    fn operation(&mut self, name: Option<&str>, part: usize) -> Result<Arc<Operation>, MergeError> {
        let mut known = self.operations.iter();
        if let Some((_, operation)) = known.find(|(known, _)| known.as_deref() == name) {
            return Ok(Arc::clone(operation));
        }
        let operation = Arc::new(Operation::new(&self.document, name, part)?);
        let name = name.map(str::to_owned);
        self.operations.push((name, Arc::clone(&operation)));
        Ok(operation)
    }
}
