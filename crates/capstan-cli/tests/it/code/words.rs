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
fn a_misspelt_name_of_code_is_told_with_what_it_may_be() {
    let world = World::demo();
    let mut cli = world.cli();
    let ran = cli.exec("one", "return 1", &json!({}));
    let fqdn = ran["meta"]["capability_fqdn"].as_str().unwrap().to_owned();
    let name = json!({"capability": fqdn, "name": "bug-list"});
    assert_eq!(cli.run("cap.name", &name)["ok"], true);
    let name = |wrong: &str| json!({"capability": wrong, "name": "other"});
    for (action, input) in [
        ("cap.show", json!({"capability": "bug-lst"})),
        ("cap.delete", json!({"capability": "bug-lst"})),
        ("cap.lookup", json!({"name": "bug-lst"})),
        ("cap.alias", json!({"capability": "bug-lst", "alias": "x"})),
        ("cap.rename", name("bug-lst")),
        ("cap.name", name("bug-lst")),
        ("cap.merge", json!({"from": "bug-list", "into": "bug-lst"})),
        ("cap.merge", json!({"from": "bug-lst", "into": "bug-list"})),
        (
            "cap.share",
            json!({"capability": "bug-lst", "visibility": "org"}),
        ),
    ] {
        let refused = cli.run(action, &input);
        assert_eq!(
            message(&refused),
            "Capability not found: bug-lst; did you mean bug-list?",
            "{action}"
        );
        assert_eq!(refused["error"]["details"]["near"], json!(["bug-list"]));
    }
    let refused = cli.run("cap.show", &json!({"capability": "nobody"}));
    assert_eq!(message(&refused), "Capability not found: nobody");
}

#[test]
fn a_name_similar_to_an_own_action_suggests_the_action() {
    let world = World::demo();
    for (wrong, right) in [("trace.shwo", "trace.show"), ("cap.renam", "cap.rename")] {
        let refused = world.cli().run(wrong, &json!({}));
        let expected = format!("there is no capability `{wrong}`; did you mean {right}");
        assert!(message(&refused).starts_with(&expected), "{refused}");
    }
}

#[test]
fn what_a_pattern_means_is_told_where_the_card_says_it() {
    let world = World::demo();
    let input =
        json!({"owner": "acme", "repo": "rocket", "pr_number": 7, "expected_head_sha": "abc"});
    let refused = world.cli().run("pr.merge", &input);
    assert_eq!(
        message(&refused),
        "bad input for pr.merge: `expected_head_sha` is the string \"abc\": expected 40 hexadecimal digits: refuse if \
         the branch has moved on from this commit (a text like ^[0-9a-f]{40}$)"
    );
}

/// Looking is nothing that is looked at, whether it succeeds or not.
#[test]
fn a_failed_look_is_not_the_last_execution() {
    let world = World::demo();
    let mut mcp = world.mcp();
    let issue = json!({"owner": "acme", "repo": "rocket", "issue_number": 1});
    assert_eq!(mcp.run("issue.view", &issue)["ok"], true);
    for (look, input, code) in [
        ("trace.show", json!({"idd": "last"}), "VALIDATION"),
        ("trace.show", json!({"id": "zz"}), "NOT_FOUND"),
        ("cap.show", json!({"capability": "nobody"}), "NOT_FOUND"),
        ("run.show", json!({"run": "nobody"}), "NOT_FOUND"),
        ("dep.show", json!({"from": "issue.view"}), "VALIDATION"),
    ] {
        let failed = mcp.run(look, &input);
        assert_eq!(failed["error"]["code"], code, "{failed}");
    }
    let drafted = mcp.run("skill.draft", &json!({"trace": "last"}));
    let yaml = drafted["data"]["yaml"].as_str().unwrap_or_default();
    assert!(yaml.contains("issue.view"), "{drafted}");
    // A failed execution of anything else is still the last.
    let wrong = json!({"owner": "acme", "repo": "rocket", "issue_number": 99999});
    assert_eq!(mcp.run("issue.view", &wrong)["error"]["code"], "NOT_FOUND");
    let last = mcp.run("trace.show", &json!({"id": "last"}));
    assert_eq!(last["data"]["ok"], false, "{last}");
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
        "there is no trace `zz`: trace.list shows the existing ones"
    );
    let many = cli.run("trace.show", &json!({"id": "01"}));
    assert_eq!(
        message(&many),
        "`01` matches several traces: give more of the id"
    );
}
