//! The expression language, by example.

use serde_json::{Value, json};

use super::{Expr, Scope, Template, ValueTemplate};

fn eval(text: &str) -> Option<Value> {
    let this = json!({
        "state": "OPEN", "draft": false, "number": 7, "empty": "", "nothing": null,
        "author": null,
        "labels": {"nodes": [{"name": "bug"}, {"name": "P1"}]},
        "runs": [{"s": "ok", "n": 1}, {"s": "bad", "n": 2}],
    });
    let mut names = serde_json::Map::new();
    names.insert("input".into(), json!({"labels": ["bug"], "owner": "acme"}));
    Expr::parse(text)
        .unwrap_or_else(|e| panic!("{text}: {e}"))
        .eval(&Scope::new(&this, &names))
}

#[test]
fn values() {
    let cases: &[(&str, Option<Value>)] = &[
        ("state", Some(json!("OPEN"))),
        ("state | lower", Some(json!("open"))),
        ("labels.nodes[].name", Some(json!(["bug", "P1"]))),
        (
            "labels.nodes[].name | lower | join(\", \")",
            Some(json!("bug, p1")),
        ),
        ("labels.nodes[0].name", Some(json!("bug"))),
        ("labels.nodes[-1].name", Some(json!("P1"))),
        ("labels.nodes[-3].name", None),
        ("labels.nodes | count", Some(json!(2))),
        ("author.login | default(\"ghost\")", Some(json!("ghost"))),
        ("missing", None),
        ("missing.deep[].x", None),
        ("nothing", Some(json!(null))),
        ("empty | null_if(\"\") | default(\"x\")", Some(json!("x"))),
        ("state | case(\"OPEN\", 1, \"CLOSED\", 2)", Some(json!(1))),
        (
            "number | case(8, \"eight\", \"other\")",
            Some(json!("other")),
        ),
        (
            "missing | case(null, \"none\", \"some\")",
            Some(json!("none")),
        ),
        ("runs | where(s == \"ok\") | count", Some(json!(1))),
        (
            "state | case(\"OPEN\", [\"a\", \"b\"])",
            Some(json!(["a", "b"])),
        ),
        ("runs[].n", Some(json!([1, 2]))),
        ("$input.owner | quote", Some(json!("\"acme\""))),
        ("\"say \\\"hi\\\"\" | quote", Some(json!("\"say  hi \""))),
        ("number | prefix(\"#\")", Some(json!("#7"))),
        ("\"12\" | integer", Some(json!(12))),
        ("\"x\" | integer", None),
        ("\"app/bot\" | strip_prefix(\"app/\")", Some(json!("bot"))),
        (
            "\"x[bot]\" | strip_suffix(\"[bot]\") | strip_suffix(\"[bot]\")",
            Some(json!("x")),
        ),
        (
            "runs[].n | concat($input.labels)",
            Some(json!([1, 2, "bug"])),
        ),
        ("missing | concat(runs[].n)", Some(json!([1, 2]))),
        ("missing | concat(gone)", None),
        ("runs | sort(s) | first", Some(json!({"s": "bad", "n": 2}))),
        ("runs[].s | sort", Some(json!(["bad", "ok"]))),
        (
            "runs[].s | concat(runs[].n) | sort",
            Some(json!([1, 2, "bad", "ok"])),
        ),
        ("number | add(runs | count)", Some(json!(9))),
        ("missing | add(3)", Some(json!(3))),
        (
            "\"2026-05-20T16:52:07Z\" | seconds_since(\"2026-05-20T16:50:54Z\")",
            Some(json!(73)),
        ),
        (
            "\"2026-05-20T18:00:00.9+02:00\" | seconds_since(\"2026-05-20T16:00:01Z\")",
            Some(json!(0)),
        ),
        (
            "\"2026-02-28T23:59:59Z\" | seconds_since(\"2026-03-01T00:00:00Z\")",
            Some(json!(-1)),
        ),
        ("state | seconds_since(\"2026-05-20T16:50:54Z\")", None),
        ("\"2026-05-20T16:50:54Z\" | seconds_since(missing)", None),
        ("\"2026-05-20T16:50:54Z\" | seconds_since(number)", None),
        ("state | contains(\"PE\")", Some(json!(true))),
        ("number | contains(\"7\")", None),
        ("state | list", Some(json!(["OPEN"]))),
        (
            "\" fuel  -label:\\\"help wanted\\\" in:body\" | words",
            Some(json!(["fuel", "-label:\"help wanted\"", "in:body"])),
        ),
        (
            "\"never \\\"ends here\" | words",
            Some(json!(["never", "\"ends here"])),
        ),
        ("\" \" | words", Some(json!([]))),
        ("number | words", None),
        ("missing | list", None),
        ("runs[].n | last", Some(json!(2))),
        ("runs[].n | last(1)", Some(json!([2]))),
        ("runs[].n | last(5)", Some(json!([1, 2]))),
        ("missing | last(5)", None),
        ("runs[].n | only", None),
        (
            "runs | where(n == 2) | only",
            Some(json!({"s": "bad", "n": 2})),
        ),
        ("runs | where(n == 3) | only", None),
        ("\"acme/core\" | before_last(\"/\")", Some(json!("acme"))),
        ("\"v1/2/app.tgz\" | before_last(\"/\")", Some(json!("v1/2"))),
        (
            "\"v1/2/app.tgz\" | after_last(\"/\")",
            Some(json!("app.tgz")),
        ),
        ("state | before_last(\"/\")", Some(json!(""))),
        ("state | after_last(\"/\")", Some(json!("OPEN"))),
        (
            "labels.nodes[].name | nearest(\"P2\")",
            Some(json!(["P1", "bug"])),
        ),
        ("missing | nearest(state)", None),
        ("state | replace_texts(runs[].n)", Some(json!(1))),
        ("number | replace_texts(runs[].n)", Some(json!(7))),
        ("state | replace_texts(missing)", None),
        ("missing | replace_texts(runs[].n)", None),
        ("nothing | replace_texts(runs[].n)", Some(json!(null))),
        (
            "number | list | concat(labels.nodes[].name) | replace_texts(runs[].s)",
            Some(json!([7, "ok", "bad"])),
        ),
        (". | count", None),
        ("$unknown.x", None),
    ];
    for (text, expected) in cases {
        assert_eq!(eval(text), *expected, "{text}");
    }
}

