//! Small descriptions, and the outlines that become of them.

use std::collections::BTreeMap;

use capstan_catalog::outline::Outline;
use capstan_generator::{Catalogue, Document, Problem, Rules};
use serde_json::{Value, json};

/// Rules for small descriptions.
pub(crate) fn rules() -> Rules {
    rules_with("")
}

/// Rules with more of them.
pub(crate) fn rules_with(more: &str) -> Rules {
    let text = format!("{}\n{more}\n", include_str!("rules.yaml"));
    Rules::from_text("rules.yaml", &text).unwrap()
}

/// Returns a description with one operation.
pub(crate) fn description(method: &str, path: &str, operation: &Value) -> Value {
    let mut operation = operation.clone();
    let defaults = json!({
        "operationId": "things/do-it",
        "summary": "Get a thing",
        "description": "Gets a thing.",
        "responses": {"204": {}},
    });
    for (key, value) in defaults.as_object().unwrap() {
        if operation.get(key).is_none() {
            operation[key] = value.clone();
        }
    }
    let blanks = path.split('{').skip(1);
    let blanks = blanks.filter_map(|rest| Some(rest.split_once('}')?.0));
    let in_path = blanks.map(
        |name| json!({"name": name, "in": "path", "required": true, "schema": {"type": "string"}}),
    );
    let mut parameters: Vec<Value> = operation["parameters"]
        .as_array()
        .cloned()
        .unwrap_or_default();
    for parameter in in_path {
        if !parameters
            .iter()
            .any(|known| known["name"] == parameter["name"] && known["in"] == "path")
        {
            parameters.push(parameter);
        }
    }
    operation["parameters"] = json!(parameters);
    json!({"openapi": "3.0.3", "paths": {path: {method: operation}}})
}

pub(crate) fn build(
    description: &Value,
    rules: &Rules,
) -> Result<BTreeMap<String, Outline>, Vec<Problem>> {
    let document = Document::from_json(description.clone());
    Catalogue::build(&document, rules).map(|catalogue| catalogue.outlines)
}

/// Returns the only outline of a description with one operation, and its id.
#[track_caller]
pub(crate) fn outline(method: &str, path: &str, operation: &Value) -> (String, Outline) {
    outline_by(&rules(), method, path, operation)
}

#[track_caller]
pub(crate) fn outline_by(
    rules: &Rules,
    method: &str,
    path: &str,
    operation: &Value,
) -> (String, Outline) {
    let outlines = build(&description(method, path, operation), rules).unwrap();
    outlines.into_iter().next().unwrap()
}

/// Returns an answer in JSON with a schema.
pub(crate) fn answer(schema: &Value) -> Value {
    json!({"content": {"application/json": {"schema": schema}}})
}
