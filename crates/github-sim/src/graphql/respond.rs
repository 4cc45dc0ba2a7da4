//! Runs a checked document on the world and renders what came of it.

use super::cost::Cost;
use super::errors::render;
use super::execute::GraphqlOutcome;
use super::interference::Interference;
use super::null::null_at;
use super::object::{Object, Session};
use super::schema::{implementers, schema};
use crate::world::{Viewer, World};
use apollo_compiler::ExecutableDocument;
use apollo_compiler::executable::Operation;
use apollo_compiler::resolvers::Execution;
use apollo_compiler::response::JsonMap;
use apollo_compiler::validation::Valid;
use serde_json::{Map, Value, json};
use std::cell::{Cell, RefCell};

/// A request that nothing stands against.
pub(super) struct Prepared<'r> {
    pub(super) document: &'r Valid<ExecutableDocument>,
    pub(super) operation: &'r Operation,
    pub(super) variables: &'r Valid<JsonMap>,
    pub(super) cost: Cost,
    pub(super) interference: &'r Interference,
}

impl Prepared<'_> {
    pub(super) fn respond(&self, world: &mut World, viewer: &Viewer) -> GraphqlOutcome {
        // GitHub looks at the token's scopes before it runs anything; here they show while running.
        let untouched = self.operation.is_mutation().then(|| world.clone());
        let session = Session {
            cost: self.cost,
            interference: self.interference,
            world: RefCell::new(world),
            viewer: viewer.clone(),
            beside: RefCell::default(),
            applied: RefCell::default(),
            begun: Cell::default(),
        };
        let root = if self.operation.is_mutation() {
            Object::Mutation(&session)
        } else {
            Object::Query(&session)
        };
        let response = Execution::new(schema(), self.document)
            .operation(self.operation)
            .implementers_map(implementers())
            .coerced_variable_values(self.variables)
            .enable_schema_introspection(true)
            .execute_sync(&root);
        let response = match response {
            Ok(response) => response,
            Err(error) => {
                return refused(&json!({ "message": error.message().to_string() }));
            }
        };
        let reported = response.errors.iter();
        let mut errors: Vec<Value> = reported
            .map(|error| render(error, self.interference))
            .collect();
        errors.extend(session.beside.take());
        let mut data = serde_json::to_value(&response.data).unwrap_or_default();
        for (place, error) in self.interference.beside() {
            let root = &self.operation.selection_set;
            null_at(self.document, root, &mut data, place);
            errors.push(error);
        }
        let applied_fields = session.applied.take();
        let scope = errors
            .iter()
            .position(|error| error["type"] == "INSUFFICIENT_SCOPES");
        if let Some(at) = scope {
            if let Some(untouched) = untouched {
                *session.world.into_inner() = untouched;
            }
            return refused(&without_path(errors.swap_remove(at)));
        }
        let mut answer = Map::new();
        answer.insert("data".to_owned(), data);
        if !errors.is_empty() {
            answer.insert("errors".to_owned(), Value::Array(errors));
        }
        GraphqlOutcome {
            json: Value::Object(answer),
            applied: !applied_fields.is_empty(),
            applied_fields,
        }
    }
}

/// The whole request is refused: there is no data, and nothing happened.
fn refused(error: &Value) -> GraphqlOutcome {
    GraphqlOutcome {
        json: json!({ "errors": [error] }),
        applied: false,
        applied_fields: Vec::new(),
    }
}

fn without_path(mut error: Value) -> Value {
    if let Some(error) = error.as_object_mut() {
        error.shift_remove("path");
    }
    error
}
