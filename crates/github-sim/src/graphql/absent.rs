//! Variables that a request leaves out: in an input object, a field set to one is as if not written.
//!
//! The engine would pass null instead, which for GitHub means something else ("no assignee", "remove it").

use apollo_compiler::ExecutableDocument;
use apollo_compiler::Node;
use apollo_compiler::executable::{Selection, SelectionSet};
use apollo_compiler::response::JsonMap;
use apollo_compiler::schema::Value;
use apollo_compiler::validation::Valid;

/// The document without the input-object fields whose variables have no value.
pub(super) fn prune(
    document: Valid<ExecutableDocument>,
    variables: &JsonMap,
) -> Valid<ExecutableDocument> {
    let mut document = document.into_inner();
    if let Some(operation) = &mut document.operations.anonymous {
        selections(&mut operation.make_mut().selection_set, variables);
    }
    for operation in document.operations.named.values_mut() {
        selections(&mut operation.make_mut().selection_set, variables);
    }
    for fragment in document.fragments.values_mut() {
        selections(&mut fragment.make_mut().selection_set, variables);
    }
    Valid::assume_valid(document)
}

fn selections(set: &mut SelectionSet, variables: &JsonMap) {
    for selection in &mut set.selections {
        match selection {
            Selection::Field(field) => {
                let field = field.make_mut();
                for argument in &mut field.arguments {
                    value(&mut argument.make_mut().value, variables);
                }
                selections(&mut field.selection_set, variables);
            }
            Selection::InlineFragment(inline) => {
                selections(&mut inline.make_mut().selection_set, variables);
            }
            Selection::FragmentSpread(_) => {}
        }
    }
}

fn value(node: &mut Node<Value>, variables: &JsonMap) {
    match node.make_mut() {
        Value::Object(fields) => {
            fields.retain(|(_, field)| match field.as_ref() {
                Value::Variable(name) => variables.contains_key(name.as_str()),
                _ => true,
            });
            for (_, field) in fields {
                value(field, variables);
            }
        }
        Value::List(items) => {
            for item in items {
                value(item, variables);
            }
        }
        _ => {}
    }
}
