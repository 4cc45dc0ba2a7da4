//! Tests of wrong lines, and of the messages about them.

use serde_json::json;

use crate::samples::{
    bind, card, issue_close, issue_create, issue_list, kinds, pr_merge, problem, repo_view,
    threads_reply,
};

#[test]
fn a_correction_shows_the_right_form() {
    let wrong = bind(&issue_close(), "issue.close").unwrap_err();
    assert_eq!(
        wrong.to_string(),
        "`NUMBER` is missing. Right: issue.close NUMBER [--reason completed|not_planned] [--comment TEXT]"
    );
}

#[test]
fn everything_that_is_wrong_is_said_at_once() {
    assert_eq!(
        problem(
            &issue_close(),
            "issue.close --reson done --reason maybe --web"
        ),
        "`--reson` is not a flag of issue.close: did you mean `--reason`?; `--reason` cannot be `maybe`: expected completed, not_planned; there is no `--web` here: nothing is opened in a browser"
    );
    assert_eq!(
        problem(&issue_create(), "issue.create --tilte x"),
        "`--tilte` is not a flag of issue.create: did you mean `--title`?; `--title TEXT` is missing"
    );
    assert_eq!(
        problem(&threads_reply(), "pr.threads.reply"),
        "`THREAD` and `BODY` are missing"
    );
}

#[test]
fn numbers_are_one_for_each_line() {
    let close = issue_close();
    for word in ["44", "#44", "https://github.com/acme/rocket/issues/44"] {
        assert_eq!(
            problem(&close, &format!("issue.close 43 {word}")),
            format!("`{word}` is one `NUMBER` too many: write one line for each")
        );
    }
    assert_eq!(
        problem(&close, "issue.close 43 --number 44 --number 45"),
        "`--number` is given twice: give one; `43` is one `NUMBER` too many: write one line for each"
    );
    assert_eq!(
        problem(&close, "issue.close 43 not planned"),
        "`not` is one word too many: quote a value with spaces, and give other inputs by flags; `planned` is one word too many: quote a value with spaces, and give other inputs by flags"
    );
    assert_eq!(
        problem(&close, "issue.close 43,44"),
        "`NUMBER` cannot be `43,44`: expected an integer; write one line for each"
    );
    let mut create = issue_create();
    create.line.positional = vec!["title".to_owned(), "labels".to_owned()];
    assert_eq!(
        problem(&create, "issue.create x bug ui"),
        "`ui` is one word too many: write a list as one word, such as `a,b`"
    );
    assert_eq!(
        problem(&close, "issue.close first"),
        "`NUMBER` cannot be `first`: expected an integer"
    );
}

#[test]
fn a_word_and_the_flag_that_takes_its_place_are_named_together() {
    let mut list = issue_list();
    list.line.positional = vec!["state".to_owned()];
    assert_eq!(
        problem(&list, "issue.list closed --state open"),
        "`closed` and `--state` both give `STATE`: give one"
    );
}

#[test]
fn repositories_must_agree() {
    let close = issue_close();
    for (line, said) in [
        (
            "issue.close https://github.com/o/r/issues/43 -R acme/rocket",
            "`-R acme/rocket` and `https://github.com/o/r/issues/43` name different repositories: give one",
        ),
        (
            "issue.close o/r#43 --owner acme",
            "`owner` is `acme`, and `o/r#43` names `o/r`: give one",
        ),
        (
            "issue.close 43 --owner acme --repo o/r",
            "`owner` is `acme`, and `--repo o/r` names `o/r`: give one",
        ),
        (
            "issue.close 43 --repo git.example.com/o/r",
            "`git.example.com/o/r` is on `git.example.com`: only github.com can be reached from here",
        ),
        (
            "issue.close https://git.example.com/o/r/issues/43",
            "`https://git.example.com/o/r/issues/43` is on `git.example.com`: only github.com can be reached from here",
        ),
        (
            "issue.close https://github.com/o/r/actions/runs/43",
            "`https://github.com/o/r/actions/runs/43` has no number for `issue_number`: expected an address with `/issues/N`",
        ),
    ] {
        assert_eq!(problem(&close, line), said, "{line}");
    }
    assert_eq!(
        problem(&repo_view(), "repo.view o/r p/q"),
        "`o/r` and `p/q` name different repositories: give one"
    );
}

