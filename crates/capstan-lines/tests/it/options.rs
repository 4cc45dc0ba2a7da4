//! Tests of the options of lines.

use serde_json::json;

use capstan_core::Route;
use capstan_lines::LineOptions;

use crate::samples::{bind, input, issue_close, issue_list, problem};

fn options(words: &str) -> LineOptions {
    let line = format!("issue.list {words}");
    bind(&issue_list(), &line).expect(&line).options
}

#[test]
fn options_are_no_inputs() {
    let line = "issue.list --full --trace --all --route REST --where 'comments > 3' --each bugs --when '$bugs.data.issues'";
    assert_eq!(input(&issue_list(), line), json!({}));
    assert_eq!(
        bind(&issue_list(), line).unwrap().options,
        LineOptions {
            full: true,
            trace: true,
            all: true,
            route: Some(Route::Rest),
            condition: Some("comments > 3".to_owned()),
            each: Some("bugs".to_owned()),
            when: Some("$bugs.data.issues".to_owned()),
            ..LineOptions::default()
        }
    );
    assert!(!options("--all=false").all);
}

#[test]
fn fields_have_the_names_of_the_card() {
    let fields = |words: &str| options(words).fields.unwrap();
    assert_eq!(fields("--json number,createdAt"), ["number", "created_at"]);
    assert_eq!(
        fields("--fields 'number, created' --fields isPinned,statusCheckRollup,number"),
        ["number", "created_at", "isPinned", "checks", "number"]
    );
    assert_eq!(options("").fields, None);
}

#[test]
fn fields_that_there_are_not_are_told_and_refuse_nothing() {
    let asked = options("--fields number,titel,authorName");
    assert_eq!(asked.fields.unwrap(), ["number"]);
    assert_eq!(asked.unknown_fields, ["titel", "authorName"]);
    let asked = options("--fields titel");
    assert_eq!(asked.fields, None);
    assert_eq!(asked.unknown_fields, ["titel"]);
}

#[test]
fn rows_are_sorted_by_a_column() {
    let sort = |words: &str| options(words).sort.unwrap().to_string();
    assert_eq!(sort("--sort created_at"), "created_at desc");
    assert_eq!(sort("--sort title"), "title asc");
    assert_eq!(sort("--sort createdAt --order asc"), "created_at asc");
    assert_eq!(sort("--order asc --sort created"), "created_at asc");
    assert_eq!(sort("--sort created-asc"), "created_at asc");
    assert_eq!(sort("--sort 'comments desc'"), "comments desc");
    let list = issue_list();
    for (words, said) in [
        (
            "--sort titel",
            "`--sort` cannot be `titel`: expected one of number, title, comments, created_at, isPinned, checks",
        ),
        (
            "--order asc",
            "`--order` needs a column: write `--sort created_at --order asc`, for example",
        ),
        (
            "--sort number --order up",
            "`--order` cannot be `up`: expected asc or desc",
        ),
        (
            "--sort 'number asc' --order desc",
            "`--sort` and `--order` name two directions: give one",
        ),
        (
            "--sort number --after abc",
            "`--sort` reads all rows: leave `--after` out",
        ),
        (
            "--sort number --sort comments",
            "`--sort` is given twice: give one",
        ),
        (
            "--sort number --order asc --order desc",
            "`--order` is given twice: give one",
        ),
        (
            "--where 'coments > 1'",
            "`--where` names `coments`: the columns are number, title, comments, created_at, isPinned, checks",
        ),
    ] {
        let line = format!("issue.list {words}");
        assert_eq!(problem(&list, &line), said, "{words}");
    }
    assert_eq!(
        problem(&issue_close(), "issue.close 1 --sort number"),
        "`--sort` is for lists, and this returns none"
    );
}

#[test]
fn a_limit_is_a_page_or_several() {
    let list = issue_list();
    for (words, first, limit) in [
        ("--limit 5", json!(5), None),
        ("-L 100", json!(100), None),
        ("-L101", json!(100), Some(101)),
        ("--limit 1000", json!(100), Some(1000)),
        ("--per-page 7", json!(7), None),
        ("limit=250", json!(100), Some(250)),
        ("--limit $a.count", json!("$a.data.count"), None),
    ] {
        let bound = bind(&list, &format!("issue.list {words}")).unwrap();
        assert_eq!(bound.input["first"], first, "{words}");
        assert_eq!(bound.options.limit, limit, "{words}");
        assert_eq!(bound.options.all, limit.is_some(), "{words}");
    }
    assert_eq!(
        input(&list, "issue.list --first 500"),
        json!({ "first": 500 })
    );
    assert_eq!(
        problem(&list, "issue.list --limit 1001"),
        "`--limit` cannot be 1001: expected at most 1000; continue with `--after` or take everything with `--all`"
    );
    assert_eq!(
        problem(&list, "issue.list --limit many"),
        "`--limit` cannot be `many`: expected an integer"
    );
    assert_eq!(
        problem(&issue_close(), "issue.close 1 --limit 5"),
        "there is no `--limit` here: the answer has no pages"
    );
}

#[test]
fn options_are_checked() {
    let list = issue_list();
    for (words, said) in [
        (
            "--route x",
            "`x` is not a route: expected graphql, rest or cli",
        ),
        ("--fields", "`--fields` needs a value"),
        ("--full=much", "`--full` takes no value"),
        (
            "--where number --where comments",
            "`--where` is given twice: give one",
        ),
        (
            "--as '1 x'",
            "`1 x` cannot be the name of a line: expected letters, digits, `_` and `-`, with a letter first",
        ),
        (
            "--as a --as b",
            "the line is called `a` and `b`: give one name",
        ),
    ] {
        assert_eq!(
            problem(&list, &format!("issue.list {words}")),
            said,
            "{words}"
        );
    }
    let said = problem(&list, "issue.list --where 'state = open'");
    assert!(
        said.starts_with("`--where` is not an expression: "),
        "{said}"
    );
    let said = problem(&list, "x: issue.list --as y");
    assert_eq!(said, "the line is called `x` and `y`: give one name");
}
