//! What the checker could not prove: that values keep within their bounds. It is seen when they are there.

use std::sync::Arc;

use serde_json::{Map, Value};

use capstan_core::port::Failure;
use capstan_core::{ErrorCode, Outcome, ResultError};
use capstan_exec::Schemas;
use capstan_skill::{Leaf, Runs};

/// Before a step leaves. Cards and code look at their input themselves.
pub(super) fn check_input(
    schemas: &Schemas,
    leaf: &Leaf,
    input: &Map<String, Value>,
) -> Result<(), Failure> {
    if is_its_own(leaf) {
        return Ok(());
    }
    let input = Value::Object(input.clone());
    check(schemas, leaf.input.as_ref(), &input, "takes")
}

/// When it came back.
pub(super) fn check_output(schemas: &Schemas, leaf: &Leaf, output: &Value) -> Result<(), Failure> {
    if is_its_own(leaf) {
        return Ok(());
    }
    let checked = check(schemas, leaf.output.as_ref(), output, "gives");
    checked.map_err(|failure| Failure {
        outcome: Outcome::Applied,
        ..failure
    })
}

/// The input of a composite, or its output.
pub(super) fn check(
    schemas: &Schemas,
    schema: Option<&Arc<Value>>,
    value: &Value,
    verb: &str,
) -> Result<(), Failure> {
    match schema.and_then(|schema| schemas.misfit(schema, value)) {
        None => Ok(()),
        Some(why) => {
            let message = format!("this is not what it says that it {verb}: {why}");
            Err(ResultError::new(ErrorCode::Validation, message).into())
        }
    }
}

/// A card or code that is composed as it is: it is held to its own schemas when it is run. Those of
/// code may have been relaxed since the plan was made.
fn is_its_own(leaf: &Leaf) -> bool {
    matches!(&leaf.runs, Runs::Card(name) | Runs::Capability(name) if *name == leaf.skill)
}
