//! Merges many operations into one.

use std::sync::Arc;

use apollo_compiler::Name;
use apollo_compiler::collections::HashMap;
use serde_json::{Map, Value};

use crate::batch::Batch;
use crate::documents::Documents;
use crate::error::MergeError;
use crate::names::Names;
use crate::operation::Operation;
use crate::part::Part;
use crate::template::PartNames;

/// The name of a batch's operation.
const OPERATION: &str = "Chain";

/// Merges the parts into one operation that does what all of them do, in their order.
///
/// Each document is parsed once, however many parts have it. [`Documents`] also remembers it for
/// the next time.
pub fn merge(parts: &[Part<'_>]) -> Result<Batch, MergeError> {
    Documents::default().merge(parts)
}

/// Merges the operations of the parts.
pub(crate) fn merge_operations(
    parts: &[Part<'_>],
    operations: &[Arc<Operation>],
) -> Result<Batch, MergeError> {
    let kind = operations.first().ok_or(MergeError::Empty)?.kind;
    let mut merger = Merger::default();
    for (index, (part, operation)) in parts.iter().zip(operations).enumerate() {
        if operation.kind != kind {
            return Err(MergeError::Mixed { part: index });
        }
        if !Name::is_valid_syntax(part.alias) {
            return Err(MergeError::Alias {
                part: index,
                alias: part.alias.to_owned(),
            });
        }
        merger.add(index, part, operation);
    }
    Ok(Batch {
        document: merger.document(kind.keyword()),
        operation_name: OPERATION.to_owned(),
        variables: merger.variables,
        kind,
        parts: parts.len(),
        keys: merger.keys,
    })
}

/// A batch under construction.
#[derive(Debug, Default)]
struct Merger {
    names: Names,
    keys: HashMap<String, (usize, String)>,
    variables: Map<String, Value>,
    /// The variable definitions, such as `$a: Int!, $b: Int`.
    definitions: String,
    selections: String,
    fragments: String,
    /// The name of each fragment in the batch, by its own name and its text.
    known: HashMap<String, String>,
}

impl Merger {
    fn add(&mut self, index: usize, part: &Part<'_>, operation: &Operation) {
        let mut part_names = PartNames::default();
        self.add_keys(index, part, operation, &mut part_names);
        self.add_variables(part, operation, &mut part_names);
        self.add_fragments(part, operation, &mut part_names);
        self.selections.push(' ');
        operation.selections.fill(&part_names, &mut self.selections);
    }

    fn add_keys(
        &mut self,
        index: usize,
        part: &Part<'_>,
        operation: &Operation,
        part_names: &mut PartNames,
    ) {
        for key in &operation.keys {
            let wanted = match operation.keys.len() {
                1 => part.alias.to_owned(),
                _ => format!("{}_{key}", part.alias),
            };
            let name = self.names.unique(wanted);
            self.keys.insert(name.clone(), (index, key.clone()));
            part_names.keys.push(name);
        }
    }

    fn add_variables(
        &mut self,
        part: &Part<'_>,
        operation: &Operation,
        part_names: &mut PartNames,
    ) {
        for variable in &operation.variables {
            let name = self
                .names
                .unique(format!("{}_{}", part.alias, variable.name));
            // Without a value the default of the definition applies; null would override it.
            if let Some(value) = part.variables.get(&variable.name) {
                self.variables.insert(name.clone(), value.clone());
            }
            part_names.variables.push(name);
        }
        for variable in &operation.variables {
            if !self.definitions.is_empty() {
                self.definitions.push_str(", ");
            }
            variable.definition.fill(part_names, &mut self.definitions);
        }
    }

    fn add_fragments(
        &mut self,
        part: &Part<'_>,
        operation: &Operation,
        part_names: &mut PartNames,
    ) {
        part_names.fragments = vec![String::new(); operation.fragments.len()];
        for &at in &operation.order {
            let fragment = &operation.fragments[at];
            // A name ends at the space with which the body starts.
            let mut text = fragment.name.clone();
            fragment.body.fill(part_names, &mut text);
            if let Some(name) = self.known.get(&text) {
                part_names.fragments[at].clone_from(name);
                continue;
            }
            let name = if self.names.take(&fragment.name) {
                fragment.name.clone()
            } else {
                self.names
                    .unique(format!("{}_{}", fragment.name, part.alias))
            };
            self.fragments.push_str(" fragment ");
            self.fragments.push_str(&name);
            self.fragments.push_str(&text[fragment.name.len()..]);
            part_names.fragments[at].clone_from(&name);
            self.known.insert(text, name);
        }
    }

    fn document(&self, keyword: &str) -> String {
        let (definitions, selections) = (&self.definitions, &self.selections);
        let variables = match definitions.as_str() {
            "" => String::new(),
            some => format!("({some})"),
        };
        format!(
            "{keyword} {OPERATION}{variables} {{{selections} }}{}",
            self.fragments
        )
    }
}
