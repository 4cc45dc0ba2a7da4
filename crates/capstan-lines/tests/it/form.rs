//! Tests of the forms of cards.

use serde_json::json;

use capstan_lines::form;

use crate::samples::{
    card, flags, issue_close, issue_create, issue_list, kinds, of_repository, pr_merge, repo_view,
    threads_reply,
};

#[test]
fn forms_show_what_callers_write() {
    let cards = [
        issue_close(),
        issue_create(),
        issue_list(),
        pr_merge(),
        repo_view(),
        threads_reply(),
        kinds(),
        card("files.read", json!({})),
    ];
    let forms: Vec<_> = cards.iter().map(form).collect();
    insta::assert_snapshot!(forms.join("\n"), @"
    issue.close NUMBER [--reason completed|not_planned] [--comment TEXT]
    issue.create --title TEXT [--body TEXT] [--label A,B] [--assignees A,B] [--milestone N|TEXT]
    issue.list [--state open|closed|all] [--label TEXT] [--limit N] [--after CURSOR]
    pr.merge NUMBER [--method merge|squash|rebase] [--match-head-commit TEXT] [--admin]
    repo.view
    pr.threads.reply THREAD BODY
    a.kinds [--text TEXT] [--nullable-text TEXT] [--count N] [--nullable-count N] [--ratio N] [--draft] [--numbers A,B] [--levels A,B] [--level low|high] [--filter JSON] [--rows JSON] [--one-or-many TEXT|A,B] [--whatever VALUE]
    files.read
    ");
}

#[test]
fn the_first_long_name_of_a_flag_is_shown() {
    let properties = json!({
        "labels": { "type": "array" },
        "assignees": { "type": "array" },
        "milestone_number": { "type": ["integer", "null"] },
    });
    let mut edit = card("an.edit", of_repository(&["labels"], &properties));
    flags(
        &mut edit,
        &[
            ("add-label", json!("labels")),
            ("label", json!("labels")),
            ("a", json!("assignees")),
            ("assignee", json!("assignees")),
        ],
    );
    assert_eq!(
        form(&edit),
        "an.edit --add-label A,B [--assignees A,B] [--milestone-number N]"
    );
    let two = card(
        "a.link",
        json!({
            "required": ["from_number", "to_number"],
            "properties": { "from_number": { "type": "integer" }, "to_number": { "type": "integer" } },
        }),
    );
    assert_eq!(form(&two), "a.link --from-number N --to-number N");
    let mut placed = two;
    placed.line.positional = vec!["from_number".to_owned(), "to_number".to_owned()];
    assert_eq!(form(&placed), "a.link FROM_NUMBER TO_NUMBER");
}
