//! Writes: one line each.

use capstan_core::{ResultEnvelope, card::Card};
use capstan_view::{ViewContext, view_result};
use serde_json::{Value, json};

use crate::samples::{map, meta, ok, shown, with_fields, write};

fn line(id: &str, data: Value, input: Value) -> String {
    shown(&ok(data), Some(&write(id)), input)
}

const URL: &str = "https://github.com/acme/rocket/issues/45";

#[test]
fn what_was_set_is_echoed() {
    let closed = |changed: bool| {
        json!({"id": "I_1", "number": 45, "title": "Leak", "state": "closed", "state_reason": "not_planned",
               "url": URL, "changed": changed})
    };
    let input = || json!({"issue_number": 45, "reason": "not_planned"});
    assert_eq!(
        line("issue.close", closed(true), input()),
        "#45 closed (not_planned)"
    );
    assert_eq!(
        line("issue.close", closed(false), input()),
        "#45 closed (not_planned); already so, nothing changed"
    );
    for (id, data, input, text) in [
        (
            "issue.labels.add",
            json!({"number": 45, "labels": ["bug", "big, red"], "url": URL, "changed": true}),
            json!({"labels": ["bug"]}),
            "#45 labels bug; big, red",
        ),
        (
            "issue.labels.remove",
            json!({"number": 45, "labels": [], "url": URL, "changed": true}),
            json!({"label": "bug"}),
            "#45 labels none",
        ),
        (
            "issue.milestone.set",
            json!({"number": 45, "milestone": "v2.0", "milestone_number": 3, "url": URL, "changed": true}),
            json!({"milestone": 3}),
            "#45 milestone v2.0",
        ),
        (
            "issue.milestone.set",
            json!({"number": 45, "url": URL, "changed": true}),
            json!({"milestone": null}),
            "#45 milestone none",
        ),
        (
            "issue.update",
            json!({"id": "I_1", "number": 45, "title": "Leak", "url": URL, "changed": true}),
            json!({"body": "New"}),
            "#45 updated",
        ),
        (
            "issue.update",
            json!({"id": "I_1", "number": 45, "title": "Leak", "url": URL, "changed": true}),
            json!({"title": "Leak"}),
            "#45 updated, title Leak",
        ),
        (
            "issue.update",
            json!({"id": "I_1", "number": 45, "title": "Leak", "url": URL, "changed": false}),
            json!({"body": "New"}),
            "#45; already so, nothing changed",
        ),
        (
            "pr.merge",
            json!({"number": 49, "sha": "3f2a9c1", "url": URL, "changed": true}),
            json!({}),
            "#49 merged, sha 3f2a9c1",
        ),
        (
            "pr.threads.resolve",
            json!({"id": "PRRT_1", "path": "src/valve.rs", "resolved": true, "changed": true}),
            json!({}),
            "thread on src/valve.rs resolved",
        ),
        (
            "pr.threads.resolve",
            json!({"id": "PRRT_1", "path": "src/valve.rs", "resolved": true, "changed": false}),
            json!({}),
            "thread on src/valve.rs resolved; already so, nothing changed",
        ),
        (
            "pr.threads.reply",
            json!({"id": "IC_1", "url": URL, "pr_number": 49, "path": "src/valve.rs", "resolved": false}),
            json!({"thread_id": "PRRT_1", "body": "Done."}),
            "replied to src/valve.rs in #49, thread unresolved",
        ),
        (
            "pr.threads.reply",
            json!({"id": "PRRT_1", "url": URL, "pr_number": 49, "path": "src/valve.rs", "resolved": true, "changed": true}),
            json!({"thread_id": "PRRT_1", "body": "Done.", "resolve": true}),
            "replied to src/valve.rs in #49, thread resolved",
        ),
        (
            "pr.threads.reply",
            json!({"id": "IC_1", "url": URL, "pr_number": 49, "path": "src/valve.rs"}),
            json!({"thread_id": "PRRT_1", "body": "Done."}),
            "replied to src/valve.rs in #49",
        ),
    ] {
        assert_eq!(line(id, data, input), text, "{id}");
    }
}

