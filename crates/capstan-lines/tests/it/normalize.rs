//! Tests of JSON inputs with other people's names.

use serde_json::{Value, json};

use capstan_core::card::Card;
use capstan_lines::{Defaults, normalize_input};

use crate::samples::{
    card, defaults, issue_close, issue_create, issue_list, kinds, pr_merge, repo_view,
    threads_reply,
};

fn settled(card: &Card, input: &Value) -> Result<Value, String> {
    let input = input.as_object().unwrap().clone();
    let settled = normalize_input(card, input, &Defaults::default());
    settled.map(Value::Object).map_err(|wrong| wrong.problem)
}

#[test]
fn a_repository_beside_an_id_says_nothing_more() {
    let reply = threads_reply();
    let expected = json!({ "thread_id": "PRRT_1", "body": "Done." });
    for beside in [
        json!({ "owner": "o", "repo": "r", "pullNumber": 49 }),
        json!({ "repository": "o/r", "pr_number": 49 }),
        json!({ "repo": "o/r" }),
    ] {
        let mut input = expected.clone();
        let beside = beside.as_object().unwrap().clone();
        input.as_object_mut().unwrap().extend(beside);
        assert_eq!(settled(&reply, &input), Ok(expected.clone()), "{input}");
    }
    // A key with another meaning is not ignored.
    let other = json!({ "thread_id": "PRRT_1", "body": "Done.", "issue": 7 });
    assert_eq!(settled(&reply, &other), Ok(other.clone()));
}

#[test]
fn names_and_spellings_are_settled() {
    let close = issue_close();
    let expected =
        json!({ "owner": "o", "repo": "r", "issue_number": 43, "reason": "not_planned" });
    for input in [
        json!({ "owner": "o", "repo": "r", "issue_number": 43, "reason": "not_planned" }),
        json!({ "repo": "o/r", "number": 43, "reason": "NOT_PLANNED" }),
        json!({ "repository": "o/r", "issueNumber": "43", "reason": "not planned" }),
        json!({ "owner": "o", "repo": "o/r", "issue-number": "#43", "reason": "Not-Planned" }),
        json!({ "pull_number": "https://github.com/o/r/issues/43", "reason": "not_planned" }),
        json!({ "number": "o/r#43", "repo": "github.com/o/r", "reason": "not_planned" }),
        json!({ "number": "o/r#43", "repo": "r", "owner": "o", "reason": "not_planned" }),
    ] {
        assert_eq!(settled(&close, &input), Ok(expected.clone()), "{input}");
    }
    let list = issue_list();
    for key in ["first", "limit", "perPage", "per_page"] {
        let input = json!({ "owner": "o", "repo": "r", key: 5 });
        assert_eq!(
            settled(&list, &input),
            Ok(json!({ "owner": "o", "repo": "r", "first": 5 })),
            "{key}"
        );
    }
    assert_eq!(
        settled(
            &pr_merge(),
            &json!({ "repo": "o/r", "pullNumber": 1, "squash": true, "rebase": false })
        ),
        Ok(json!({ "owner": "o", "repo": "r", "pr_number": 1, "method": "squash" }))
    );
    assert_eq!(
        settled(
            &issue_create(),
            &json!({ "repo": "o/r", "label": "a, b", "assignee": ["c"] })
        ),
        Ok(json!({ "owner": "o", "repo": "r", "labels": ["a", "b"], "assignees": ["c"] }))
    );
    assert_eq!(
        settled(
            &kinds(),
            &json!({ "levels": ["LOW"], "draft": "true", "nullableText": null })
        ),
        Ok(json!({ "levels": ["low"], "draft": true, "nullable_text": null }))
    );
}

#[test]
fn the_default_repository_is_filled_in() {
    let settled = |input: Value| {
        let input = input.as_object().unwrap().clone();
        Value::Object(normalize_input(&repo_view(), input, &defaults()).unwrap())
    };
    assert_eq!(
        settled(json!({})),
        json!({ "owner": "acme", "repo": "rocket" })
    );
    assert_eq!(settled(json!({ "repo": "x" })), json!({ "repo": "x" }));
    assert_eq!(
        settled(json!({ "repo": "o/x" })),
        json!({ "owner": "o", "repo": "x" })
    );
}

#[test]
fn what_cannot_be_settled_is_left_alone() {
    for input in [
        json!({ "count": "many", "unknown": 1, "draft": "maybe", "filter": "x" }),
        json!({ "count": "$bugs.data.count", "level": "$bugs.data.level", "text": "$bugs.number" }),
        json!({ "text": 5, "numbers": 5, "level": 5 }),
    ] {
        assert_eq!(settled(&kinds(), &input), Ok(input));
    }
    let short = json!({ "owner": "o", "repo": "r", "issue_number": 1, "c": "x", "R": "a/b" });
    assert_eq!(settled(&issue_close(), &short), Ok(short));
}

#[test]
fn what_contradicts_is_a_correction() {
    for (input, said) in [
        (
            json!({ "repo": "o/r", "label": "a", "labels": ["b"] }),
            "`label` and `labels` mean the same: give one",
        ),
        (
            json!({ "repo": "o/r", "repository": "o/r" }),
            "`repo` and `repository` mean the same: give one",
        ),
        (
            json!({ "repo": "git.example.com/o/r" }),
            "`git.example.com/o/r` is on `git.example.com`: only github.com can be reached from here",
        ),
        (
            json!({ "owner": "acme", "repo": "o/r" }),
            "`owner` is `acme`, and `o/r` names `o/r`: give one",
        ),
    ] {
        assert_eq!(settled(&issue_create(), &input), Err(said.to_owned()));
    }
    let input = json!({ "repo": "o/r", "number": "x/y#1", "reason": "maybe" });
    assert_eq!(
        settled(&issue_close(), &input),
        Err("`reason` cannot be `maybe`: expected completed, not_planned; `o/r` and `x/y#1` name different repositories: give one".to_owned())
    );
}

#[test]
fn a_name_with_a_slash_is_left_where_it_is_allowed() {
    let free = card(
        "a.free",
        json!({ "properties": { "owner": { "type": "string" }, "repo": { "type": "string" } } }),
    );
    for input in [
        json!({ "owner": "x", "repo": "a/b" }),
        json!({ "repo": "a/b" }),
    ] {
        assert_eq!(settled(&free, &input), Ok(input));
    }
}
