//! Tests of correct lines.

use serde_json::json;

use crate::samples::{
    bind, card, flags, input, issue_close, issue_create, issue_list, kinds, of_repository,
    pr_merge, problem, repo_view, threads_reply,
};
use capstan_lines::{Defaults, parse};

#[test]
fn flags_are_known_by_many_names() {
    let close = issue_close();
    for line in [
        r#"issue.close 43 --reason "not planned" --comment done"#,
        "issue.close --reason=NOT_PLANNED --comment=done 43",
        "issue.close -r not-planned -cdone #43",
        "issue.close -c=done -r 'Not Planned' 43",
        "issue.close issue_number=43 reason=not_planned comment=done",
        "issue.close --issue-number 43 --issueNumber 43 --reason not_planned --comment done",
        "issue.close --number 43 --reason not_planned --comment done",
        "issue.close --reason not_planned --comment done -- 43",
    ] {
        assert_eq!(
            input(&close, line),
            json!({ "issue_number": 43, "reason": "not_planned", "comment": "done" }),
            "{line}"
        );
    }
}

#[test]
fn the_input_has_the_order_of_the_schema() {
    let bound = bind(
        &issue_close(),
        "issue.close --comment x --reason completed 4",
    )
    .unwrap();
    let order: Vec<_> = bound.input.keys().collect();
    assert_eq!(
        order,
        ["owner", "repo", "issue_number", "reason", "comment"]
    );
}

#[test]
fn a_repository_is_named_in_many_ways() {
    let close = issue_close();
    let elsewhere = json!({ "owner": "o", "repo": "r.s", "issue_number": 43 });
    for line in [
        "issue.close 43 -R o/r.s",
        "issue.close 43 -Ro/r.s",
        "issue.close 43 --repo o/r.s",
        "issue.close 43 --repo=github.com/o/r.s",
        "issue.close 43 --repo https://github.com/o/r.s",
        "issue.close 43 --repository o/r.s",
        "issue.close 43 repo=o/r.s",
        "issue.close 43 --owner o --repo r.s",
        "issue.close 43 owner=o repo=o/r.s",
        "issue.close 43 o/r.s",
        "issue.close o/r.s 43",
        "issue.close o/r.s#43",
        "issue.close https://github.com/o/r.s/issues/43",
        "issue.close https://github.com/o/r.s/issues/43/",
        "issue.close https://github.com/o/r.s/pull/43/files?x=1#diff",
        "issue.close https://github.com/o/r.s/issues/43#issuecomment-5 -R o/r.s",
        "issue.close --number https://www.github.com/o/r.s/issues/43",
        "issue.close github.com/o/r.s/issues/43",
    ] {
        assert_eq!(input(&close, line), elsewhere, "{line}");
    }
    assert_eq!(
        input(&close, "issue.close o/r.s#43 -R O/R.S"),
        json!({ "owner": "O", "repo": "R.S", "issue_number": 43 })
    );
    let view = repo_view();
    for line in [
        "repo.view o/r.s",
        "repo.view https://github.com/o/r.s",
        "repo.view https://github.com/o/r.s.git",
        "repo.view github.com/o/r.s",
    ] {
        assert_eq!(
            input(&view, line),
            json!({ "owner": "o", "repo": "r.s" }),
            "{line}"
        );
    }
    let none = Defaults::default();
    let bound = parse("repo.view").unwrap().bind(1, &view, &none);
    assert_eq!(bound.unwrap_err().problem, "`--repo OWNER/NAME` is missing");
    assert_eq!(input(&view, "repo.view"), json!({}));
}

#[test]
fn the_default_is_no_owner_for_another_repository() {
    let view = repo_view();
    assert_eq!(
        problem(&view, "repo.view --repo other"),
        "`--repo OWNER/NAME` is missing"
    );
    assert_eq!(
        problem(&view, "repo.view --owner other"),
        "`--repo OWNER/NAME` is missing"
    );
}

#[test]
fn texts_stay_texts() {
    let create = issue_create();
    for (line, title) in [
        ("issue.create -t 43", "43"),
        ("issue.create -t true", "true"),
        ("issue.create -t null", "null"),
        ("issue.create title=null", "null"),
        ("issue.create -t '\"x\"'", "\"x\""),
        ("issue.create -t '[\"x\"]'", "[\"x\"]"),
        ("issue.create -t a=b", "a=b"),
        ("issue.create -t ''", ""),
        ("issue.create --title=--body", "--body"),
        ("issue.create --title=-x", "-x"),
        ("issue.create --title '- one\n- two'", "- one\n- two"),
        (
            "issue.create --title '--help is broken'",
            "--help is broken",
        ),
        ("issue.create --title '-v is broken'", "-v is broken"),
        ("issue.create --title -", "-"),
        ("issue.create --title -5", "-5"),
        ("issue.create --title 'a\\nb'", "a\\nb"),
        ("issue.create --title '$(cat <<EOF)'", "$(cat <<EOF)"),
        ("issue.create --title '&&'", "&&"),
    ] {
        assert_eq!(input(&create, line), json!({ "title": title }), "{line}");
    }
}

