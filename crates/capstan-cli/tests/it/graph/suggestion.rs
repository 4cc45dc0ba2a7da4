//! What to run for an intent, and running it.

use std::collections::BTreeSet;

use serde_json::{Value, json};

use super::ok;
use crate::code::surface::World;

fn suggested(world: &World, intent: &str) -> Value {
    let answer = world.capstan(&["suggest", intent]);
    ok(&answer).clone()
}

/// The factors are told, and their product is the score.
#[test]
fn every_factor_is_told() {
    let world = World::demo();
    let data = suggested(&world, "merge the pull request");
    let suggestions = data["suggestions"].as_array().unwrap();
    assert_eq!(suggestions[0]["capability"], "pr.merge");
    assert!(suggestions.len() <= 5);
    for it in suggestions {
        let number = |field: &str| it[field].as_f64().unwrap();
        let product = number("relevance") * number("reliability");
        assert!((number("score") - product).abs() < 0.011, "{it}");
        assert!(!it["why"].as_str().unwrap().is_empty(), "{it}");
    }
}

#[test]
fn what_nothing_fits_is_said_to_be_so() {
    let world = World::demo();
    for intent in ["bake a sourdough bread", "what is the weather in Oslo"] {
        let answer = world.capstan(&["suggest", intent]);
        assert_eq!(ok(&answer)["confidence"], "low", "{answer}");
        assert!(answer["meta"]["note"].is_string(), "{answer}");
        let accepted = world.capstan(&["suggest", intent, "--accept"]);
        assert_eq!(accepted["error"]["code"], "VALIDATION", "{accepted}");
    }
}

#[test]
fn several_things_to_do_are_a_plan_that_can_be_sent() {
    let world = World::demo();
    let intent = "close issue 3 in acme/rocket and reopen issue 3";
    let data = suggested(&world, intent);
    let plan = &data["plan"];
    assert_eq!(plan["ready"], true, "{data}");
    let tasks: Vec<_> = plan["steps"]
        .as_array()
        .unwrap()
        .iter()
        .map(|it| &it["task"])
        .collect();
    assert_eq!(tasks, ["issue.close", "issue.reopen"]);
    let mut mcp = world.mcp();
    let sent = mcp.server().execute(&json!({"steps": plan["steps"]}));
    assert_eq!(sent["status"], "success", "{sent}");
    let accepted = mcp
        .server()
        .execute(&json!({"intent": intent, "accept": true}));
    assert_eq!(accepted["status"], "success", "{accepted}");
}

#[test]
fn what_is_missing_is_told_before_anything_is_run() {
    let world = World::demo();
    let intent = "comment on issue 3 in acme/rocket";
    let refused = world.capstan(&["suggest", intent, "--accept"]);
    assert_eq!(refused["error"]["code"], "VALIDATION", "{refused}");
    let message = refused["error"]["message"].as_str().unwrap();
    assert!(
        message.contains("body of issue.comments.create"),
        "{message}"
    );
    let input = r#"{"body":"Done."}"#;
    let done = world.capstan(&["suggest", intent, "--accept", "--input", input]);
    assert_eq!(done["ok"], true, "{done}");
    assert_eq!(done["meta"]["capability_id"], "issue.comments.create");
}

#[test]
fn accept_goes_with_an_intent_alone() {
    let world = World::demo();
    let mut mcp = world.mcp();
    for wrong in [
        json!({"accept": true}),
        json!({"accept": true, "intent": "x", "capability": "issue.view"}),
        json!({"accept": true, "intent": "x", "code": "return 1"}),
        json!({"accept": "yes", "intent": "x"}),
    ] {
        let answer = mcp.server().execute(&wrong);
        assert_eq!(answer["error"]["code"], "VALIDATION", "{wrong} {answer}");
    }
}

/// Forty intents that need several capabilities: what an expert would use is among the first five.
#[test]
fn plans_hold_what_is_needed() {
    let world = World::demo();
    let cases = include_str!("../../../../capstan-bench/data/multi_step.jsonl");
    let (mut right, mut wrong) = (0, Vec::new());
    for line in cases.lines() {
        let case: Value = serde_json::from_str(line).unwrap();
        let intent = case["intent"].as_str().unwrap();
        let data = suggested(&world, intent);
        let names = |all: &Value, field: Option<&str>| -> BTreeSet<String> {
            let all = all.as_array().unwrap().iter();
            let names = all.map(|it| field.map_or(it, |field| &it[field]));
            names.map(|it| it.as_str().unwrap().to_owned()).collect()
        };
        let wanted = names(&case["capabilities"], None);
        let got = names(&data["suggestions"], Some("capability"));
        match wanted.is_subset(&got) {
            true => right += 1,
            false => wrong.push((intent.to_owned(), wanted, got)),
        }
    }
    assert!(right >= 32, "{right} of 40: {wrong:#?}");
}
