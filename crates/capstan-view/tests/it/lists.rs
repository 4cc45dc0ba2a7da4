//! Lists: whole, pages of more, empty, with things beside them.

use capstan_core::{Pagination, ResultEnvelope, ResultMeta};
use insta::assert_snapshot;
use serde_json::json;

use crate::samples::{
    issue_list, issue_rows, issues_input, list, meta, ok, page, paged, read, shown, with_fields,
};

#[test]
fn issues_are_a_header_and_rows() {
    let envelope = paged(json!({"issues": issue_rows()}), page(3, None));
    assert_snapshot!(shown(&envelope, Some(&issue_list()), issues_input().into()));
}

#[test]
fn a_page_says_how_many_there_are_and_how_to_go_on() {
    let envelope = paged(
        json!({"issues": issue_rows()}),
        page(11, Some("Y3Vyc29yOnYyOjE=")),
    );
    assert_snapshot!(shown(&envelope, Some(&issue_list()), issues_input().into()));
}

#[test]
fn one_row_is_one_issue_and_states_nothing_apart() {
    let envelope = ok(json!({"issues": &issue_rows()[..1]}));
    assert_snapshot!(shown(&envelope, Some(&issue_list()), issues_input().into()));
}

#[test]
fn fields_that_were_asked_for_are_columns_in_that_order() {
    let rows = issue_rows();
    let rows = rows.iter().map(|row| {
        json!({"number": row["number"], "state": row["state"], "updated_at": row["updated_at"], "labels": row["labels"]})
    });
    let envelope = ok(json!({"issues": rows.collect::<Vec<_>>()}));
    let fields = ["updated_at", "state", "number", "labels"];
    assert_snapshot!(with_fields(&envelope, &issue_list(), &fields));
}

#[test]
fn an_empty_list_says_what_was_looked_for() {
    let card = issue_list();
    let empty = || json!({"issues": []});
    let note = "no issues in acme/rocket match (state open); searched with label=nonesuch";
    let noted = ResultMeta {
        note: Some(note.to_owned()),
        pagination: Some(page(0, None)),
        ..meta()
    };
    let noted = ResultEnvelope::success(empty(), noted);
    let input = || issues_input().into();
    assert_eq!(shown(&noted, Some(&card), input()), note);
    assert_eq!(shown(&ok(empty()), Some(&card), input()), "no open issues");
    assert_eq!(shown(&ok(empty()), None, json!({})), "no issues");
}

#[test]
fn an_empty_page_says_once_how_to_go_on() {
    let note = "none on this page, but more follow: continue with after=CUR2";
    let meta = ResultMeta {
        note: Some(note.to_owned()),
        pagination: Some(page(9, Some("CUR2"))),
        ..meta()
    };
    let envelope = ResultEnvelope::success(json!({"issues": []}), meta);
    let text = shown(&envelope, Some(&issue_list()), issues_input().into());
    assert_eq!(text, note);
}

#[test]
fn a_search_that_was_not_finished_and_warnings_are_told() {
    let pagination = Pagination {
        incomplete: true,
        ..page(3, Some("CUR"))
    };
    let mut envelope = paged(json!({"issues": issue_rows()}), pagination);
    envelope.meta.warnings = vec!["`labels` of #45\ncould not be read".to_owned()];
    assert_snapshot!(shown(&envelope, Some(&issue_list()), issues_input().into()));
}

#[test]
fn a_title_does_not_count_all_things() {
    let envelope = ok(json!({"issues": issue_rows()}));
    let text = shown(&envelope, Some(&issue_list()), json!({"state": "all"}));
    let header = text.lines().next().unwrap();
    assert_eq!(
        header,
        "3 issues (state open), newest first: number | title | author | labels"
    );
}