#[test]
fn values_have_the_types_of_the_schema() {
    let kinds = kinds();
    for (words, expected) in [
        ("--count 5", json!({ "count": 5 })),
        ("--count -5", json!({ "count": -5 })),
        ("--nullable-count null", json!({ "nullable_count": null })),
        ("--nullable-text null", json!({ "nullable_text": "null" })),
        ("nullable_text=null", json!({ "nullable_text": null })),
        ("--ratio 0.5", json!({ "ratio": 0.5 })),
        ("--ratio 1e3", json!({ "ratio": 1000.0 })),
        ("--ratio 2", json!({ "ratio": 2 })),
        ("--draft", json!({ "draft": true })),
        ("--draft true", json!({ "draft": true })),
        ("--draft=false", json!({ "draft": false })),
        ("--no-draft", json!({ "draft": false })),
        ("draft=true", json!({ "draft": true })),
        ("--numbers 1,2", json!({ "numbers": [1, 2] })),
        (
            "--numbers '[1, 2]' --numbers 3",
            json!({ "numbers": [1, 2, 3] }),
        ),
        ("--numbers ''", json!({ "numbers": [] })),
        ("--levels LOW,high", json!({ "levels": ["low", "high"] })),
        ("--level High", json!({ "level": "high" })),
        ("--level null", json!({ "level": null })),
        ("--filter '{\"a\": 1}'", json!({ "filter": { "a": 1 } })),
        ("--rows '[{\"a\": 1}]'", json!({ "rows": [{ "a": 1 }] })),
        ("--one-or-many a,b", json!({ "one_or_many": "a,b" })),
        ("--one-or-many '[\"a\"]'", json!({ "one_or_many": ["a"] })),
        ("--one-or-many '\"[1]\"'", json!({ "one_or_many": "[1]" })),
        ("--whatever 5", json!({ "whatever": 5 })),
        ("--whatever x", json!({ "whatever": "x" })),
        ("whatever=null", json!({ "whatever": null })),
        ("--count $a.data.n", json!({ "count": "$a.data.n" })),
    ] {
        assert_eq!(
            input(&kinds, &format!("a.kinds {words}")),
            expected,
            "{words}"
        );
    }
    let create = issue_create();
    for (line, milestone) in [
        ("issue.create -t x --milestone 3", json!(3)),
        ("issue.create -t x --milestone '\"3\"'", json!("3")),
        ("issue.create -t x --milestone v1", json!("v1")),
        ("issue.create -t x --milestone 007", json!("007")),
        ("issue.create -t x --milestone null", json!("null")),
        ("issue.create -t x milestone=null", json!(null)),
    ] {
        assert_eq!(input(&create, line)["milestone"], milestone, "{line}");
    }
}

#[test]
fn lists_are_cut_and_collected() {
    let create = issue_create();
    for line in [
        "issue.create -t x --label bug --label 'help wanted'",
        "issue.create -t x -l 'bug, help wanted'",
        "issue.create -t x --labels bug --label 'help wanted,'",
        "issue.create -t x --labels '[\"bug\",\"help wanted\"]'",
        "issue.create -t x labels=bug label='help wanted'",
    ] {
        assert_eq!(
            input(&create, line)["labels"],
            json!(["bug", "help wanted"]),
            "{line}"
        );
    }
    assert_eq!(
        input(&create, "issue.create -t x --label '[ui] slow'")["labels"],
        json!(["[ui] slow"])
    );
}

