//! What a request is, before anything is done: which API, reading or writing, and under which names.

use http::Method;
use serde_json::Value;

use super::log::{Operation, SeenRequest, Transport};
use crate::graphql::Outline;

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
    let outline = Outline::of(body);
    let operation = if outline.is_mutation {
        Operation::Write
    } else {
        Operation::Read
    };
    let mut request = seen(Transport::Graphql, method, path_and_query, operation);
    request.operation_name = outline.name;
    for field in outline.fields {
        request.root_fields.push(field.name);
        request.aliases.push(field.alias);
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
        aliases: Vec::new(),
        status: None,
        applied: false,
        applied_fields: Vec::new(),
        started: 0,
        finished: None,
    }
}