#[test]
fn counts_beside_checks_come_first() {
    let card = list("pr.checks.list", "checks", None, None, &[]);
    let envelope = ok(json!({
        "total": 4, "passed": 2, "failed": 1, "pending": 0, "skipped": 1, "cancelled": 0,
        "checks": [
            {"name": "build", "result": "pass", "url": "https://github.com/acme/rocket/actions/runs/1/job/1"},
            {"name": "test (ubuntu)", "result": "pass", "url": "https://github.com/acme/rocket/actions/runs/1/job/2"},
            {"name": "e2e", "result": "fail", "url": "https://github.com/acme/rocket/actions/runs/2/job/3"},
            {"name": "deploy", "result": "skipping", "url": null},
        ],
    }));
    assert_snapshot!(shown(&envelope, Some(&card), json!({})));
}

#[test]
fn counts_that_do_not_add_up_keep_their_zeros() {
    let card = list("pr.checks.list", "checks", None, None, &[]);
    let envelope =
        ok(json!({"required": 2, "failed": 0, "checks": [{"name": "build"}, {"name": "lint"}]}));
    assert_snapshot!(shown(&envelope, Some(&card), json!({})), @"required 2, failed 0; 2 checks: name build, lint");
}

#[test]
fn threads_are_rows_and_long_remarks_are_cut() {
    let card = list(
        "pr.threads.list",
        "threads",
        Some("{state} review threads"),
        None,
        &[
            "id",
            "path",
            "line",
            "resolved",
            "author",
            "body",
            "last_reply_by",
            "last_reply",
        ],
    );
    let long = "This valve closes before the pressure has settled. ".repeat(4);
    let envelope = ok(json!({"threads": [
        {"id": "PRRT_kwDOA1", "path": "src/valve.rs", "line": 12, "resolved": false, "outdated": false,
         "author": "maya-chen", "body": long, "comments": 2, "last_reply_by": "priya-nair", "last_reply": "Done\nin 3f2a"},
        {"id": "PRRT_kwDOA2", "path": "src/tank.rs", "line": null, "resolved": false, "outdated": true,
         "author": "maya-chen", "body": "Name it `tank`?", "comments": 1, "last_reply_by": null, "last_reply": null},
    ]}));
    assert_snapshot!(shown(
        &envelope,
        Some(&card),
        json!({"state": "unresolved"})
    ));
    let asked = with_fields(&envelope, &card, &["id", "body"]);
    assert!(asked.contains(long.trim_end()), "{asked}");
}

#[test]
fn releases_without_words_of_their_own_are_called_by_their_field() {
    let card = list("release.list", "releases", None, None, &[]);
    let envelope = ok(json!({"releases": [
        {"tag": "v2.1", "name": null, "draft": false, "prerelease": true, "published_at": "2026-05-20T18:52:07+02:00"},
        {"tag": "v2.0", "name": "Orbital", "draft": false, "prerelease": false, "published_at": null},
    ]}));
    assert_snapshot!(shown(&envelope, Some(&card), json!({})));
}

#[test]
fn the_only_list_beside_scalars_is_a_list_without_a_card_that_says_so() {
    let envelope = ok(json!({"status": "completed", "jobs": [
        {"name": "build", "conclusion": "success"}, {"name": "test", "conclusion": "failure"},
    ]}));
    assert_snapshot!(shown(&envelope, Some(&read("run.view")), json!({})));
}

#[test]
fn checks_of_pull_requests_stand_in_their_cells() {
    let card = list(
        "pr.list",
        "pull_requests",
        Some("{state} pull requests"),
        Some("newest first"),
        &[],
    );
    let envelope = ok(json!({"pull_requests": [
        {"number": 49, "title": "Close the valve later", "state": "open", "draft": false, "author": "maya-chen",
         "labels": ["propulsion, main"], "review_decision": null, "requested_reviewers": [],
         "checks": {"total": 4, "passed": 3, "failed": 0, "skipped": 1}, "updated_at": "2026-05-26T14:06:07Z"},
        {"number": 44, "title": "Bump serde", "state": "open", "draft": true, "author": "dependabot",
         "labels": [], "review_decision": null, "requested_reviewers": [], "checks": null,
         "updated_at": "2026-05-25T14:06:07Z"},
    ]}));
    assert_snapshot!(shown(&envelope, Some(&card), json!({"state": "open"})));
}

