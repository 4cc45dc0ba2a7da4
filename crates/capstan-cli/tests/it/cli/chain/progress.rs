//! How far a chain is, on a terminal.

use serde_json::{Value, json};

use super::steps::{step, view};
use crate::cli::harness::{Github, Place, without_colours};

/// What was shown between the beginning and the end.
fn told(text: &str) -> Vec<&str> {
    let first_line = text.split('\n').next().unwrap();
    let parts = first_line.split('\r').map(str::trim);
    parts.filter(|part| part.ends_with(" steps")).collect()
}

#[test]
fn one_line_is_written_over_and_cleared_in_the_end() {
    let github = Github::demo();
    let place = Place::new().online(&github);
    let steps = json!([
        view(1),
        step("issue.close", json!({"issue_number": "$0.data.number"})),
        step("issue.reopen", json!({"issue_number": "$1.data.number"})),
    ]);
    place.write("steps.json", steps.to_string());
    let (_, text) = place.raw_terminal(&["chain", "steps.json"]);
    let plain = without_colours(&text);
    assert_eq!(
        told(&plain),
        [
            "0 of 3 steps",
            "1 of 3 steps",
            "2 of 3 steps",
            "3 of 3 steps"
        ],
        "{plain:?}"
    );
    let (code, screen) = place.screen(&["chain", "steps.json"]);
    assert_eq!(code, 0);
    assert!(!screen.contains(" of 3 steps"), "{screen}");
    assert!(screen.starts_with("0  ok"), "{screen}");
}

#[test]
fn in_a_pipe_and_beside_logs_nothing_is_told() {
    let github = Github::demo();
    let place = Place::new().online(&github);
    place.write("steps.json", json!([view(1), view(2)]).to_string());
    assert_eq!(place.line("chain steps.json").stderr, "");
    let place = place.env("CAPSTAN_LOG", "error");
    let (_, text) = place.raw_terminal(&["chain", "steps.json"]);
    assert!(!text.contains('\r'), "{text:?}");
}

#[test]
fn five_hundred_steps() {
    let github = Github::demo();
    let place = Place::new().online(&github);
    let comment = |index: u64| {
        let body = format!("Remark {index}");
        step(
            "issue.comments.create",
            json!({"issue_number": 1 + index % 5, "body": body}),
        )
    };
    let steps: Vec<Value> = (0..500).map(comment).collect();
    place.write("steps.json", Value::Array(steps).to_string());
    let (code, text) = place.raw_terminal(&["chain", "steps.json"]);
    let plain = without_colours(&text);
    assert_eq!(code, 0, "{plain}");
    let counts: Vec<u32> = told(&plain)
        .iter()
        .map(|line| line.split(' ').next().unwrap().parse().unwrap())
        .collect();
    assert!(counts.is_sorted(), "{counts:?}");
    assert_eq!((counts[0], *counts.last().unwrap()), (0, 500));
    // 25 comments travel together.
    assert!(counts.len() >= 20, "{counts:?}");
    let summary = plain.trim_end().lines().last().unwrap();
    assert!(summary.starts_with("500 ok · 21 requests · "), "{summary}");
}