#[test]
fn values_that_do_not_fit_are_refused() {
    let kinds = kinds();
    for (words, said) in [
        ("--count x", "`--count` cannot be `x`: expected an integer"),
        (
            "--count 1.5",
            "`--count` cannot be `1.5`: expected an integer",
        ),
        (
            "--count null",
            "`--count` cannot be `null`: expected an integer",
        ),
        (
            "--ratio inf",
            "`--ratio` cannot be `inf`: expected a number",
        ),
        (
            "--draft=maybe",
            "`--draft` cannot be `maybe`: expected true or false",
        ),
        ("--no-draft=false", "`--no-draft` takes no value"),
        (
            "--levels low,mid",
            "`--levels` cannot be `low,mid`: expected a list of low, high",
        ),
        (
            "--filter x",
            "`--filter` cannot be `x`: expected an object in JSON",
        ),
        (
            "--filter '{\"a\":1,\"a\":2}'",
            "`--filter` cannot be `{\"a\":1,\"a\":2}`: expected an object in JSON",
        ),
        (
            "--rows a",
            "`--rows` cannot be `a`: expected a list in JSON",
        ),
        (
            "--text",
            "`--text` needs a value; write a value that begins with `-` as `--text=-…`",
        ),
        (
            "--text --draft",
            "`--text` needs a value; write a value that begins with `-` as `--text=-…`",
        ),
        ("--text a --text b", "`--text` is given twice: give one"),
        ("-text a", "`-text` has one dash: write `--text`"),
    ] {
        let line = format!("a.kinds {words}");
        assert_eq!(problem(&kinds, &line), said, "{words}");
    }
    assert_eq!(
        problem(&issue_close(), "issue.close 1 --comment a comment=b"),
        "`--comment` and `comment` mean the same: give one"
    );
}

#[test]
fn flags_that_contradict_are_refused() {
    let merge = pr_merge();
    assert_eq!(
        problem(&merge, "pr.merge 3 --squash --rebase"),
        "`--squash` and `--rebase` contradict each other: give one"
    );
    assert_eq!(
        problem(&merge, "pr.merge 3 --squash=no"),
        "`--squash` takes no value"
    );
}

#[test]
fn flags_of_gh_are_explained() {
    for (words, said) in [
        (
            "--jq .x",
            "there is no `--jq` here: choose columns with `--fields`",
        ),
        (
            "-q .x",
            "there is no `-q` here: choose columns with `--fields`",
        ),
        (
            "--template='{{.x}}'",
            "there is no `--template` here: choose columns with `--fields`",
        ),
        (
            "--web",
            "there is no `--web` here: nothing is opened in a browser",
        ),
        (
            "--paginate",
            "there is no `--paginate` here: take every page with `--all`",
        ),
        ("--zzz 5", "`--zzz` is not a flag of issue.list"),
        ("-z", "`-z` is not a flag of issue.list"),
    ] {
        assert_eq!(
            problem(&issue_list(), &format!("issue.list {words}")),
            said,
            "{words}"
        );
    }
    let show = card(
        "cap.show",
        json!({
            "type": "object",
            "required": ["name"],
            "additionalProperties": false,
            "properties": { "name": { "type": "string" } },
        }),
    );
    assert_eq!(
        problem(&show, "cap.show name=x --repo a/b"),
        "there is no `--repo` here: it belongs to no repository"
    );
}

#[test]
fn there_is_no_shell() {
    assert_eq!(
        problem(&issue_close(), "issue.close 1 && issue.close 2"),
        "`&&` has no meaning, because there is no shell here: write one line for each call, and quote values"
    );
    assert_eq!(
        problem(
            &issue_create(),
            "issue.create -t x --body \"$(cat <<'EOF'\nhello\nEOF\n)\""
        ),
        "`--body` is `$(cat <<'EOF… (25 characters)`, and there is no shell here: put the text itself between quotes"
    );
}

#[test]
fn a_word_after_an_unknown_flag_is_not_missed() {
    assert_eq!(
        problem(&issue_close(), "issue.close --verbose 43"),
        "`--verbose` is not a flag of issue.close"
    );
}

#[test]
fn of_very_many_problems_the_first_are_named() {
    let line = format!("issue.list{}", " x".repeat(50_000));
    let said = problem(&issue_list(), &line);
    assert!(said.ends_with("; and 49980 more"), "{said}");
}
