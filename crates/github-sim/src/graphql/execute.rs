//! From the body of a GraphQL request to the body of its answer.

use super::absent;
use super::cost::{Cost, MOST_NODES};
use super::interference::Interference;
use super::invalid;
use super::request::Request;
use super::respond::Prepared;
use super::variables::variables;
use crate::world::{Viewer, World};
use apollo_compiler::ExecutableDocument;
use apollo_compiler::executable::Operation;
use serde_json::{Value, json};

/// The answer to a request.
#[derive(Debug, Clone, PartialEq)]
pub struct GraphqlOutcome {
    /// The body, with `data` and, if anything went wrong, `errors`.
    pub json: Value,
    /// Whether the world changed.
    pub applied: bool,
    /// The root fields of a mutation that changed the world, by alias and in order.
    pub applied_fields: Vec<String>,
}

/// Executes a request body (`query`, `variables`, `operationName`) for a viewer.
pub fn execute(world: &mut World, viewer: &Viewer, body: &Value) -> GraphqlOutcome {
    let request = Request::read(body.clone());
    execute_with(world, viewer, &request, &Interference::default())
}

/// As [`execute`], with what faults do to it.
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
    })
}

/// `Err` holds the errors of a request that was not executed.
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
    let operation = choose(&document, name)?;
    let variables = variables(&document, operation, request.variables())?;
    let document = absent::prune(document, &variables);
    let operation = choose(&document, name)?;
    let cost = Cost::of(&document, operation, &variables);
    if cost.nodes > MOST_NODES {
        return Err(vec![json!({
            "type": "MAX_NODE_LIMIT_EXCEEDED",
            "message": format!(
                "This query requests up to {} possible nodes which exceeds the maximum limit of {}.",
                grouped(cost.nodes),
                grouped(MOST_NODES)
            ),
        })]);
    }
    let prepared = Prepared {
        document: &document,
        operation,
        variables: &variables,
        cost,
        interference,
    };
    Ok(prepared.respond(world, viewer))
}

fn choose<'d>(
    document: &'d ExecutableDocument,
    name: Option<&str>,
) -> Result<&'d Operation, Vec<Value>> {
    let chosen = document.operations.get(name).map_err(|_| {
        vec![json!({
            "message": match name {
                Some(name) => format!("No operation named \"{name}\""),
                None => "An operation name is required".to_owned(),
            }
        })]
    })?;
    Ok(chosen.as_ref())
}

/// `1,234,567`
fn grouped(number: u64) -> String {
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