#[test]
fn references_are_passed_on_and_completed() {
    let close = issue_close();
    for (written, expected) in [
        ("$bugs.number", "$bugs.data.number"),
        ("$bugs.data.number", "$bugs.data.number"),
        ("\"$0.rows[0].id\"", "$0.data.rows[0].id"),
        ("$bugs[0].number", "$bugs[0].number"),
        ("$bugs", "$bugs"),
        ("'$bugs.number'", "$bugs.number"),
        ("\\$bugs.number", "$bugs.number"),
    ] {
        let line = format!("issue.close {written}");
        assert_eq!(
            input(&close, &line)["issue_number"],
            json!(expected),
            "{line}"
        );
    }
    for (written, expected) in [
        ("$$bugs.number", "$$bugs.number"),
        ("$5.00", "$5.00"),
        ("\"costs $bugs.number\"", "costs $bugs.number"),
        ("$bugs.title", "$bugs.data.title"),
    ] {
        let line = format!("issue.close 1 --comment {written}");
        assert_eq!(input(&close, &line)["comment"], json!(expected), "{line}");
    }
    let create = issue_create();
    for (written, expected) in [
        ("$a.labels", json!("$a.data.labels")),
        ("$a.label,x", json!(["$a.data.label", "x"])),
        (r#""[\"$a.label\"]""#, json!(["$a.data.label"])),
        (r#"'["$a.label"]'"#, json!(["$a.label"])),
    ] {
        let line = format!("issue.create -t x --labels {written}");
        assert_eq!(input(&create, &line)["labels"], expected, "{line}");
    }
}

#[test]
fn flags_can_stand_for_values() {
    let merge = pr_merge();
    for (words, expected) in [
        ("--squash", json!({ "pr_number": 3, "method": "squash" })),
        (
            "--squash --method squash",
            json!({ "pr_number": 3, "method": "squash" }),
        ),
        ("--admin", json!({ "pr_number": 3, "admin": true })),
        (
            "--match-head-commit abc",
            json!({ "pr_number": 3, "expected_head_sha": "abc" }),
        ),
        (
            "--matchHeadCommit abc",
            json!({ "pr_number": 3, "expected_head_sha": "abc" }),
        ),
    ] {
        assert_eq!(
            input(&merge, &format!("pr.merge {words} 3")),
            expected,
            "{words}"
        );
        assert_eq!(
            input(&merge, &format!("pr.merge 3 {words}")),
            expected,
            "{words}"
        );
    }
}

#[test]
fn words_without_a_flag_have_their_places() {
    let reply = threads_reply();
    let expected = json!({ "thread_id": "PRRT_1", "body": "- done" });
    for line in [
        "pr.threads.reply PRRT_1 '- done'",
        "pr.threads.reply --body '- done' PRRT_1",
        "pr.threads.reply --thread-id PRRT_1 '- done'",
        "pr.threads.reply -- PRRT_1 '- done'",
    ] {
        assert_eq!(input(&reply, line), expected, "{line}");
    }
    let line = "pr.threads.reply a/b https://github.com/o/r/issues/1";
    assert_eq!(
        input(&reply, line),
        json!({ "thread_id": "a/b", "body": "https://github.com/o/r/issues/1" })
    );
    let line = "pr.threads.reply -- --body body=x";
    assert_eq!(
        input(&reply, line),
        json!({ "thread_id": "--body", "body": "body=x" })
    );
}

#[test]
fn what_belongs_to_the_name_is_no_input() {
    let create = issue_create();
    for line in [
        "issue_write method=create title=x",
        "issue_write --method CREATE --title x",
    ] {
        assert_eq!(input(&create, line), json!({ "title": "x" }), "{line}");
    }
    assert_eq!(
        problem(&create, "issue.create --method create --title x"),
        "`--method` is not a flag of issue.create"
    );
}

#[test]
fn where_nothing_is_stated_everything_is_an_input() {
    let tool = card("files.read", json!({}));
    assert_eq!(
        input(&tool, "files.read --path /tmp/x depth=2 --deep"),
        json!({ "path": "/tmp/x", "depth": 2, "deep": true })
    );
    let none = card(
        "a.none",
        json!({ "type": "object", "additionalProperties": false }),
    );
    assert_eq!(
        problem(&none, "a.none --path x"),
        "`--path` is not a flag of a.none"
    );
}

#[test]
fn an_input_comes_before_an_option_of_its_name() {
    let properties = json!({
        "as": { "type": "string" },
        "full": { "type": "string" },
        "limit": { "type": "integer" },
        "first": { "type": "integer" },
        "no_draft": { "type": "string" },
        "draft": { "type": "boolean" },
    });
    let mut odd = card("an.odd", of_repository(&[], &properties));
    flags(&mut odd, &[("all", json!({ "full": "all" }))]);
    let line = "x: an.odd --as '1 2' --limit 5000 --no-draft y --all";
    assert_eq!(
        input(&odd, line),
        json!({ "as": "1 2", "full": "all", "limit": 5000, "no_draft": "y" })
    );
    let bound = bind(&odd, line).unwrap();
    assert_eq!(bound.name.as_deref(), Some("x"));
    assert!(!bound.options.all && !bound.options.full);
    assert_eq!(
        bind(&issue_list(), "issue.list --as y")
            .unwrap()
            .name
            .as_deref(),
        Some("y")
    );
}

#[test]
fn schemas_may_refer_to_themselves() {
    let own = json!({ "$ref": "#/$defs/json" });
    let tool = card(
        "a.tree",
        json!({
            "$defs": { "json": { "anyOf": [own, own, { "type": "array", "items": own }, own] } },
            "properties": { "tree": own },
        }),
    );
    assert_eq!(
        input(&tool, "a.tree --tree '[1, [2]]'"),
        json!({ "tree": [1, [2]] })
    );
}

#[test]
fn an_input_may_have_a_name_that_no_flag_has() {
    let odd = card(
        "an.odd",
        json!({ "properties": { "a b": { "type": ["string", "null"] } } }),
    );
    for (line, value) in [
        ("an.odd '--a b=null'", json!("null")),
        ("an.odd 'a b=null'", json!(null)),
        ("an.odd 'a b=x'", json!("x")),
    ] {
        assert_eq!(input(&odd, line), json!({ "a b": value }), "{line}");
    }
}

#[test]
fn a_repository_beside_an_id_says_nothing_more() {
    let reply = threads_reply();
    let expected = json!({ "thread_id": "PRRT_1", "body": "Done." });
    for line in [
        "pr.threads.reply PRRT_1 Done. -R o/r",
        "pr.threads.reply PRRT_1 --repo o/r --body Done.",
        "pr.threads.reply PRRT_1 Done. --pr-number 49 owner=o repo=r",
    ] {
        assert_eq!(input(&reply, line), expected, "{line}");
    }
}
