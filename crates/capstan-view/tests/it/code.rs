//! What code gives.

use capstan_core::ErrorCode;
use capstan_core::code::{ConsoleLine, Mode};
use insta::assert_snapshot;
use serde_json::{Value, json};

use crate::samples::{failed, ok, shown};

fn value(data: Value) -> String {
    let mut envelope = ok(data);
    envelope.meta.mode = Some(Mode::Direct);
    shown(&envelope, None, json!({}))
}

#[test]
fn values_are_as_they_are() {
    for (data, text) in [
        (json!("two\nlines"), "two\nlines"),
        (json!("2026-05-20T16:52:07Z"), "2026-05-20T16:52:07Z"),
        (json!(7), "7"),
        (json!(true), "true"),
        (json!(null), "null"),
        (json!([]), "[]"),
        (json!(["a", "b"]), "a, b"),
        (json!(["a, b", "c"]), "a, b; c"),
        (json!([[1], [2, 3]]), "[[1],[2,3]]"),
        (json!([1, {"a": 1}]), r#"[1,{"a":1}]"#),
        (
            json!([{"a": 1}, {"b": 2}, {"c": 3}]),
            r#"[{"a":1},{"b":2},{"c":3}]"#,
        ),
        (
            json!([{"a": 1, "b": "x"}, {"a": 2, "b": "y"}]),
            "2 rows: a | b\n1 | x\n2 | y",
        ),
        (
            json!({"closed": [1, 2], "left": 0}),
            "closed: 1, 2\nleft: 0",
        ),
        (json!({"rows": []}), "no rows"),
    ] {
        assert_eq!(value(data.clone()), text, "{data}");
    }
}

#[test]
fn cells_of_code_are_not_cut() {
    let long = "word ".repeat(60);
    assert!(value(json!([{"a": 1, "b": long}])).contains(long.trim_end()));
}

#[test]
fn the_console_is_told_where_there_is_no_value() {
    let line = |level: &str, text: &str| ConsoleLine {
        level: level.to_owned(),
        text: text.to_owned(),
    };
    let console = vec![line("log", "read 3"), line("warn", "one\nis odd")];
    let mut silent = ok(json!(null));
    silent.meta.console = console.clone();
    let mut thrown = failed(
        ErrorCode::Unknown,
        "boom (line 3, column 7)",
        json!({"kind": "thrown"}),
    );
    thrown.meta.console = console.clone();
    let mut given = ok(json!(3));
    given.meta.console = console;
    let texts = [silent, thrown, given].map(|it| shown(&it, None, json!({})));
    assert_snapshot!(texts.join("\n---\n"), @"
    console:
    read 3
    warn: one
    is odd
    ---
    UNKNOWN: boom (line 3, column 7)

    console:
    read 3
    warn: one
    is odd
    ---
    3
    ");
}
