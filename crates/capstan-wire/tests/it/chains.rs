//! Chains that are read.

use capstan_core::{Format, Route};
use capstan_wire::{Chain, read_chain};
use serde_json::{Value, json};

fn read(chain: &Value) -> Chain {
    let chain = chain.as_object().unwrap().clone();
    read_chain(chain).unwrap()
}

#[test]
fn options_of_a_chain_hold_unless_a_step_says_otherwise() {
    let chain = read(&json!({
        "steps": [
            {"task": "issue.view", "input": {"number": 1}, "as": "first"},
            {"task": "issue.close", "options": {"route": "rest"}},
        ],
        "options": {"route": "graphql", "format": "toon", "timeout_ms": 50},
    }));
    let [first, second] = &chain.request.steps[..] else {
        panic!("two steps were written");
    };
    assert_eq!(first.name.as_deref(), Some("first"));
    assert_eq!(first.request.capability, "issue.view");
    assert_eq!(first.request.input["number"], 1);
    assert_eq!(first.request.options.route, Some(Route::Graphql));
    assert_eq!(second.request.options.route, Some(Route::Rest));
    assert_eq!(chain.format, Some(Format::Toon));
    assert_eq!(chain.request.timeout_ms, Some(50));
}

#[test]
fn other_names_texts_of_json_and_nulls_mean_the_same() {
    let plain = read(&json!({"steps": [{"task": "issue.view", "input": {"number": 1}}]}));
    let texts = json!({"capability": "issue.view", "params": "{\"number\": 1}", "as": null});
    assert_eq!(read(&json!({"tasks": [texts.to_string()]})), plain);
    assert_eq!(read(&json!({"tasks": [texts], "options": null})), plain);
}
