//! What a program gets of a chain: one line of JSON, or TOON.

use capstan_engine::from_toon;
use github_sim::{Fault, FaultKind};
use serde_json::{Value, json};

use super::steps::{failed, named, partial, rejected, step, success, view};
use crate::cli::harness::{Github, Place, Ran};
use crate::support::with_joined_cells;

fn ran(steps: &Value, args: &[&str]) -> Ran {
    let github = Github::demo();
    let place = Place::new().online(&github);
    place.write("steps.json", steps.to_string());
    let ran = place.run(&[&["chain", "steps.json"], args].concat());
    assert_eq!(ran.stderr, "", "{steps}");
    assert_eq!(ran.stdout.lines().count(), 1, "{}", ran.stdout);
    ran
}

#[test]
fn a_part_of_it_fails() {
    let mut steps = partial();
    steps[0]["options"] = json!({"fields": ["number", "title"]});
    insta::assert_snapshot!(ran(&steps, &[]).all());
}

#[test]
fn it_is_rejected() {
    insta::assert_snapshot!(ran(&rejected(), &[]).all());
}

/// One step can prove that it happened, the other cannot; what comes after is not sent.
#[test]
fn an_answer_is_lost() {
    let github = Github::demo();
    let lost = Fault::once(FaultKind::ResetAfter).on_writes();
    github.sim.inject(lost);
    let place = Place::new().online(&github);
    let steps = json!([
        step("issue.close", json!({"issue_number": 1})),
        named("made", step("issue.create", json!({"title": "Look again"}))),
        step("issue.close", json!({"issue_number": "$made.data.number"})),
        step("issue.list", json!({"first": 1})),
    ]);
    let ran = place.run_with(&["chain", "-"], steps.to_string().as_bytes());
    insta::assert_snapshot!(ran.all());
    let written = github.sim.requests().iter().filter(|it| it.applied).count();
    assert_eq!(written, 1, "nothing was sent twice");
}

#[test]
fn results_come_in_the_order_of_the_steps() {
    let ran = ran(&success(), &[]);
    assert_eq!(ran.code, 0, "{ran:?}");
    let envelope = ran.json();
    assert_eq!(envelope["status"], "success");
    let results = envelope["results"].as_array().unwrap();
    let tasks: Vec<_> = results.iter().map(|it| it["task"].clone()).collect();
    let steps = success();
    let asked: Vec<_> = steps.as_array().unwrap().iter().collect();
    let asked: Vec<_> = asked.iter().map(|it| it["task"].clone()).collect();
    assert_eq!(tasks, asked);
    assert_eq!(results[0]["as"], "issue");
    assert_eq!(results[8]["meta"]["route_used"], "rest");
    assert_eq!(envelope["meta"]["route_used"], "graphql");
    assert!(envelope["meta"].get("timings").is_none(), "{envelope}");
}

#[test]
fn both_text_forms_say_the_same() {
    for steps in [success(), partial(), failed(), rejected()] {
        let answer = |format: &str| {
            let github = Github::demo();
            let place = Place::new().online(&github);
            place.write("steps.json", steps.to_string());
            place.run(&["chain", "steps.json", "--full", "--format", format])
        };
        let (json, toon) = (answer("json"), answer("toon"));
        assert_eq!(json.code, toon.code);
        let read = from_toon(&toon.stdout);
        let said = with_joined_cells(json.json());
        assert_eq!(read.as_ref(), Ok(&said), "{}", toon.stdout);
    }
}

/// `--json` gives on a terminal what a pipe gets.
#[test]
fn json_on_a_terminal() {
    let github = Github::demo();
    let place = Place::new().online(&github);
    place.write("steps.json", json!([view(1), view(2)]).to_string());
    let piped = place.line("chain steps.json");
    let (code, screen) = place.screen(&["chain", "steps.json", "--json"]);
    assert_eq!((code, screen), (piped.code, piped.stdout));
}
