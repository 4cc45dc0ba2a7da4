//! What a person sees of a chain on a terminal.

use serde_json::{Value, json};

use super::steps::{failed, partial, rejected, success, view};
use crate::cli::harness::{Github, Place};

/// The exit code and what stands on the terminal in the end, against the simulator.
fn shown(steps: &Value, args: &[&str]) -> String {
    let github = Github::demo();
    shown_at(&Place::new().online(&github), steps, args)
}

fn shown_at(place: &Place, steps: &Value, args: &[&str]) -> String {
    place.write("steps.json", steps.to_string());
    let (code, text) = place.screen(&[&["chain", "steps.json"], args].concat());
    format!("exit {code}\n{}", timeless(&text))
}

/// How long it took is different every time.
fn timeless(text: &str) -> String {
    let mut parts: Vec<_> = text.split(" ms").collect();
    let last = parts.pop().unwrap_or_default();
    let timeless = |part: &str| {
        let before = part.trim_end_matches(|c: char| c.is_ascii_digit());
        format!("{before}[n] ms")
    };
    parts.into_iter().map(timeless).collect::<String>() + last
}

#[test]
fn ten_steps_that_succeed() {
    insta::assert_snapshot!(shown(&success(), &[]));
}

#[test]
fn some_fail_and_others_depend_on_them() {
    insta::assert_snapshot!(shown(&partial(), &[]));
}

#[test]
fn all_fail() {
    insta::assert_snapshot!(shown(&failed(), &[]));
}

#[test]
fn a_chain_that_is_rejected() {
    insta::assert_snapshot!(shown(&rejected(), &[]));
}

#[test]
fn without_a_token() {
    insta::assert_snapshot!(shown_at(&Place::new(), &json!([view(1), view(2)]), &[]));
}

#[test]
fn attempts() {
    insta::assert_snapshot!(shown(
        &json!([view(1), view(4242)]),
        &["--trace", "--route", "rest"]
    ));
}

#[test]
fn no_repository() {
    let steps = json!([{"task": "repo.view"}, {"task": "issue.list"}]);
    insta::assert_snapshot!(shown(&steps, &[]));
}

#[test]
fn help() {
    insta::assert_snapshot!(Place::new().terminal("chain --help"));
}

/// Names and ids come from a file that anybody may have written, texts from GitHub.
#[test]
fn nothing_in_a_file_steers_the_terminal() {
    let github = Github::demo();
    let place = Place::new().online(&github);
    let evil = "\u{1b}[2Jred\u{7}\u{9b}1A\r\u{202e}";
    let chains = [
        json!([
            {"task": evil, "as": evil, "input": {evil: evil}},
            {"task": "issue.view", "as": evil, "input": {"owner": evil, "repo": "x", "issue_number": 1}},
        ]),
        json!([{"task": "repo.view", "input": {"owner": evil, "repo": "x"}}]),
        // These never get as far as the engine.
        json!([{"task": "repo.view", evil: 1}]),
        json!([{"task": "repo.view", "options": {"route": evil}}]),
    ];
    for steps in chains {
        place.write("steps.json", steps.to_string());
        for args in [&[][..], &["--dry-run"], &["--trace"]] {
            let (_, text) = place.raw_terminal(&[&["chain", "steps.json"], args].concat());
            let plain = crate::cli::harness::without_colours(&text);
            // The line of progress is written over with carriage returns; nothing else may have one.
            let (_, said) = plain.rsplit_once("steps\r").unwrap_or(("", &plain));
            let said = said.trim_start_matches([' ', '\r']);
            let steers = |c: char| (c.is_control() && c != '\n') || c == '\u{202e}';
            assert!(!said.contains(steers), "{steps} {args:?}: {plain:?}");
        }
    }
}
