//! What a document asks for at most, by GitHub's arithmetic: nodes and points.

use super::page::is_connection;
use super::schema::schema;
use apollo_compiler::ExecutableDocument;
use apollo_compiler::executable::{Field, Operation, Selection, SelectionSet};
use apollo_compiler::response::JsonMap;
use apollo_compiler::schema::Value;

/// The most nodes that one request may ask for.
pub(super) const MOST_NODES: u64 = 500_000;

/// The size of a request.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub(super) struct Cost {
    /// Nodes in all pages together, were they all full.
    pub(super) nodes: u64,
    /// Pages to fetch, were they all full.
    pages: u64,
}

impl Cost {
    pub(super) fn of(
        document: &ExecutableDocument,
        operation: &Operation,
        variables: &JsonMap,
    ) -> Self {
        let mut cost = Self::default();
        cost.add(document, &operation.selection_set, variables, 1, 0);
        cost
    }

    /// Points of the hourly budget: a hundredth of the pages, at least one.
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
        // Validated documents have no fragment cycles; the bound only keeps the walk small.
        if depth > DEEPEST {
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

const DEEPEST: usize = 200;

/// `first` or `last`, whichever is given.
fn page_size(field: &Field, variables: &JsonMap) -> u64 {
    let number = |name: &str| match field.specified_argument_by_name(name)?.as_ref() {
        Value::Int(int) => int.as_str().parse::<u64>().ok(),
        Value::Variable(name) => variables.get(name.as_str())?.as_u64(),
        _ => None,
    };
    number("first").or_else(|| number("last")).unwrap_or(0)
}
