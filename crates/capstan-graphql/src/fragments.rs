//! Finds the fragments that an operation uses, in the order of their dependencies.

use std::collections::HashMap;

use apollo_compiler::ast::{FragmentDefinition, OperationDefinition, Selection};
use apollo_compiler::{Name, Node};

use crate::document::Document;
use crate::error::MergeError;

/// Returns the fragments that the operation reaches. Each comes after all fragments that it
/// spreads.
pub(crate) fn reachable<'d>(
    document: &'d Document,
    operation: &'d OperationDefinition,
    part: usize,
) -> Result<Vec<&'d Node<FragmentDefinition>>, MergeError> {
    let mut order = Vec::new();
    let mut progress = HashMap::new();
    // An explicit stack: unlike nesting inside a fragment, chains of fragments are unbounded.
    let mut open = vec![Visit::new(None, &operation.selection_set)];
    while let Some(visit) = open.last_mut() {
        let Some(name) = visit.spreads.pop() else {
            if let Some(fragment) = visit.fragment {
                progress.insert(&fragment.name, Progress::Done);
                order.push(fragment);
            }
            open.pop();
            continue;
        };
        match progress.get(name) {
            Some(Progress::Done) => {}
            Some(Progress::Open) => {
                return Err(MergeError::RecursiveFragment {
                    part,
                    name: name.to_string(),
                });
            }
            None => {
                let fragment = document.fragment(name, part)?;
                progress.insert(&fragment.name, Progress::Open);
                open.push(Visit::new(Some(fragment), &fragment.selection_set));
            }
        }
    }
    Ok(order)
}

/// How far a fragment has been followed.
enum Progress {
    Open,
    Done,
}

/// A definition whose spreads are being followed.
struct Visit<'d> {
    /// `None` for the operation.
    fragment: Option<&'d Node<FragmentDefinition>>,
    /// The spreads that remain to be followed, the next at the end.
    spreads: Vec<&'d Name>,
}

impl<'d> Visit<'d> {
    fn new(fragment: Option<&'d Node<FragmentDefinition>>, selections: &'d [Selection]) -> Self {
        let mut found = Vec::new();
        spreads(selections, &mut found);
        found.reverse();
        Self {
            fragment,
            spreads: found,
        }
    }
}

fn spreads<'d>(selections: &'d [Selection], found: &mut Vec<&'d Name>) {
    for selection in selections {
        match selection {
            Selection::Field(field) => spreads(&field.selection_set, found),
            Selection::InlineFragment(inline) => spreads(&inline.selection_set, found),
            Selection::FragmentSpread(spread) => found.push(&spread.fragment_name),
        }
    }
}
