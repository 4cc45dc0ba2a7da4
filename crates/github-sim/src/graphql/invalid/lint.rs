//! Finds the most common mistakes in documents and reports them exactly as GitHub does.

use super::selections::SelectionChecker;
use super::usage::{Usage, usage};
use apollo_compiler::ast::{Definition, Document, FragmentDefinition, OperationDefinition};
use apollo_compiler::{Node, Schema};
use serde_json::{Value, json};

/// Returns GitHub's errors about a document; empty if the mistake is not one of those known here.
pub(super) fn lint(schema: &Schema, document: &Document) -> Vec<Value> {
    let mut checker = SelectionChecker::new(schema, document);
    for definition in &document.definitions {
        match definition {
            Definition::OperationDefinition(operation) => {
                let kind = operation.operation_type;
                let root = schema.root_operation(kind).map(|name| name.as_str());
                let heading = heading(operation);
                let root = root.unwrap_or_default();
                checker.check_operation(
                    heading,
                    root,
                    &operation.variables,
                    &operation.selection_set,
                );
            }
            Definition::FragmentDefinition(fragment) => {
                let heading = format!("fragment {}", fragment.name);
                checker.check_fragment(heading, &fragment.type_condition, &fragment.selection_set);
            }
            _ => {}
        }
    }
    let mut errors = checker.errors;
    errors.extend(variable_errors(document));
    errors.extend(fragment_errors(document));
    errors
}

/// Returns `query`, or `query Name`.
fn heading(operation: &OperationDefinition) -> String {
    match &operation.name {
        Some(name) => format!("{} {name}", operation.operation_type),
        None => operation.operation_type.to_string(),
    }
}

fn variable_errors(document: &Document) -> Vec<Value> {
    let mut errors = Vec::new();
    for operation in operations(document) {
        let Usage { variables, .. } = usage(document, &operation.selection_set);
        let subject = match &operation.name {
            Some(name) => format!("{} {name}", operation.operation_type),
            None => format!("anonymous {}", operation.operation_type),
        };
        let path = heading(operation);
        let locations = |span: Option<apollo_compiler::parser::SourceSpan>| {
            Vec::from_iter(span.and_then(|span| span.line_column(&document.sources)))
        };
        for definition in &operation.variables {
            let name = definition.name.as_str();
            if !variables.contains_key(name) {
                errors.push(json!({
                    "path": [path],
                    "extensions": { "code": "variableNotUsed", "variableName": name },
                    "locations": locations(operation.location()),
                    "message": format!("Variable ${name} is declared by {subject} but not used"),
                }));
            }
        }
        for (name, span) in variables {
            let declared = operation
                .variables
                .iter()
                .any(|known| known.name == name.as_str());
            if !declared {
                errors.push(json!({
                    "path": [path],
                    "extensions": { "code": "variableNotDefined", "variableName": name },
                    "locations": locations(span),
                    "message": format!("Variable ${name} is used by {subject} but not declared"),
                }));
            }
        }
    }
    errors
}

fn fragment_errors(document: &Document) -> Vec<Value> {
    let mut used: Vec<String> = Vec::new();
    for operation in operations(document) {
        for name in usage(document, &operation.selection_set).fragments {
            if !used.contains(&name) {
                used.push(name);
            }
        }
    }
    let defined: Vec<&FragmentDefinition> = document
        .definitions
        .iter()
        .filter_map(|definition| match definition {
            Definition::FragmentDefinition(fragment) => Some(fragment.as_ref()),
            _ => None,
        })
        .collect();
    let error = |name: &str, problem: &str| {
        json!({
            "path": [format!("fragment {name}")],
            "extensions": { "code": "useAndDefineFragment", "fragmentName": name },
            "locations": [],
            "message": format!("Fragment {name} was {problem}"),
        })
    };
    let unused = defined
        .iter()
        .filter(|fragment| !used.iter().any(|name| fragment.name == name.as_str()))
        .map(|fragment| error(&fragment.name, "defined, but not used"));
    let missing = used
        .iter()
        .filter(|name| {
            !defined
                .iter()
                .any(|fragment| fragment.name == name.as_str())
        })
        .map(|name| error(name, "used, but not defined"));
    unused.chain(missing).collect()
}

fn operations(document: &Document) -> impl Iterator<Item = &Node<OperationDefinition>> {
    document
        .definitions
        .iter()
        .filter_map(|definition| match definition {
            Definition::OperationDefinition(operation) => Some(operation),
            _ => None,
        })
}