#[test]
fn predicates() {
    let cases = [
        ("state == \"OPEN\" and not draft", true),
        ("draft or number > 6", true),
        ("number >= 8", false),
        ("missing", false),
        ("missing == null", true),
        ("not (draft or missing)", true),
        ("\"bug\" in labels.nodes[].name", true),
        ("$input.labels subset_of labels.nodes[].name", true),
        ("labels.nodes[].name subset_of $input.labels", false),
        ("number == 7.0", true),
        ("state < 3", false),
    ];
    for (text, expected) in cases {
        assert_eq!(super::truthy(eval(text).as_ref()), expected, "{text}");
    }
}

#[test]
fn words_of_other_languages_are_understood() {
    let variables = serde_json::Map::from_iter([
        (
            "input".to_owned(),
            json!({"auto-post": true, "mode": "it's"}),
        ),
        ("a-b".to_owned(), json!({"output": {"n": 3}})),
    ]);
    let scope = Scope::new(&Value::Null, &variables);
    let eval = |text: &str| Expr::parse(text).unwrap().eval(&scope);
    assert_eq!(eval("$a-b.output.n"), Some(json!(3)));
    assert_eq!(
        eval("$input.auto-post == true && !($a-b.output.n != 3)"),
        Some(json!(true))
    );
    assert_eq!(eval("!$input.auto-post || 'x' == \"x\""), Some(json!(true)));
    assert_eq!(eval("$input.mode == \"it's\""), Some(json!(true)));
    assert!(Expr::parse("'open").is_err());
    assert!(Expr::parse("a & b").is_err());
    assert!(Expr::parse("$a-").is_err());
    assert_eq!(eval("$a-b.output.n == -3"), Some(json!(false)));
}

#[test]
fn errors_say_what_and_where() {
    let cases = [
        ("", "expected a value, found the end", 0),
        ("state |", "expected the name of a filter, found the end", 7),
        ("state | nope", "unknown filter `nope`", 8),
        ("a..b", "expected a field name, found `.`", 2),
        ("a b", "expected the end of the expression, found `b`", 2),
        ("a == \"x", "this text has no closing `\"`", 5),
        ("a | join(1)", "takes a text, not `1`", 4),
        ("a # b", "unexpected `#`", 2),
        ("a[x]", "expected an index or `]`, found `x`", 2),
    ];
    for (text, message, offset) in cases {
        let error = Expr::parse(text).unwrap_err();
        assert!(error.message.contains(message), "{text}: {}", error.message);
        assert_eq!(error.offset, offset, "{text}");
    }
}

