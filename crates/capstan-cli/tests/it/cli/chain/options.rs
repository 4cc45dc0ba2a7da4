//! What the command line and the file say about how to run: the command line wins, then the step.

use serde_json::{Value, json};

use super::steps::{step, view};
use crate::cli::harness::{Github, Place, Ran};

fn ran(chain: &Value, args: &[&str]) -> Ran {
    let github = Github::demo();
    let place = Place::new().online(&github);
    place.run_with(
        &[&["chain", "-"], args].concat(),
        chain.to_string().as_bytes(),
    )
}

fn with_options(mut step: Value, options: Value) -> Value {
    step["options"] = options;
    step
}

/// The fields of each step's data.
fn fields(ran: &Ran) -> Vec<Vec<String>> {
    let envelope = ran.json();
    let results = envelope["results"].as_array().unwrap().iter();
    results
        .map(|it| it["data"].as_object().unwrap().keys().cloned().collect())
        .collect()
}

#[test]
fn a_step_wins_over_its_chain_and_the_command_line_over_both() {
    let chain = json!({
        "options": {"fields": ["number"]},
        "steps": [view(1), with_options(view(2), json!({"fields": ["title"]}))]
    });
    assert_eq!(fields(&ran(&chain, &[])), [["number"], ["title"]]);
    let forced = ran(&chain, &["--fields", "state"]);
    assert_eq!(fields(&forced), [["state"], ["state"]]);
}

#[test]
fn a_field_that_a_step_does_not_have_rejects_the_chain() {
    let ran = ran(
        &json!([view(1), step("repo.view", json!({}))]),
        &["--fields", "title"],
    );
    assert_eq!(ran.code, 2, "{ran:?}");
    let message = ran.json()["results"][1]["error"]["message"].to_string();
    assert!(message.contains("there is no field `title`"), "{message}");
}

#[test]
fn a_route_of_the_command_line_is_forced_upon_all() {
    let steps = json!([view(1), with_options(view(2), json!({"route": "graphql"}))]);
    let ran = ran(&steps, &["--route", "rest"]);
    assert_eq!(ran.code, 0, "{ran:?}");
    let meta = ran.json()["meta"].clone();
    assert_eq!(meta["route_used"], "rest");
    assert_eq!(meta["requests"], 2);
    let results = ran.json()["results"].clone();
    assert!(results[1].get("meta").is_none(), "{results}");
}

#[test]
fn a_trace_tells_attempts_and_times() {
    for (chain, args) in [
        (json!([view(1), view(2)]), &["--trace"][..]),
        (
            json!({"steps": [view(1), view(2)], "options": {"trace": true}}),
            &[],
        ),
    ] {
        let envelope = ran(&chain, args).json();
        assert!(
            envelope["meta"]["timings"]["total_ms"].is_u64(),
            "{envelope}"
        );
        for result in envelope["results"].as_array().unwrap() {
            assert_eq!(result["meta"]["attempts"][0]["status"], "success");
        }
    }
    let one = json!([with_options(view(1), json!({"trace": true})), view(2)]);
    let envelope = ran(&one, &[]).json();
    let traced = |step: usize| envelope["results"][step]["meta"]["attempts"].is_array();
    assert!(traced(0) && !traced(1), "{envelope}");
}

#[test]
fn the_file_chooses_the_text_unless_the_command_line_does() {
    let chain = json!({"steps": [view(1)], "options": {"format": "toon"}});
    assert!(ran(&chain, &[]).stdout.starts_with("status: success\n"));
    assert!(ran(&chain, &["--format", "json"]).stdout.starts_with('{'));
}

#[test]
fn a_chain_has_its_time() {
    let github = Github::demo();
    let place = Place::new().online(&github);
    github
        .sim
        .inject(github_sim::Fault::always(github_sim::FaultKind::HangBefore));
    for (chain, args) in [
        (json!([view(1), view(2)]), &["--timeout-ms", "300"][..]),
        (
            json!({"steps": [view(1), view(2)], "options": {"timeout_ms": 300}}),
            &[],
        ),
        (
            json!({"steps": [view(1)], "options": {"timeout_ms": 60_000}}),
            &["--timeout-ms", "300"],
        ),
    ] {
        let args = [&["chain", "-", "--route", "graphql"], args].concat();
        let ran = place.run_with(&args, chain.to_string().as_bytes());
        assert_eq!(ran.code, 1, "{ran:?}");
        assert_eq!(ran.json()["results"][0]["error"]["code"], "NETWORK");
    }
}
