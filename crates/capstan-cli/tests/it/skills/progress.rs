//! How far a skill is, while it runs and afterwards.

use github_sim::{Fault, FaultKind};
use serde_json::json;

use super::world::{Workshop, rocket};
use crate::cli::harness::{timeless, without_colours};

const TWO: &str = "id: two
level: 3
composes:
  - {skill: issue.view, as: look, inputs: {issue_number: 1}}
  - {skill: issue.close, as: close, inputs: {issue_number: 1}}
  - {skill: issue.view, as: lost, inputs: {issue_number: 4242}}
execution: [{step: look}, {step: close}, {step: lost}]
";

#[test]
fn a_terminal_shows_which_steps_are_under_way() {
    let workshop = Workshop::with(TWO);
    let slow = Fault::always(FaultKind::Latency { ms: 50 });
    workshop.github.sim.inject(slow);
    let file = workshop.world.place.here().join("skills.yaml");
    let skills = file.to_str().unwrap();
    let args = ["--skills", skills, "skill", "run", "two"];
    let more = ["owner=acme", "repo=rocket"];
    let (code, shown) = workshop
        .world
        .place
        .raw_terminal(&[&args[..], &more].concat());
    assert_eq!(code, 1, "{shown}");
    let shown = without_colours(&shown);
    let lines: Vec<_> = shown.split('\r').map(str::trim).collect();
    let told = |line: &str| lines.contains(&line);
    assert!(told("0 of 3 steps: look"), "{lines:?}");
    assert!(told("1 of 3 steps: close"), "{lines:?}");
    assert!(told("2 of 3 steps: lost"), "{lines:?}");
    let last = lines.last().unwrap();
    assert!(last.starts_with("NOT_FOUND: step `lost`"), "{last}");
    assert!(last.contains("skill run --resume"), "{last}");
}

#[test]
fn a_run_is_listed_and_shown_step_by_step() {
    let workshop = Workshop::with(TWO);
    let ran = workshop.run("two", &rocket(json!({})));
    let id = ran["error"]["details"]["run"].as_str().unwrap();
    let place = &workshop.world.place;
    let screen = |args: &[&str]| {
        let (code, shown) = place.screen(args);
        assert_eq!(code, 0, "{shown}");
        shown
    };
    let _timeless = timeless();
    insta::assert_snapshot!("runs", screen(&["skill", "runs"]));
    insta::assert_snapshot!("run", screen(&["skill", "runs", &id[..14]]));
    assert_eq!(
        screen(&["skill", "runs", "--state", "ok"]).trim(),
        "no runs match"
    );
}

#[test]
fn a_trace_shows_what_ran_within_what() {
    let workshop = Workshop::with(
        "id: outer
level: 3
composes: [inner, {skill: issue.close, as: close, inputs: {issue_number: 1}}]
---
id: inner
level: 2
composes:
  - {skill: issue.view, as: one, inputs: {issue_number: 1}}
  - {skill: issue.view, as: two, inputs: {issue_number: 2}}
outputs: {titles: $one.output.title}
",
    );
    let ran = workshop.run("outer", &rocket(json!({})));
    assert_eq!(ran["ok"], true, "{ran}");
    let (code, shown) = workshop.world.place.screen(&["trace", "show", "last"]);
    assert_eq!(code, 0, "{shown}");
    let _timeless = timeless();
    insta::assert_snapshot!("timeline", shown);
    let listed = workshop.world.capstan(&["trace", "list"]);
    assert_eq!(listed["data"]["traces"][0]["mode"], "skill", "{listed}");
}
