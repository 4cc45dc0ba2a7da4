//! Executes the body of a GraphQL request and returns the body of the response.

use super::absent_variables::remove_absent_variables;
use super::cost::{Cost, MAX_NODES};
use super::interference::Interference;
use super::invalid;
use super::request::Request;
use super::respond::PreparedOperation;
use super::variables::variables;
use crate::world::{Viewer, World};
use apollo_compiler::ExecutableDocument;
use apollo_compiler::executable::Operation;
use serde_json::{Value, json};

/// The response to a GraphQL request.
#[derive(Debug, Clone, PartialEq)]
pub struct GraphqlOutcome {
    /// The body, with `data` and, if there were errors, `errors`.
    pub json: Value,
    /// Whether the world changed.
    pub applied: bool,
    /// Aliases of the mutation fields that changed the world, in document order.
    pub applied_fields: Vec<String>,
    /// Whether an object of the answer is made up from the schema and the request, because nobody modelled it.
    pub is_made_up: bool,
}

/// Executes a request body (`query`, `variables`, `operationName`) for a viewer.
pub fn execute(world: &mut World, viewer: &Viewer, body: &Value) -> GraphqlOutcome {
    let request = Request::parse(body.clone());
    execute_with(world, viewer, &request, &Interference::default())
}

/// Like [`execute`], with the changes that faults make.
pub(crate) fn execute_with(
    world: &mut World,
    viewer: &Viewer,
    request: &Request,
    interference: &Interference,
) -> GraphqlOutcome {
    run(world, viewer, request, interference).unwrap_or_else(|errors| GraphqlOutcome {
        json: json!({ "errors": errors }),
        applied: false,
        applied_fields: Vec::new(),
        is_made_up: false,
    })
}

/// Checks and executes a request. `Err` holds the errors of a request that was not executed.
fn run(
    world: &mut World,
    viewer: &Viewer,
    request: &Request,
    interference: &Interference,
) -> Result<GraphqlOutcome, Vec<Value>> {
    if !request.has_document() {
        return Err(vec![json!({
            "message": "A query attribute must be specified and must be a string."
        })]);
    }
    let document = invalid::check(request)?;
    let name = request.operation_name();
    let operation = find_operation(&document, name)?;
    let variables = variables(&document, operation, request.variables())?;
    let document = remove_absent_variables(document, &variables);
    let operation = find_operation(&document, name)?;
    let cost = Cost::of_operation(&document, operation, &variables);
    if cost.nodes > MAX_NODES {
        return Err(vec![json!({
            "type": "MAX_NODE_LIMIT_EXCEEDED",
            "message": format!(
                "This query requests up to {} possible nodes which exceeds the maximum limit of {}.",
                with_thousands_separators(cost.nodes),
                with_thousands_separators(MAX_NODES)
            ),
        })]);
    }
    let prepared = PreparedOperation {
        document: &document,
        operation,
        variables: &variables,
        cost,
        interference,
    };
    Ok(prepared.respond(world, viewer))
}

/// Returns the operation with this name, or the only one.
fn find_operation<'d>(
    document: &'d ExecutableDocument,
    name: Option<&str>,
) -> Result<&'d Operation, Vec<Value>> {
    let operation = document.operations.get(name).map_err(|_| {
        vec![json!({
            "message": match name {
                Some(name) => format!("No operation named \"{name}\""),
                None => "An operation name is required".to_owned(),
            }
        })]
    })?;
    Ok(operation.as_ref())
}

/// Formats a number with thousands separators: `1,234,567`.
fn with_thousands_separators(number: u64) -> String {
    let digits = number.to_string();
    let mut text = String::new();
    for (index, digit) in digits.chars().enumerate() {
        if index > 0 && (digits.len() - index).is_multiple_of(3) {
            text.push(',');
        }
        text.push(digit);
    }
    text
}
