//! Chains that are refused.

use capstan_wire::read_chain;
use serde_json::{Value, json};

/// Expects the place of the first mistake, and the whole message.
fn check(chain: &Value, path: &str, message: &str) {
    let chain = chain.as_object().unwrap().clone();
    let problem = read_chain(chain).unwrap_err();
    assert_eq!(problem.path(), path);
    assert_eq!(problem.to_string(), message);
}

#[test]
fn a_chain_needs_steps() {
    check(
        &json!({}),
        "steps",
        "`steps` is missing: expected a list of steps",
    );
    check(
        &json!({"steps": 1}),
        "steps",
        "`steps` must be a list, not a number",
    );
    check(
        &json!({"step": [], "steps": []}),
        "step",
        "`step` is not a part of a chain: did you mean `steps`?",
    );
}

#[test]
fn a_mistake_in_a_step_names_the_step() {
    let second = |step: Value| json!({"steps": [{"task": "issue.view"}, step]});
    check(
        &second(json!(7)),
        "steps[1]",
        "step 1 must be an object, not a number",
    );
    check(
        &second(json!({})),
        "steps[1].task",
        "step 1: `task` is missing: expected the id of a capability, such as issue.view",
    );
    check(
        &second(json!({"task": "issue.view", "options": {"rout": "rest"}})),
        "steps[1].options.rout",
        "step 1: `options.rout` is not an option: did you mean `route`?",
    );
    check(
        &second(json!({"task": "issue.view", "options": {"format": "json"}})),
        "steps[1].options.format",
        "step 1: `options.format` is for the whole chain: it goes into the `options` beside `steps`",
    );
}

#[test]
fn two_names_of_one_field_are_refused() {
    check(
        &json!({"steps": [], "tasks": []}),
        "tasks",
        "`tasks` means the same as `steps`: send only one of them",
    );
    check(
        &json!({"steps": [{"task": "a"}], "options": {"timeout": 1, "timeout_ms": 1}}),
        "options.timeout_ms",
        "`options.timeout_ms` means the same as `timeout`: send only one of them",
    );
}
