//! Documents that are parsed once, however often their operations are merged or counted.

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

/// Parsed documents by their text. Parsing is most of the work of merging or counting, so keep this
/// as long as the same documents are needed again.
#[derive(Debug, Default)]
pub struct Documents {
    known: Vec<ParsedDocument>,
    places: HashMap<String, usize>,
}

/// A parsed document, with its operations that were merged.
#[derive(Debug)]
struct ParsedDocument {
    document: Document,
    operations: Vec<(Option<String>, Arc<Operation>)>,
}

impl Documents {
    /// Merges like [`merge`](crate::merge).
    pub fn merge(&mut self, parts: &[Part<'_>]) -> Result<Batch, MergeError> {
        let operations = parts.iter().enumerate().map(|(index, part)| {
            let document = self.read(part.document, index)?;
            document.operation(part.operation_name, index)
        });
        let operations: Vec<Arc<Operation>> = operations.collect::<Result<_, _>>()?;
        merge::merge_operations(parts, &operations)
    }

    /// Counts like [`count_nodes`](crate::count_nodes).
    pub fn count_nodes(
        &mut self,
        document: &str,
        operation_name: Option<&str>,
        variables: &Map<String, Value>,
    ) -> Result<u64, MergeError> {
        let known = self.read(document, 0)?;
        cost::count(&known.document, operation_name, variables)
    }

    fn read(&mut self, text: &str, part: usize) -> Result<&mut ParsedDocument, MergeError> {
        let place = match self.places.get(text) {
            Some(&place) => place,
            None => {
                let place = self.known.len();
                self.known.push(ParsedDocument {
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

impl ParsedDocument {
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
