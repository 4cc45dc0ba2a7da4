//! From the body of a GraphQL request to the body of its answer.

use super::absent;
use super::cost::{Cost, MOST_NODES};
use super::errors::render;
use super::invalid;
use super::object::{Object, Session};
use super::schema::{implementers, schema};
use crate::world::{Viewer, World};
use apollo_compiler::ExecutableDocument;
use apollo_compiler::executable::Operation;
use apollo_compiler::request::coerce_variable_values;
use apollo_compiler::resolvers::Execution;
use apollo_compiler::response::{JsonMap, JsonValue};
use apollo_compiler::validation::Valid;
use serde_json::{Map, Value, json};
use std::cell::RefCell;

/// The answer to a request.
#[derive(Debug, Clone, PartialEq)]
pub struct GraphqlOutcome {
    /// The body, with `data` and, if anything went wrong, `errors`.
    pub json: Value,
    /// Whether the world changed.
    pub applied: bool,
}

/// Executes a request body (`query`, `variables`, `operationName`) for a viewer.
pub fn execute(world: &mut World, viewer: &Viewer, body: &Value) -> GraphqlOutcome {
    let before = world.revision();
    let json = run(world, viewer, body).unwrap_or_else(|errors| json!({ "errors": errors }));
    GraphqlOutcome {
        json,
        applied: world.revision() != before,
    }
}

/// `Err` holds the errors of a request that was not executed.
fn run(world: &mut World, viewer: &Viewer, body: &Value) -> Result<Value, Vec<Value>> {
    let Some(source) = body["query"].as_str() else {
        return Err(vec![json!({
            "message": "A query attribute must be specified and must be a string."
        })]);
    };
    let document = invalid::check(source)?;
    let name = body["operationName"]
        .as_str()
        .filter(|name| !name.is_empty());
    let operation = choose(&document, name)?;
    let variables = variables(&document, operation, &body["variables"])?;
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
    Ok(respond(
        world, viewer, &document, operation, &variables, cost,
    ))
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

fn variables(
    document: &ExecutableDocument,
    operation: &Operation,
    given: &Value,
) -> Result<Valid<JsonMap>, Vec<Value>> {
    let given = match JsonValue::from(given.clone()) {
        JsonValue::Object(map) => map,
        _ => JsonMap::new(),
    };
    // Each variable on its own first, so that the error names it as GitHub does.
    for definition in &operation.variables {
        let mut alone = operation.clone();
        alone.variables = vec![definition.clone()];
        if let Err(error) = coerce_variable_values(schema(), &alone, &given) {
            let name = definition.name.as_str();
            let value = given.get(name).map_or(Value::Null, |value| {
                serde_json::to_value(value).unwrap_or_default()
            });
            let explanation = if value.is_null() {
                "Expected value to not be null".to_owned()
            } else {
                error.message().to_string()
            };
            let location = definition.location();
            let place = location.and_then(|span| span.line_column(&document.sources));
            return Err(vec![json!({
                "message": format!(
                    "Variable ${name} of type {} was provided invalid value",
                    definition.ty
                ),
                "locations": Vec::from_iter(place),
                "extensions": {
                    "value": value,
                    "problems": [{ "path": [], "explanation": explanation }],
                },
            })]);
        }
    }
    coerce_variable_values(schema(), operation, &given)
        .map_err(|error| vec![json!({ "message": error.message().to_string() })])
}

fn respond(
    world: &mut World,
    viewer: &Viewer,
    document: &Valid<ExecutableDocument>,
    operation: &Operation,
    variables: &Valid<JsonMap>,
    cost: Cost,
) -> Value {
    let session = Session {
        cost,
        world: RefCell::new(world),
        viewer: viewer.clone(),
        beside: RefCell::default(),
    };
    let root = if operation.is_mutation() {
        Object::Mutation(&session)
    } else {
        Object::Query(&session)
    };
    let response = Execution::new(schema(), document)
        .operation(operation)
        .implementers_map(implementers())
        .coerced_variable_values(variables)
        .enable_schema_introspection(true)
        .execute_sync(&root);
    let response = match response {
        Ok(response) => response,
        Err(error) => return json!({ "errors": [{ "message": error.message().to_string() }] }),
    };
    let mut errors: Vec<Value> = response.errors.iter().map(render).collect();
    errors.extend(session.beside.take());
    // A missing scope refuses the whole request, and GitHub names no path.
    let scope = errors
        .iter_mut()
        .find(|error| error["type"] == "INSUFFICIENT_SCOPES");
    if let Some(error) = scope {
        if let Some(error) = error.as_object_mut() {
            error.shift_remove("path");
        }
        return json!({ "errors": [error] });
    }
    let mut answer = Map::new();
    let data = serde_json::to_value(&response.data).unwrap_or_default();
    answer.insert("data".to_owned(), data);
    if !errors.is_empty() {
        answer.insert("errors".to_owned(), Value::Array(errors));
    }
    Value::Object(answer)
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
