//! The cost of a document by GitHub's rules: an upper bound of its nodes, and its points.

use super::page::is_connection;
use super::schema::schema;
use apollo_compiler::ExecutableDocument;
use apollo_compiler::executable::{Field, Operation, Selection, SelectionSet};
use apollo_compiler::response::JsonMap;
use apollo_compiler::schema::Value;

/// The maximum number of nodes that one request may ask for.
pub(super) const MAX_NODES: u64 = 500_000;

/// An upper bound of the size of a request.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub(super) struct Cost {
    /// The number of nodes if all pages are full.
    pub(super) nodes: u64,
    /// The number of pages to fetch if all pages are full.
    pages: u64,
}

impl Cost {
    pub(super) fn of_operation(
        document: &ExecutableDocument,
        operation: &Operation,
        variables: &JsonMap,
    ) -> Self {
        let mut cost = Self::default();
        cost.add(document, &operation.selection_set, variables, 1, 0);
        cost
    }

    /// Returns the points of the hourly budget: a hundredth of the pages, at least one.
    pub(super) fn points(self) -> u64 {
        (self.pages.saturating_add(50) / 100).max(1)
    }

    fn add(
        &mut self,
        document: &ExecutableDocument,
        selections: &SelectionSet,
        variables: &JsonMap,
        multiplier: u64,
        depth: usize,
    ) {
        // Validated documents have no fragment cycles; the limit only guards the stack.
        if depth > MAX_DEPTH {
            return;
        }
        for selection in &selections.selections {
            match selection {
                Selection::Field(field) => {
                    let mut multiplier = multiplier;
                    if is_connection(schema(), field.ty().inner_named_type()) {
                        let page = page_size(field, variables);
                        self.pages = self.pages.saturating_add(multiplier);
                        multiplier = multiplier.saturating_mul(page.max(1));
                        if page > 0 {
                            self.nodes = self.nodes.saturating_add(multiplier);
                        }
                    }
                    self.add(
                        document,
                        &field.selection_set,
                        variables,
                        multiplier,
                        depth + 1,
                    );
                }
                Selection::InlineFragment(inline) => {
                    self.add(
                        document,
                        &inline.selection_set,
                        variables,
                        multiplier,
                        depth + 1,
                    );
                }
                Selection::FragmentSpread(spread) => {
                    if let Some(fragment) = spread.fragment_def(document) {
                        self.add(
                            document,
                            &fragment.selection_set,
                            variables,
                            multiplier,
                            depth + 1,
                        );
                    }
                }
            }
        }
    }
}

const MAX_DEPTH: usize = 200;

/// Returns the value of `first` or `last`; 0 if neither is given.
fn page_size(field: &Field, variables: &JsonMap) -> u64 {
    let number = |name: &str| match field.specified_argument_by_name(name)?.as_ref() {
        Value::Int(int) => int.as_str().parse::<u64>().ok(),
        Value::Variable(name) => variables.get(name.as_str())?.as_u64(),
        _ => None,
    };
    number("first").or_else(|| number("last")).unwrap_or(0)
}
