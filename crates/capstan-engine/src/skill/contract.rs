//! Checks values against their schemas while a skill runs. The checker of skills proves the types, but not the bounds
//! of values.

use std::sync::Arc;

use serde_json::{Map, Value};

use capstan_core::port::Failure;
use capstan_core::{ErrorCode, Outcome, ResultError};
use capstan_exec::Schemas;
use capstan_skill::{Leaf, Runs};

/// Checks the input of a step before it is sent. Cards and code check their input themselves.
pub(super) fn check_input(
    schemas: &Schemas,
    leaf: &Leaf,
    input: &Map<String, Value>,
) -> Result<(), Failure> {
    if checks_itself(leaf) {
        return Ok(());
    }
    let input = Value::Object(input.clone());
    check(schemas, leaf.input.as_ref(), &input, "input")
}

/// Checks the output of a step.
pub(super) fn check_output(schemas: &Schemas, leaf: &Leaf, output: &Value) -> Result<(), Failure> {
    if checks_itself(leaf) {
        return Ok(());
    }
    let checked = check(schemas, leaf.output.as_ref(), output, "output");
    checked.map_err(|failure| Failure {
        outcome: Outcome::Applied,
        ..failure
    })
}

/// Checks the input or output of a composite. `side` is `input` or `output`.
pub(super) fn check(
    schemas: &Schemas,
    schema: Option<&Arc<Value>>,
    value: &Value,
    side: &str,
) -> Result<(), Failure> {
    match schema.and_then(|schema| schemas.misfit(schema, value)) {
        None => Ok(()),
        Some(why) => {
            let message = format!("the {side} does not fit its schema: {why}");
            Err(ResultError::new(ErrorCode::Validation, message).into())
        }
    }
}

/// Returns whether a leaf is a card or code that is composed directly. It is checked against its own schemas when it
/// runs; those of code may have been relaxed since the plan was made.
fn checks_itself(leaf: &Leaf) -> bool {
    matches!(&leaf.runs, Runs::Card(name) | Runs::Capability(name) if *name == leaf.skill)
}
