//! The repository of steps that name none.

use serde_json::{Value, json};

use crate::cli::harness::Place;

/// The path of each step's request over REST.
fn paths(place: &Place, args: &[&str], steps: &Value) -> Vec<String> {
    let args = [&["chain", "-", "--route", "rest", "--dry-run"], args].concat();
    let ran = place.run_with(&args, steps.to_string().as_bytes());
    assert_eq!((ran.code, &*ran.stderr), (0, ""), "{ran:?}");
    let plan = ran.json();
    let mut requests = plan["levels"][0]["requests"].as_array().unwrap().clone();
    requests.sort_by_key(|request| request["steps"][0].as_u64());
    let path = |request: &Value| request["path"].as_str().unwrap().to_owned();
    requests.iter().map(path).collect()
}

fn steps() -> Value {
    json!([
        {"task": "issue.view", "input": {"issue_number": 1}},
        {"task": "issue.view", "input": {"owner": "other", "repo": "thing", "issue_number": 1}},
        {"task": "repo.view"},
    ])
}

fn expected(here: &str) -> [String; 3] {
    [
        format!("/repos/{here}/issues/1"),
        "/repos/other/thing/issues/1".to_owned(),
        format!("/repos/{here}"),
    ]
}

#[test]
fn it_is_the_one_of_the_command_line_or_of_the_folder() {
    let place = Place::new();
    let args = ["-R", "me/mine"];
    assert_eq!(paths(&place, &args, &steps()), expected("me/mine"));
    let remote = "remote add origin https://github.com/acme/cloned.git";
    for line in ["init -q", remote] {
        let git = place.command("git").args(line.split(' ')).output().unwrap();
        assert!(git.status.success(), "{git:?}");
    }
    assert_eq!(paths(&place, &[], &steps()), expected("acme/cloned"));
    assert_eq!(paths(&place, &args, &steps()), expected("me/mine"));
    assert_eq!(
        paths(&place, &["--demo"], &steps()),
        expected("acme/rocket")
    );
}

#[test]
fn a_step_that_names_a_half_is_left_alone() {
    let ran = Place::new().run_with(
        &["chain", "-", "-R", "me/mine"],
        br#"[{"task": "repo.view", "input": {"owner": "acme"}}]"#,
    );
    assert_eq!(ran.code, 2, "{ran:?}");
    let error = ran.json()["results"][0]["error"].clone();
    assert_eq!(error["details"]["fields"][0]["field"], "repo");
}

#[test]
fn a_card_that_takes_none_gets_none() {
    let place = Place::new();
    place.write(
        "cards/me.yaml",
        r#"
capability_id: me.view
version: 1.0.0
description: Show me.
operation: READ
input_schema: {type: object, properties: {}, additionalProperties: false}
output_schema: {type: object, properties: {login: {type: string}}}
no_graphql: this card is about REST
rest: {method: GET, path: /user, output: {fields: {login: login}}}
"#,
    );
    let steps = json!([{"task": "me.view"}, {"task": "repo.view"}]);
    let args = ["--cards", "cards", "-R", "me/mine"];
    assert_eq!(paths(&place, &args, &steps), ["/user", "/repos/me/mine"]);
}
