//! Removes the input-object fields whose variable the request does not set.
//!
//! The engine would pass null for them, which GitHub takes to mean something else ("no assignee", "remove it").

use apollo_compiler::ExecutableDocument;
use apollo_compiler::Node;
use apollo_compiler::executable::{Selection, SelectionSet};
use apollo_compiler::response::JsonMap;
use apollo_compiler::schema::Value;
use apollo_compiler::validation::Valid;

/// Returns the document without the input-object fields whose variables have no value.
pub(super) fn remove_absent_variables(
    document: Valid<ExecutableDocument>,
    variables: &JsonMap,
) -> Valid<ExecutableDocument> {
    let mut document = document.into_inner();
    if let Some(operation) = &mut document.operations.anonymous {
        prune_selections(&mut operation.make_mut().selection_set, variables);
    }
    for operation in document.operations.named.values_mut() {
        prune_selections(&mut operation.make_mut().selection_set, variables);
    }
    for fragment in document.fragments.values_mut() {
        prune_selections(&mut fragment.make_mut().selection_set, variables);
    }
    Valid::assume_valid(document)
}

fn prune_selections(set: &mut SelectionSet, variables: &JsonMap) {
    for selection in &mut set.selections {
        match selection {
            Selection::Field(field) => {
                let field = field.make_mut();
                for argument in &mut field.arguments {
                    prune_value(&mut argument.make_mut().value, variables);
                }
                prune_selections(&mut field.selection_set, variables);
            }
            Selection::InlineFragment(inline) => {
                prune_selections(&mut inline.make_mut().selection_set, variables);
            }
            Selection::FragmentSpread(_) => {}
        }
    }
}

fn prune_value(node: &mut Node<Value>, variables: &JsonMap) {
    match node.make_mut() {
        Value::Object(fields) => {
            fields.retain(|(_, field)| match field.as_ref() {
                Value::Variable(name) => variables.contains_key(name.as_str()),
                _ => true,
            });
            for (_, field) in fields {
                prune_value(field, variables);
            }
        }
        Value::List(items) => {
            for item in items {
                prune_value(item, variables);
            }
        }
        _ => {}
    }
}
