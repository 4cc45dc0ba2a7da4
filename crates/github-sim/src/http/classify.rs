//! Classifies requests before they are executed: the API, read or write, and the names of operation and fields.

use http::Method;

use super::log::{Operation, SeenRequest, Transport};
use crate::graphql::{Outline, Request};
use crate::rest::{is_read, path_segments};

/// Classifies a REST request by its method, and by its path if POST reads there. `path` is without a prefix.
pub(crate) fn rest(method: &Method, path: &str, path_and_query: &str) -> SeenRequest {
    let operation = if is_read(method.as_str(), &path_segments(path)) {
        Operation::Read
    } else {
        Operation::Write
    };
    seen(Transport::Rest, method, path_and_query, operation)
}

/// Classifies a request to the storage host by its method.
pub(crate) fn storage(method: &Method, path_and_query: &str) -> SeenRequest {
    SeenRequest {
        transport: Transport::Storage,
        ..rest(method, "", path_and_query)
    }
}

/// Classifies a GraphQL request by its operation; a body that cannot be parsed counts as an unnamed read.
pub(crate) fn graphql(method: &Method, path_and_query: &str, request: &Request) -> SeenRequest {
    let outline = Outline::from_request(request);
    let operation = if outline.is_mutation {
        Operation::Write
    } else {
        Operation::Read
    };
    let mut seen = seen(Transport::Graphql, method, path_and_query, operation);
    seen.operation_name = outline.name;
    for field in outline.fields {
        seen.root_fields.push(field.name);
        seen.aliases.push(field.alias);
    }
    seen
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