/// Every construct that makes a tree too deep is refused before the stack can overflow.
#[test]
fn deep_expressions_are_refused() {
    let links = 100_000;
    let nested = |before: &str, after: &str| {
        let (before, after) = (before.repeat(links), after.repeat(links));
        format!("{before}a{after}")
    };
    let cases = [
        ("parentheses", nested("(", ")"), 64),
        ("open parentheses", "(".repeat(links), 64),
        ("filters", nested("", " | trim"), 1 + 63 * 7 + 3),
        ("and", nested("", " and a"), 1 + 63 * 6 + 1),
        ("or", nested("", " or a"), 1 + 63 * 5 + 1),
        ("not in parentheses", nested("not (", ")"), 64 * 5),
        ("arguments", nested("a | default(", ")"), 64 * 12),
        // A filter under the first operand counts together with the operators above it.
        (
            "mixed",
            format!("a{}", " | trim or a".repeat(links)),
            1 + 62 * 12 + 8,
        ),
    ];
    for (what, text, offset) in cases {
        let error = Expr::parse(&text).unwrap_err();
        assert_eq!(
            error.message, "this expression is nested too deeply",
            "{what}"
        );
        assert_eq!(error.offset, offset, "{what}");
    }
}

#[test]
fn what_is_just_deep_enough_is_evaluated() {
    for (text, expected) in [
        (format!("state{}", " | trim".repeat(63)), json!("OPEN")),
        (format!("number{}", " and number".repeat(63)), json!(true)),
        (format!("draft{}", " or draft".repeat(63)), json!(false)),
        (
            format!("{}number{}", "(".repeat(63), ")".repeat(63)),
            json!(7),
        ),
    ] {
        assert_eq!(eval(&text), Some(expected), "{text}");
    }
}

/// Two negations cancel out, but the result is true or false.
#[test]
fn repeated_negations_are_folded() {
    for (negations, expected) in [(2, true), (3, false), (60_000, true), (60_001, false)] {
        let text = format!("{}number", "not ".repeat(negations));
        assert_eq!(eval(&text), Some(json!(expected)), "{negations}");
    }
}

#[test]
fn templates_fill_blanks_and_keep_types() {
    let this = json!({"owner": "a/b", "n": 3, "flag": true, "none": null});
    let names = serde_json::Map::new();
    let scope = Scope::new(&this, &names);
    let render = |text: &str| Template::parse(text).unwrap().render(&scope);
    assert_eq!(
        render("/repos/{owner}/x{n}").as_deref(),
        Some("/repos/a/b/x3")
    );
    assert_eq!(render("{{{n}}}").as_deref(), Some("{3}"));
    assert_eq!(render("x {missing}"), None);
    assert_eq!(render("x {none}"), None);
    assert_eq!(render("{owner | default(\"}\")}").as_deref(), Some("a/b"));
    let encoded = Template::parse("/r/{owner}")
        .unwrap()
        .render_with(&scope, |v| v.replace('/', "%2F"));
    assert_eq!(encoded.as_deref(), Some("/r/a%2Fb"));
    let kept = Template::parse("/r/{+owner}/{+path}").unwrap();
    let this = json!({"owner": "a/b", "path": "/x y/../z"});
    let kept = kept.render_with(&Scope::new(&this, &names), |v| {
        v.replace(' ', "+").replace("..", "%2E%2E")
    });
    assert_eq!(kept.as_deref(), Some("/r/a/b/x+y/%2E%2E/z"));
    assert_eq!(
        Template::parse("{n}").unwrap().value(&scope),
        Some(json!(3))
    );
    assert_eq!(
        Template::parse("{none}").unwrap().value(&scope),
        Some(Value::Null)
    );
    assert!(Template::parse("a {n").is_err());
    assert!(Template::parse("a } b").is_err());

    let body = ValueTemplate::parse(&json!({
        "count": "{n}", "gone": "{missing}", "cleared": "{none}", "list": ["{flag}", "{missing}", 5],
    }));
    assert_eq!(
        body.unwrap().render(&scope),
        Some(json!({"count": 3, "cleared": null, "list": [true, 5]}))
    );
    let (pointer, _) = ValueTemplate::parse(&json!({"a": [{"b": "{"}]})).unwrap_err();
    assert_eq!(pointer, "/a/0/b");
}
