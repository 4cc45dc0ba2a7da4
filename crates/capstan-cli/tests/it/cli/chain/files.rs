//! Files that are wrong: the error names the step, the field and what to do.

use serde_json::{Value, json};

use crate::cli::harness::{Github, Place};

#[test]
fn every_mistake_is_said_with_its_place() {
    let github = Github::demo();
    let place = Place::new().online(&github);
    let mut said = String::new();
    let mut check = |what: &str, text: &[u8]| {
        place.write("steps.json", text);
        let ran = place.run(&["chain", "steps.json"]);
        assert_eq!((ran.code, &*ran.stdout), (2, ""), "{what}: {ran:?}");
        said.push_str(&format!("## {what}\n{}", ran.stderr));
    };
    check("nothing", b"");
    check("white space", b" \n\n");
    check("no JSON", b"task: issue.view\n");
    check(
        "a comma too many",
        b"[\n  {\"task\": \"repo.view\"},\n  {\"task\": \"issue.list\",}\n]\n",
    );
    check("cut short", b"[{\"task\": \"repo.view\"}");
    check(
        "a bad line",
        b"{\"task\": \"repo.view\"}\n{\"task\": \"repo.view\"}\n{\"task\": repo.view}\n",
    );
    check("not UTF-8", b"[\"\xff\"]");
    check("too deep", "[".repeat(10_000).as_bytes());
    check("too large", &vec![b' '; 9 * 1024 * 1024]);
    check("a text", b"\"issue.view\"");
    check("a number", b"7");
    check("two lists", b"[] []");
    let ok = json!({"task": "repo.view"});
    let many: Vec<_> = std::iter::repeat_n(ok.clone(), 1001).collect();
    let step = |step: Value| json!([ok, ok, ok, step]);
    let table = [
        ("an empty list", json!([])),
        ("no steps at all", json!({})),
        ("an empty list of steps", json!({"steps": []})),
        ("steps by another name", json!({"step": [ok]})),
        (
            "steps that are no list",
            json!({"steps": {"task": "repo.view"}}),
        ),
        ("steps twice", json!({"steps": [ok], "tasks": [ok]})),
        (
            "something beside the steps",
            json!({"steps": [ok], "input": {}}),
        ),
        ("too many steps", Value::Array(many)),
        ("a step that is a text", step(json!("repo.view"))),
        ("a step that is null", step(Value::Null)),
        ("no task", step(json!({"input": {}}))),
        ("a task that is null", step(json!({"task": null}))),
        ("a task that is a number", step(json!({"task": 5}))),
        (
            "two tasks",
            step(json!({"task": "repo.view", "capability": "repo.view"})),
        ),
        (
            "two inputs",
            step(json!({"task": "repo.view", "input": {}, "args": {}})),
        ),
        (
            "an input that is a list",
            step(json!({"task": "repo.view", "input": []})),
        ),
        (
            "a name that is a number",
            step(json!({"task": "repo.view", "as": 1})),
        ),
        (
            "a field that is near",
            step(json!({"task": "repo.view", "imput": {}})),
        ),
        (
            "a field that is far",
            step(json!({"task": "repo.view", "owner": "acme"})),
        ),
        (
            "options that are a list",
            step(json!({"task": "repo.view", "options": []})),
        ),
        (
            "an option that is near",
            step(json!({"task": "repo.view", "options": {"feilds": []}})),
        ),
        (
            "an option that is far",
            step(json!({"task": "repo.view", "options": {"colour": 1}})),
        ),
        (
            "a route that is none",
            step(json!({"task": "repo.view", "options": {"route": "soap"}})),
        ),
        (
            "an option of the whole chain",
            step(json!({"task": "repo.view", "options": {"timeout_ms": 5}})),
        ),
        (
            "another of the whole chain",
            step(json!({"task": "repo.view", "options": {"format": "toon"}})),
        ),
        (
            "an option of the chain that is wrong",
            json!({"steps": [ok], "options": {"full": "yes"}}),
        ),
    ];
    for (what, chain) in table {
        check(what, chain.to_string().as_bytes());
    }
    insta::assert_snapshot!(place.anonymous(&said));
    assert_eq!(github.sim.requests(), []);
}

#[test]
fn files_that_cannot_be_read_are_named() {
    let place = Place::new();
    let mut said = String::new();
    for line in [
        "chain",
        "chain nothing.json",
        "chain .",
        "chain -R acme -",
        "chain steps.json --route soap",
    ] {
        let ran = place.line(line);
        assert_eq!((ran.code, &*ran.stdout), (2, ""), "{line}: {ran:?}");
        said.push_str(&format!("## {line}\n{}", ran.stderr));
    }
    insta::assert_snapshot!(said);
}
