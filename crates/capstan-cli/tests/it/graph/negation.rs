//! Intents that say what not to do: nothing of it is planned, and nobody is told that a plan is ready.

use serde_json::{Value, json};

use super::support::ok;
use crate::code::surface::{Server, World};

const CASES: &str = include_str!("../../../../capstan-bench/data/negations.jsonl");

fn cases(part: &str) -> Vec<Value> {
    let all = CASES.lines();
    let all = all.map(|line| serde_json::from_str::<Value>(line).unwrap());
    all.filter(|case| case["part"] == part).collect()
}

/// What is wrong with the answer to an intent, if anything is.
fn problem(server: &mut Server, case: &Value) -> Option<String> {
    let intent = case["intent"].as_str().unwrap();
    let told = server.execute(&json!({"intent": intent}));
    let data = ok(&told);
    let plan = &data["plan"];
    let steps = plan["steps"].as_array().cloned().unwrap_or_default();
    let tasks: Vec<_> = steps.iter().map(|it| it["task"].clone()).collect();
    let problem = match case["negated"].as_str() {
        Some(words) => {
            let named = data["negated"].as_array().cloned().unwrap_or_default();
            let is_named = |text: &Value| text.as_str().is_some_and(|it| it.contains(words));
            let note = told["meta"]["note"].as_str().unwrap_or_default();
            let never = case["never"].as_array().unwrap();
            let accepted = server.execute(&json!({"intent": intent, "accept": true}));
            if plan["ready"] == true || plan.get("accept").is_some() || data["confidence"] != "low"
            {
                Some("the plan is ready")
            } else if never.iter().any(|task| tasks.contains(task)) {
                Some("what is negated is planned")
            } else if !named.iter().any(is_named) || !note.contains(words) {
                Some("the words are not named")
            } else if accepted["error"]["code"] != "VALIDATION" {
                Some("it was run")
            } else {
                None
            }
        }
        None if data.get("negated").is_some() => Some("nothing is negated"),
        None if case.get("ready").is_some_and(|it| *it != plan["ready"]) => Some("not ready"),
        None => {
            let expected = case.get("tasks").and_then(Value::as_array);
            let differs = expected.is_some_and(|expected| *expected != tasks);
            differs.then_some("other tasks")
        }
    };
    problem.map(|problem| {
        format!(
            "{intent}: {problem}: {}",
            json!({"plan": plan, "negated": data["negated"], "note": told["meta"]["note"]})
        )
    })
}

fn problems(part: &str) -> Vec<String> {
    let world = World::demo();
    let mut mcp = world.mcp();
    let cases = cases(part);
    assert!(cases.len() >= 30, "{}", cases.len());
    let problems = cases.iter().filter_map(|case| problem(mcp.server(), case));
    problems.collect()
}

#[test]
fn a_negated_intent_is_never_ready_and_its_words_are_named() {
    let problems = problems("tune");
    assert!(problems.is_empty(), "{problems:#?}");
}

/// The same with intents by which nothing was chosen.
#[test]
fn a_negated_intent_is_never_ready_in_words_that_nothing_was_chosen_by() {
    let problems = problems("held_out");
    assert!(problems.is_empty(), "{problems:#?}");
}

/// What stays of an intent is planned without what it negates.
#[test]
fn approving_but_not_merging_never_plans_the_merge() {
    let world = World::demo();
    for intent in [
        "approve pr 27 in acme/rocket but do not merge it",
        "approve pr 27 in acme/rocket. Do not merge it.",
        "approve pr 27 in acme/rocket and don't merge",
        "do not merge pr 27 in acme/rocket, just approve it",
        "approve pr 27 in acme/rocket, never merge, close or label it",
    ] {
        let told = world.capstan(&["suggest", intent]);
        let plan = &ok(&told)["plan"];
        let steps = plan["steps"].as_array().cloned().unwrap_or_default();
        let tasks: Vec<_> = steps
            .iter()
            .map(|it| it["task"].as_str().unwrap())
            .collect();
        assert_eq!(tasks, ["pr.reviews.submit"], "{intent}: {told}");
        assert_eq!(plan["ready"], false, "{told}");
        assert!(plan.get("accept").is_none(), "{told}");
        // Nor by any code: a plan that is not ready has none.
        for accept in ["--accept", "--accept=00000000"] {
            let refused = world.capstan(&["suggest", intent, accept]);
            assert_eq!(refused["error"]["code"], "VALIDATION", "{refused}");
        }
    }
}

/// The note names a word of the intent, not the capability that was found.
#[test]
fn the_note_names_the_word_that_was_not_read() {
    let world = World::demo();
    for (intent, word) in [
        ("expedite closing issue 3 in acme/rocket", "`expedite`"),
        ("bulldoze issue 3 in acme/rocket closed", "`bulldoze`"),
        ("close issue 3 in acme/rocket tomorrow", "`tomorrow`"),
    ] {
        let told = world.capstan(&["suggest", intent]);
        let note = told["meta"]["note"].as_str().unwrap();
        let names_a_card = note.contains("stands for `issue.") || note.contains("stands for `pr.");
        assert!(!names_a_card, "{note}");
        if ok(&told)["confidence"] == "high" {
            assert!(note.contains(word), "{note}");
        }
    }
}
