//! What a request is, before anything is done: which API, reading or writing, and under which names.

use apollo_compiler::ast::{Definition, Document, OperationDefinition, OperationType, Selection};
use http::Method;
use serde_json::Value;

use super::log::{Operation, SeenRequest, Transport};

/// Classifies a REST request by its method.
pub(crate) fn rest(method: &Method, path_and_query: &str) -> SeenRequest {
    let operation = if method == Method::GET || method == Method::HEAD {
        Operation::Read
    } else {
        Operation::Write
    };
    seen(Transport::Rest, method, path_and_query, operation)
}

/// Classifies a GraphQL request by the operation that it would run; a body that cannot be read is a nameless read.
pub(crate) fn graphql(method: &Method, path_and_query: &str, body: &Value) -> SeenRequest {
    let mut request = seen(Transport::Graphql, method, path_and_query, Operation::Read);
    let source = body["query"].as_str().unwrap_or_default();
    // A document with syntax errors still gives the parts that could be read.
    let document = Document::parse(source, "query").unwrap_or_else(|errors| errors.partial);
    if let Some(operation) = chosen(&document, body["operationName"].as_str()) {
        if operation.operation_type == OperationType::Mutation {
            request.operation = Operation::Write;
        }
        request.operation_name = operation.name.as_ref().map(ToString::to_string);
        collect_fields(
            &document,
            &operation.selection_set,
            0,
            &mut request.root_fields,
        );
    }
    request
}

fn seen(
    transport: Transport,
    method: &Method,
    path_and_query: &str,
    operation: Operation,
) -> SeenRequest {
    SeenRequest {
        transport,
        method: method.to_string(),
        path: path_and_query.to_owned(),
        operation,
        operation_name: None,
        root_fields: Vec::new(),
        status: None,
        applied: false,
    }
}

fn chosen<'d>(document: &'d Document, name: Option<&str>) -> Option<&'d OperationDefinition> {
    document
        .definitions
        .iter()
        .filter_map(|definition| match definition {
            Definition::OperationDefinition(operation) => Some(operation.as_ref()),
            _ => None,
        })
        .find(|operation| match name {
            Some(name) if !name.is_empty() => operation.name.as_ref().is_some_and(|n| n == name),
            _ => true,
        })
}

/// Root-level fragments nest rarely; the bound only guards against fragments that spread themselves.
const DEEPEST_ROOT_FRAGMENT: usize = 16;

fn collect_fields(
    document: &Document,
    selections: &[Selection],
    depth: usize,
    fields: &mut Vec<String>,
) {
    if depth > DEEPEST_ROOT_FRAGMENT {
        return;
    }
    for selection in selections {
        match selection {
            Selection::Field(field) => fields.push(field.name.to_string()),
            Selection::InlineFragment(inline) => {
                collect_fields(document, &inline.selection_set, depth + 1, fields);
            }
            Selection::FragmentSpread(spread) => {
                for definition in &document.definitions {
                    if let Definition::FragmentDefinition(fragment) = definition
                        && fragment.name == spread.fragment_name
                    {
                        collect_fields(document, &fragment.selection_set, depth + 1, fields);
                    }
                }
            }
        }
    }
}
