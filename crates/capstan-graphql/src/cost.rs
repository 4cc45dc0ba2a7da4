//! Counts how many nodes an operation may request, by GitHub's rules.
//!
//! Every connection requests its page size times the page sizes of the connections around it.

use std::collections::HashMap;

use apollo_compiler::Name;
use apollo_compiler::ast::{self, Field, OperationDefinition, Selection};
use serde_json::{Map, Value};

use crate::document::Document;
use crate::error::MergeError;
use crate::fragments::reachable;

/// The largest page; it also counts for a connection of unknown page size.
const MAX_PAGE_SIZE: u64 = 100;

/// Returns the largest number of nodes that an operation may request with these variables.
///
/// Connections are recognized without a schema: a field with `first` or `last`, or one with `nodes`
/// or `edges` in it.
pub fn count_nodes(
    document: &str,
    operation_name: Option<&str>,
    variables: &Map<String, Value>,
) -> Result<u64, MergeError> {
    let document = Document::parse_part(document, 0)?;
    count(&document, operation_name, variables)
}

/// Counts like [`count_nodes`], for a parsed document.
pub(crate) fn count(
    document: &Document,
    operation_name: Option<&str>,
    variables: &Map<String, Value>,
) -> Result<u64, MergeError> {
    let operation = document.operation(operation_name, 0)?;
    let fragments = reachable(document, operation, 0)?;
    let mut counter = Counter {
        operation,
        variables,
        fragments: HashMap::new(),
    };
    for fragment in fragments {
        let count = counter.selections(&fragment.selection_set);
        counter.fragments.insert(&fragment.name, count);
    }
    Ok(counter.selections(&operation.selection_set).nodes)
}

/// The count of a set of selections.
#[derive(Debug, Clone, Copy, Default)]
struct Count {
    nodes: u64,
    /// Whether the items of a connection are among the selections.
    items: bool,
}

struct Counter<'d> {
    operation: &'d OperationDefinition,
    variables: &'d Map<String, Value>,
    /// The count of each fragment. It is counted once, because its count only scales with where it
    /// is used.
    fragments: HashMap<&'d Name, Count>,
}

impl Counter<'_> {
    fn selections(&self, selections: &[Selection]) -> Count {
        let mut all = Count::default();
        for selection in selections {
            let one = match selection {
                Selection::Field(field) => self.field(field),
                Selection::InlineFragment(inline) => self.selections(&inline.selection_set),
                Selection::FragmentSpread(spread) => {
                    let known = self.fragments.get(&spread.fragment_name);
                    known.copied().unwrap_or_default()
                }
            };
            all.nodes = all.nodes.saturating_add(one.nodes);
            all.items |= one.items;
        }
        all
    }

    fn field(&self, field: &Field) -> Count {
        let inside = self.selections(&field.selection_set);
        // `nodes(ids: …)` at the root does not belong to a connection.
        let items = matches!(field.name.as_str(), "nodes" | "edges") && field.arguments.is_empty();
        let sized = argument(field, "first").is_some() || argument(field, "last").is_some();
        let nodes = if sized || inside.items {
            let page = self.page(field);
            // The fields of the connection itself count even for an empty page.
            page.saturating_add(page.max(1).saturating_mul(inside.nodes))
        } else {
            inside.nodes
        };
        Count { nodes, items }
    }

    fn page(&self, field: &Field) -> u64 {
        let size = |name| self.number(argument(field, name)?);
        size("first")
            .or_else(|| size("last"))
            .unwrap_or(MAX_PAGE_SIZE)
    }

    fn number(&self, value: &ast::Value) -> Option<u64> {
        match value {
            ast::Value::Int(number) => number.as_str().parse().ok(),
            ast::Value::Variable(name) => match self.variables.get(name.as_str()) {
                Some(given) => given.as_u64(),
                None => {
                    let mut known = self.operation.variables.iter();
                    let variable = known.find(|variable| variable.name == *name)?;
                    match &**variable.default_value.as_ref()? {
                        ast::Value::Int(number) => number.as_str().parse().ok(),
                        _ => None,
                    }
                }
            },
            _ => None,
        }
    }
}

fn argument<'f>(field: &'f Field, name: &str) -> Option<&'f ast::Value> {
    let mut arguments = field.arguments.iter();
    let found = arguments.find(|argument| argument.name == name)?;
    Some(&found.value)
}
