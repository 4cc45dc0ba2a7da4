//! Tests of writing inputs as lines.

use serde_json::{Value, json};

use capstan_core::card::Card;
use capstan_lines::{Defaults, parse, write};

use crate::samples::{issue_close, issue_create, kinds, pr_merge, threads_reply};

fn check(card: &Card, input: &Value, line: &str) {
    let input = input.as_object().unwrap();
    assert_eq!(write(card, input), line);
    let bound = parse(line).unwrap().bind(1, card, &Defaults::default());
    assert_eq!(&bound.expect(line).input, input);
}

#[test]
fn inputs_are_written_as_people_would() {
    check(
        &issue_close(),
        &json!({ "owner": "o", "repo": "r", "issue_number": 43, "reason": "not_planned", "comment": "it's done" }),
        "issue.close 43 --repo o/r --reason not_planned --comment \"it's done\"",
    );
    check(
        &pr_merge(),
        &json!({ "owner": "$r.data.owner", "repo": "r", "pr_number": "$p.data.number", "admin": true }),
        "pr.merge '$p.data.number' --owner '$r.data.owner' --repo r --admin",
    );
    check(
        &threads_reply(),
        &json!({ "thread_id": "PRRT_1", "body": "body=x" }),
        "pr.threads.reply PRRT_1 --body 'body=x'",
    );
}

#[test]
fn what_could_mean_something_else_is_written_so_that_it_does_not() {
    for (milestone, written) in [
        (json!(3), "--milestone 3"),
        (json!("3"), "--milestone '\"3\"'"),
        (json!("\"3\""), "--milestone '\"\\\"3\\\"\"'"),
        (json!("v1"), "--milestone v1"),
        (json!("null"), "--milestone null"),
        (json!(null), "milestone=null"),
        (json!(-3), "--milestone=-3"),
    ] {
        let input = json!({ "owner": "o", "repo": "r", "title": "--x", "milestone": milestone });
        let line = format!("issue.create --repo o/r --title=--x {written}");
        check(&issue_create(), &input, &line);
    }
    check(
        &kinds(),
        &json!({ "nullable_text": null, "draft": false, "numbers": [1, 2], "filter": { "a": "$b.c" }, "whatever": "true" }),
        "a.kinds nullable_text=null --draft=false --numbers '[1,2]' --filter '{\"a\":\"$b.c\"}' --whatever '\"true\"'",
    );
}
