//! Runs a checked document on the world and builds the response.

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

/// A checked operation that can be executed.
pub(super) struct PreparedOperation<'r> {
    pub(super) document: &'r Valid<ExecutableDocument>,
    pub(super) operation: &'r Operation,
    pub(super) variables: &'r Valid<JsonMap>,
    pub(super) cost: Cost,
    pub(super) interference: &'r Interference,
}

impl PreparedOperation<'_> {
    pub(super) fn respond(&self, world: &mut World, viewer: &Viewer) -> GraphqlOutcome {
        // GitHub checks the token's scopes before it runs anything. The simulator finds out during the execution, and
        // then restores this copy.
        let backup = self.operation.is_mutation().then(|| world.clone());
        let session = Session {
            cost: self.cost,
            interference: self.interference,
            world: RefCell::new(world),
            viewer: viewer.clone(),
            extra_errors: RefCell::default(),
            applied: RefCell::default(),
            is_made_up: Cell::default(),
            root_fields_started: Cell::default(),
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
        errors.extend(session.extra_errors.take());
        let mut data = serde_json::to_value(&response.data).unwrap_or_default();
        for (path, error) in self.interference.other_errors() {
            let root = &self.operation.selection_set;
            null_at(self.document, root, &mut data, path);
            errors.push(error);
        }
        let applied_fields = session.applied.take();
        let is_made_up = session.is_made_up.get();
        let scope = errors
            .iter()
            .position(|error| error["type"] == "INSUFFICIENT_SCOPES");
        if let Some(at) = scope {
            if let Some(backup) = backup {
                *session.world.into_inner() = backup;
            }
            return refused(&without_path(errors.swap_remove(at)));
        }
        let mut body = Map::new();
        body.insert("data".to_owned(), data);
        if !errors.is_empty() {
            body.insert("errors".to_owned(), Value::Array(errors));
        }
        GraphqlOutcome {
            json: Value::Object(body),
            applied: !applied_fields.is_empty(),
            applied_fields,
            is_made_up,
        }
    }
}

/// Creates the response to a request that was refused as a whole.
fn refused(error: &Value) -> GraphqlOutcome {
    GraphqlOutcome {
        json: json!({ "errors": [error] }),
        applied: false,
        applied_fields: Vec::new(),
        is_made_up: false,
    }
}

fn without_path(mut error: Value) -> Value {
    if let Some(error) = error.as_object_mut() {
        error.shift_remove("path");
    }
    error
}
