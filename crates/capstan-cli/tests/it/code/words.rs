//! What is said when something is wrong names what is wrong.

use serde_json::{Value, json};

use super::surface::{Surface as _, World};

fn message(envelope: &Value) -> &str {
    envelope["error"]["message"].as_str().unwrap_or_default()
}

#[test]
fn a_field_that_an_item_does_not_have_is_compared_with_those_it_has() {
    let world = World::demo();
    let mut cli = world.cli();
    let item = json!({"name": "a", "intent": "x", "code": "1", "purpose": "y"});
    let refused = cli.run("cap.import", &json!({"capabilities": [item]}));
    assert_eq!(
        message(&refused),
        "bad input for cap.import: `capabilities.0.purpose` is not a field of `capabilities.0`: expected \
         one of name, aliases, visibility, intent, parameters, code"
    );
    let item = json!({"name": "a", "intent": "x"});
    let refused = cli.run("cap.import", &json!({"capabilities": [item]}));
    assert_eq!(
        message(&refused),
        "bad input for cap.import: `capabilities.0.code` is missing: expected string"
    );
}

#[test]
fn a_number_that_is_not_whole_is_said_to_be_what_it_is() {
    let world = World::demo();
    let mut server = world.server();
    let refused =
        server.execute(&json!({"capability": "cap.list", "options": {"timeout_ms": 1.5}}));
    assert_eq!(
        message(&refused),
        "bad arguments for execute: `options.timeout_ms` must be a whole number of milliseconds, not 1.5"
    );
    server.end();
}

#[test]
fn code_that_nobody_knows_is_told_in_an_envelope() {
    let world = World::demo();
    let answer = world.capstan(&["call", "nobody"]);
    assert_eq!(message(&answer), "Capability not found: nobody");
    assert_eq!(answer["meta"]["capability_id"], "nobody", "{answer}");
}

#[test]
fn a_trace_that_is_not_there_is_told_from_one_of_many() {
    let world = World::demo();
    let mut cli = world.cli();
    for _ in 0..2 {
        cli.exec("one", "return 1", &json!({}));
    }
    let none = cli.run("trace.show", &json!({"id": "zz"}));
    assert_eq!(
        message(&none),
        "there is no trace `zz`: trace.list shows those that there are"
    );
    let many = cli.run("trace.show", &json!({"id": "01"}));
    assert_eq!(
        message(&many),
        "`01` is the beginning of several traces: give more of the id"
    );
}
