//! Views of one thing.

use insta::assert_snapshot;
use serde_json::{Value, json};

use crate::samples::{list, ok, read, shown, with_fields};

fn pull_request() -> Value {
    json!({
        "id": "PR_kwDOA9", "number": 49, "title": "Close the valve later", "state": "open", "draft": false,
        "url": "https://github.com/acme/rocket/pull/49", "author": "maya-chen", "head": "valve", "head_sha": "3f2a9c1",
        "base": "main", "body": "Fixes #45.\r\n\r\nThe valve closed  \ntoo early.\n", "labels": ["propulsion", "bug"],
        "review_decision": "changes_requested", "requested_reviewers": [], "merge_state": "blocked", "ready": false,
        "blockers": ["changes were requested", "the check e2e failed"],
        "additions": 31, "deletions": 0, "changed_files": 2, "comments": 0,
        "checks": {"total": 5, "passed": 3, "failed": 1, "pending": 0, "skipped": 1, "failing": ["e2e"]},
        "created_at": "2026-05-20T16:52:07Z", "updated_at": "2026-05-26T14:06:07Z",
    })
}

#[test]
fn a_pull_request_is_its_fields_and_then_its_text() {
    assert_snapshot!(shown(
        &ok(pull_request()),
        Some(&read("pr.view")),
        json!({})
    ));
}

#[test]
fn what_was_asked_for_is_told_even_if_there_is_none() {
    let envelope = ok(json!({"labels": [], "number": 49, "ready": true}));
    let text = with_fields(
        &envelope,
        &read("pr.view"),
        &["number", "labels", "milestone", "ready"],
    );
    assert_snapshot!(text, @"
    number: 49
    labels: none
    milestone: none
    ready: yes
    ");
}

#[test]
fn rows_in_an_object_are_a_small_table() {
    let envelope = ok(json!({
        "number": 49, "description": "x".repeat(201), "note": "",
        "reviews": [
            {"author": "priya-nair", "state": "approved", "at": "2026-05-26T14:06:07Z"},
            {"author": "tomas-silva", "state": "commented", "at": "2026-05-26T14:06:07Z"},
        ],
        "commit": {"sha": "3f2a", "verified": true, "signer": null},
        "stars": {"today": 0, "week": 0},
        "matrix": [[1, 2], [3]], "mixed": [1, {"a": 1}], "deep": {"a": {"b": [1]}},
    }));
    assert_snapshot!(shown(&envelope, Some(&read("pr.view")), json!({})));
}

#[test]
fn a_discussion_is_a_row_for_each_comment_with_its_whole_text() {
    let long = format!("{}end", "word ".repeat(60));
    let cut = "long… [cut: 400 of 900 characters; options.full=true or --full gives all]";
    let comment = |author: &str, at: &str, body: &str| json!({"author": author, "created_at": at, "body": body});
    let envelope = ok(json!({
        "number": 24, "body": "It leaks.", "comments": 3,
        "discussion": [
            comment("priya-nair", "2026-05-26T14:06:07Z", "Two\n\nparagraphs | and a bar"),
            comment("ghost", "2026-05-26T14:07:07Z", &long),
            comment("maya-chen", "2026-05-27T09:00:00Z", cut),
        ],
    }));
    let text = shown(
        &envelope,
        Some(&read("issue.view")),
        json!({"comments": true}),
    );
    let expected = format!(
        "number: 24\ncomments: 3\ndiscussion: author | created_at | body\n  \
         priya-nair | 2026-05-26 14:06 | Two paragraphs / and a bar\n  \
         ghost | 2026-05-26 14:07 | {long}\n  \
         maya-chen | 2026-05-27 09:00 | {cut}\n\nbody:\nIt leaks."
    );
    assert_eq!(text, expected);
}

#[test]
fn texts_that_the_engine_cut_say_so_themselves() {
    let cut = "long… [2000 of 9000 characters; `full` gives all]";
    let envelope = ok(json!({"number": 1, "body": cut}));
    let text = shown(&envelope, Some(&read("issue.view")), json!({}));
    assert_eq!(text, format!("number: 1\n\nbody:\n{cut}"));
}

#[test]
fn a_trace_that_was_asked_for_is_told() {
    use capstan_core::{AttemptMeta, AttemptStatus, Cost, ErrorCode, Route, Timings};
    let mut envelope = ok(json!({"number": 1, "body": "text"}));
    let attempt = |route, status, error_code, duration_ms, detail: Option<&str>| AttemptMeta {
        route,
        status,
        error_code,
        duration_ms,
        detail: detail.map(str::to_owned),
    };
    envelope.meta.attempts = Some(vec![
        attempt(
            Route::Graphql,
            AttemptStatus::Error,
            Some(ErrorCode::Network),
            Some(31),
            Some("refused"),
        ),
        attempt(
            Route::Cli,
            AttemptStatus::Skipped,
            None,
            None,
            Some("gh is not installed"),
        ),
        attempt(Route::Rest, AttemptStatus::Success, None, Some(120), None),
    ]);
    envelope.meta.timings = Some(Timings {
        total_ms: 160,
        adapter_ms: 151,
    });
    envelope.meta.cost = Some(Cost {
        tokens_in: Some(20),
        tokens_out: Some(90),
    });
    assert_snapshot!(shown(&envelope, Some(&read("issue.view")), json!({})));
}

#[test]
fn hostile_text_is_only_text() {
    let envelope = ok(json!({
        "title": "\u{1b}[2J\u{1b}]0;owned\u{7}Fix\u{202e}gnp.exe\u{0}",
        "author": "a\nstate: merged",
        "\u{1b}[31mkey": "v",
        "body": "one\u{1b}[8m\nhidden\u{2067}",
    }));
    assert_snapshot!(shown(&envelope, None, json!({})), @"
    title: Fixgnp.exe
    key: v

    author:
    a
    state: merged

    body:
    one
    hidden
    ");
}

#[test]
fn an_object_without_anything_is_shown_as_it_is() {
    let card = read("x.view");
    assert_eq!(shown(&ok(json!({})), Some(&card), json!({})), "{}");
    let nothing = json!({"a": null, "b": ""});
    assert_eq!(
        shown(&ok(nothing.clone()), Some(&card), json!({})),
        nothing.to_string()
    );
    let no_labels = json!({"a": null, "labels": []});
    assert_eq!(
        shown(&ok(no_labels), Some(&card), json!({})),
        "labels: none"
    );
    let card = list("x.list", "rows", None, None, &[]);
    assert_eq!(shown(&ok(json!({})), Some(&card), json!({})), "{}");
}