#[test]
fn what_is_new_has_a_number_or_an_address() {
    for (id, data, text) in [
        (
            "issue.create",
            json!({"id": "I_1", "number": 45, "url": URL}),
            "#45 created".to_owned(),
        ),
        (
            "issue.create",
            json!({"id": "I_1", "number": 45, "url": URL, "milestone": "v2.0"}),
            "#45 created, milestone v2.0".to_owned(),
        ),
        (
            "issue.comments.create",
            json!({"id": "IC_1", "url": URL}),
            format!("created: {URL}"),
        ),
        (
            "pr.threads.reply",
            json!({"id": "IC_1", "url": URL}),
            "replied".to_owned(),
        ),
        (
            "pr.reviews.submit",
            json!({"id": "PRR_1", "state": "changes_requested", "url": URL}),
            "changes_requested".to_owned(),
        ),
        (
            "repo.hooks.poke",
            json!({"id": 7, "url": URL}),
            URL.to_owned(),
        ),
        ("repo.hooks.poke", json!({"id": 7}), "id 7".to_owned()),
        ("repo.hooks.poke", json!({}), "done".to_owned()),
    ] {
        assert_eq!(line(id, data, json!({"title": "Leak"})), text, "{id}");
    }
}

#[test]
fn fields_that_were_asked_for_are_told() {
    let envelope = ok(json!({"id": "I_1", "title": "Leak", "url": URL}));
    let text = with_fields(&envelope, &write("issue.close"), &["title", "id", "url"]);
    assert_eq!(text, format!("closed, title Leak, id I_1: {URL}"));
}

#[test]
fn warnings_stand_below() {
    let mut envelope = ok(json!({"number": 45, "state": "open", "changed": true}));
    envelope
        .meta
        .warnings
        .push("GitHub dropped the assignee `bob`".to_owned());
    let text = shown(&envelope, Some(&write("issue.reopen")), json!({}));
    assert_eq!(text, "#45 open\nwarning: GitHub dropped the assignee `bob`");
}

#[test]
fn a_write_without_data_is_done() {
    let envelope = ResultEnvelope {
        ok: true,
        data: None,
        error: None,
        meta: meta(),
    };
    assert_eq!(
        shown(&envelope, Some(&write("issue.pin")), json!({})),
        "done"
    );
}

/// Tools only claim to write, so their data is shown like any other.
#[test]
fn tools_that_write_are_shown_whole() {
    use capstan_core::card::{CallRoute, Operation};
    use capstan_core::{CapabilityId, Route};
    let call = CallRoute {
        route: Route::Mcp,
        target: "files.put".to_owned(),
    };
    let tool = Card::of_call(CapabilityId::given("files.put"), call, Operation::Write);
    let text = shown(
        &ok(json!({"id": 7, "url": URL, "changed": true})),
        Some(&tool),
        json!({}),
    );
    assert_eq!(text, format!("id: 7\nurl: {URL}\nchanged: yes"));
}

#[test]
fn what_the_caller_chose_is_echoed_and_hashes_are_short() {
    let sha = "4b87be64e4de7babd3159b056202f5ca4c8f740b";
    let merged = ok(json!({"number": 27, "merged": true, "sha": sha}));
    let card = write("pr.merge");
    let input = map(json!({"pr_number": 27, "method": "squash", "repo": "rocket"}));
    let context = ViewContext {
        card: Some(&card),
        input: &input,
        fields: None,
        sort: None,
        feeds_each: false,
    };
    assert_eq!(
        view_result(&merged, &context),
        "#27 merged, sha 4b87be64e4, method squash"
    );
    let asked = ["sha".to_owned()];
    let context = ViewContext {
        fields: Some(&asked),
        ..context
    };
    assert!(view_result(&merged, &context).contains(sha));
}

/// A step that was run for each row of a list.
#[test]
fn many_that_are_alike_are_one_line() {
    let row = |number: u64, to: &str| json!({"number": number, "assignees": [to], "changed": true, "url": URL});
    let rows = json!([row(47, "kim"), row(37, "kim"), row(2, "lee")]);
    assert_eq!(
        line("issue.edit", rows, json!({})),
        "#47, #37 edited, assignees kim\n#2 edited, assignees lee"
    );
}
