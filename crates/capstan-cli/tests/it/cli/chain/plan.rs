//! `--dry-run`: what a chain would send, and that nothing is.

use serde_json::{Value, json};

use super::steps::{named, rejected, step, success, view};
use crate::cli::harness::{Github, Place};

fn steps() -> Value {
    json!([
        named("issue", view(1)),
        step("issue.close", json!({"issue_number": "$issue.data.number"})),
        step("workflow.runs.list", json!({})),
    ])
}

#[test]
fn on_a_terminal() {
    let github = Github::demo();
    let place = Place::new().online(&github);
    place.write("steps.json", steps().to_string());
    let (code, shown) = place.screen(&["chain", "steps.json", "--dry-run"]);
    assert_eq!(code, 0);
    insta::assert_snapshot!(shown);
    assert_eq!(github.sim.requests(), []);
}

#[test]
fn in_a_pipe() {
    let github = Github::demo();
    let place = Place::new().online(&github);
    let args = ["chain", "-", "--dry-run"];
    let ran = place.run_with(&args, steps().to_string().as_bytes());
    insta::assert_snapshot!(ran.all());
    assert_eq!(github.sim.requests(), []);
}

#[test]
fn it_has_as_many_requests_as_are_sent() {
    let github = Github::demo();
    let place = Place::new().online(&github);
    // One that finds nothing to do sends less than was planned.
    let mut steps = success();
    steps.as_array_mut().unwrap().remove(4);
    let steps = steps.to_string();
    let plan = place.run_with(&["chain", "-", "--dry-run"], steps.as_bytes());
    let levels = plan.json()["levels"].as_array().unwrap().clone();
    let planned: usize = levels
        .iter()
        .map(|level| level["requests"].as_array().unwrap().len())
        .sum();
    let ran = place.run_with(&["chain", "-"], steps.as_bytes());
    assert_eq!(ran.code, 0, "{ran:?}");
    assert_eq!(ran.json()["meta"]["requests"], planned, "{levels:?}");
    assert_eq!(github.sim.requests().len(), planned);
}

#[test]
fn what_is_wrong_is_said_and_nothing_is_planned() {
    let place = Place::new();
    place.write("steps.json", rejected().to_string());
    let (code, shown) = place.screen(&["chain", "steps.json", "--dry-run"]);
    assert_eq!(code, 2);
    insta::assert_snapshot!(shown);
}

#[test]
fn gh_is_shown_as_it_would_be_typed() {
    let place = Place::new().with_gh();
    let steps = json!([step("issue.create", json!({"title": "It's here"}))]);
    place.write("steps.json", steps.to_string());
    let args = [
        "--demo",
        "chain",
        "steps.json",
        "--dry-run",
        "--route",
        "cli",
    ];
    let (code, shown) = place.screen(&args);
    assert_eq!(code, 0, "{shown}");
    insta::assert_snapshot!(shown);
}