#[test]
fn a_long_text_that_all_rows_share_is_cut_and_says_so() {
    let card = list("x.list", "rows", None, None, &[]);
    let long = "word ".repeat(40);
    let rows = json!([{"id": 1, "body": long}, {"id": 2, "body": long}]);
    let text = shown(&ok(json!({"rows": rows})), Some(&card), json!({}));
    assert!(text.starts_with("2 rows (body word word"), "{text}");
    assert!(
        text.ends_with("\n1\n2\ncut: --fields id,body gives all"),
        "{text}"
    );
    // Texts that only begin alike are not the same.
    let rows = json!([{"id": 1, "body": long}, {"id": 2, "body": format!("{long}x")}]);
    let text = shown(&ok(json!({"rows": rows})), Some(&card), json!({}));
    assert!(text.starts_with("2 rows: id | body\n"), "{text}");
}

#[test]
fn a_row_without_values_is_a_row_all_the_same() {
    let card = list("x.list", "rows", None, None, &[]);
    let rows = json!([{"a": null, "b": 1}, {"a": null, "b": null}]);
    let text = shown(&ok(json!({"rows": rows})), Some(&card), json!({}));
    assert_eq!(text, "2 rows: a | b\n| 1\n|");
}

#[test]
fn rows_that_are_no_objects_are_lines() {
    let card = list("repo.topics.list", "topics", None, None, &[]);
    let envelope = ok(json!({"topics": ["rust", "space flight", [[1]]]}));
    assert_eq!(
        shown(&envelope, Some(&card), json!({})),
        "3 topics\nrust\nspace flight\n[[1]]"
    );
}

#[test]
fn what_the_title_tells_of_one_input_is_not_left_out_of_another_column() {
    let card = list("x.list", "rows", Some("{state} rows"), None, &[]);
    let rows = json!([{"id": 1, "state": "open", "stage": "open"}, {"id": 2, "state": "open", "stage": "open"}]);
    let text = shown(
        &ok(json!({"rows": rows})),
        Some(&card),
        json!({"state": "open"}),
    );
    assert_eq!(text, "2 open rows (stage open): id 1, 2");
}

#[test]
fn a_single_column_of_short_cells_is_one_line() {
    let card = list("x.list", "rows", Some("rows"), Some("newest first"), &[]);
    let shown = |rows: serde_json::Value| shown(&ok(json!({"rows": rows})), Some(&card), json!({}));
    assert_eq!(
        shown(json!([{"name": "bug"}, {"name": "help wanted"}])),
        "2 rows, newest first: name bug, help wanted"
    );
    assert_eq!(shown(json!([{"name": "bug"}])), "1 row: name\nbug");
    assert_eq!(
        shown(json!([{"name": "a, b"}, {"name": "c"}])),
        "2 rows, newest first: name\na, b\nc"
    );
    let long = "x".repeat(41);
    assert_eq!(
        shown(json!([{"name": long}, {"name": "c"}])),
        format!("2 rows, newest first: name\n{long}\nc")
    );
}

#[test]
fn a_list_whose_rows_a_later_step_works_on_is_short() {
    let card = list("x.list", "rows", None, None, &["id", "title", "b"]);
    let envelope =
        ok(json!({"rows": [{"id": 1, "title": "A", "b": 2}, {"id": 2, "title": "B", "b": 3}]}));
    let input = serde_json::Map::new();
    let mut context = capstan_view::ViewContext {
        card: Some(&card),
        input: &input,
        fields: None,
        sort: None,
        feeds_each: true,
    };
    assert_eq!(
        capstan_view::view_result(&envelope, &context),
        "2 rows: id | title\n1 | A\n2 | B"
    );
    let asked = ["b".to_owned()];
    context.fields = Some(&asked);
    assert_eq!(
        capstan_view::view_result(&envelope, &context),
        "2 rows: b 2, 3"
    );
}
