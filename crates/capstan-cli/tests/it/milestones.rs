//! A milestone that is not there is answered with those that are, alone and in a chain.

use capstan_core::{ErrorCode, Options};
use serde_json::json;

use crate::binary::capstan;
use crate::support::Bench;

const SAID: &str =
    "no milestone `v9` in acme/rocket; it has `v1.0 Static fire`, `v1.1 Hop test`, `v2.0 Orbital`";

#[tokio::test]
async fn a_title_that_no_milestone_has_is_answered_with_those_that_there_are() {
    let bench = Bench::demo().await;
    let target = |mut input: serde_json::Value| {
        input["owner"] = json!("acme");
        input["repo"] = json!("rocket");
        input["milestone"] = json!("v9");
        input
    };
    for (capability, input) in [
        ("issue.create", target(json!({"title": "Igniter"}))),
        ("issue.milestone.set", target(json!({"issue_number": 1}))),
    ] {
        let refused = bench.run(capability, &input, Options::default()).await;
        let error = refused.error.expect(capability);
        assert_eq!(error.code, ErrorCode::NotFound, "{capability}");
        assert_eq!(error.message, SAID, "{capability}");
        assert_eq!(error.details["outcome"], "not_applied", "{capability}");
    }
}

/// On the command line a number is a number; a title that looks like one is said with `:=`.
#[test]
fn on_the_command_line_a_word_of_digits_is_a_number() {
    let run = |milestone: &str| {
        let args = [
            "--demo",
            "--json",
            "run",
            "issue.create",
            "-R",
            "acme/rocket",
            "title=x",
        ];
        let output = capstan(&[&args[..], &[milestone]].concat());
        String::from_utf8_lossy(&output.stdout).into_owned()
    };
    assert!(run("milestone=2").contains("\"milestone\":\"v1.1 Hop test\""));
    assert!(run("milestone=v2.0 Orbital").contains("\"milestone_number\":3"));
    assert!(run("milestone:=\"2\"").contains("no milestone `2` in acme/rocket"));
}
