//! What cannot be read, with the words and the place.

use capstan_core::code::{ScriptErrorKind, Stopped};
use capstan_script::MAX_SOURCE_BYTES;

use crate::support::{refusal, script};

#[track_caller]
fn check(code: &str, kind: &ScriptErrorKind, place: (u32, u32), words: &str) {
    let error = refusal(code);
    assert_eq!(&error.kind, kind, "{error:?}\n{code}");
    let found = error.place.map(|it| (it.line, it.column));
    assert_eq!(found, Some(place), "{error:?}\n{code}");
    assert!(error.message.contains(words), "{error:?}\n{code}");
    let first = error.message.chars().next().unwrap();
    assert!(
        !first.is_uppercase() || error.message.starts_with("JSX"),
        "{error:?}"
    );
    assert!(!error.message.ends_with('.'), "{error:?}");
}

#[track_caller]
fn syntax(code: &str, place: (u32, u32), words: &str) {
    check(code, &ScriptErrorKind::Syntax, place, words);
}

#[track_caller]
fn unsupported(code: &str, place: (u32, u32), words: &str) {
    check(code, &ScriptErrorKind::Unsupported, place, words);
}

#[test]
fn a_place_is_never_behind_the_end_of_its_line() {
    for code in ["'a\r\n", "1\r\n'a\r\n\r\n", "`\r\n", "'\r\n\r\n x"] {
        let place = refusal(code).place.unwrap();
        let lines: Vec<_> = code.split("\r\n").collect();
        let line = lines[place.line as usize - 1];
        assert!(
            line.chars().count() + 1 >= place.column as usize,
            "{code:?}: {place:?}"
        );
    }
}

#[test]
fn syntax_errors_have_their_place() {
    syntax("const a = ;", (1, 11), "unexpected token");
    syntax("const a = {b: 1\nfoo", (2, 1), "expected `,` or `}`");
    syntax("let a = 1; let a = 2", (1, 16), "already been declared");
    syntax("a b", (1, 2), "semicolon");
    syntax("x = 'abc", (1, 5), "unterminated string");
    syntax("x = `abc", (1, 5), "unterminated");
    syntax("/* abc", (1, 1), "unterminated");
    syntax("x = /(/", (1, 6), "regular expression");
    syntax("function f(a, a) {}", (1, 15), "already been declared");
    syntax("with (a) {}", (1, 1), "'with'");
    syntax("x = 010", (1, 5), "octal");
    syntax("break", (1, 1), "break");
    syntax("const a = 1; a = 2; yield 1", (1, 21), "yield");
    syntax("x = \0", (1, 5), "");
}

#[test]
fn columns_are_characters_and_lines_end_in_any_way() {
    syntax("const ä = '😀'; var ;", (1, 20), "unexpected token");
    syntax("a\r\nb\r\nvar ;", (3, 5), "unexpected token");
    syntax("a\rb\rvar ;", (3, 5), "unexpected token");
    syntax("\u{feff}var ;", (1, 5), "unexpected token");
}

#[test]
fn code_without_anything_to_run_is_refused() {
    for code in [
        "",
        " \n",
        "// nothing",
        "/* a */;;",
        "interface A {}",
        "type A = 1; declare const b: A",
        "'use strict'",
    ] {
        let error = refusal(code);
        assert_eq!(error.kind, ScriptErrorKind::Syntax, "{code}");
        assert!(error.message.starts_with("the code is empty"), "{error}");
    }
}

#[test]
fn an_object_that_is_a_block_is_refused() {
    syntax("{ a: 1 }", (1, 1), "`return { … }`");
    syntax("const a = 1;\n{ a }", (2, 1), "`return { … }`");
    syntax("const a = 1, b = 2;\n{ a, b }", (2, 1), "`return { … }`");
    syntax("const a = 1;\n{ x: a, y: 2 };", (2, 10), "`return { … }`");
    syntax(
        "const a = 1\n{\n  x: a,\n  'y': 2\n}",
        (4, 6),
        "`return { … }`",
    );
    script("{ const a = 1; a }");
    script("{ a: for (;;) break a }");
    script("{ f() }");
}

#[test]
fn there_are_no_modules() {
    unsupported("import a from 'a'", (1, 1), "`import`");
    unsupported("1;\nimport type { A } from 'a'", (2, 1), "`import`");
    unsupported("import 'a'", (1, 1), "`import`");
    unsupported("import a = require('a')", (1, 1), "`import`");
    unsupported("1; const a = await import('a')", (1, 20), "`import`");
    unsupported("import.meta.url", (1, 1), "`import.meta`");
    unsupported("export const a = 1", (1, 1), "`export`");
    unsupported("export default 1", (1, 1), "`export`");
    unsupported("const a = 1; export { a }", (1, 14), "`export`");
    unsupported("export * from 'a'", (1, 1), "`export`");
    unsupported("export type A = 1", (1, 1), "`export`");
    unsupported("export = 1", (1, 1), "`export`");
    unsupported("const fs = require('fs')", (1, 12), "`require`");
    script("const require = (x: string) => x; require('fs')");
    script("namespace A { export const a = 1 } 1");
}

#[test]
fn what_is_not_run_says_what_to_do_instead() {
    unsupported("const a = <div>b</div>", (1, 11), "JSX");
    unsupported("const a = <><b /></>", (1, 11), "JSX");
    unsupported("@a class B {}", (1, 1), "decorators");
    unsupported("class A { @b c() {} }", (1, 11), "decorators");
    unsupported("class A { f(@b c) {} }", (1, 13), "decorators");
    unsupported("class A { accessor a = 1 }", (1, 11), "`accessor`");
    script("const a = <string>b");
}

#[test]
fn code_that_is_too_long_is_refused() {
    let longest = format!("1{}", " ".repeat(MAX_SOURCE_BYTES - 1));
    script(&longest);
    let error = refusal(&format!("{longest} "));
    assert_eq!(error.kind, ScriptErrorKind::Limit(Stopped::Source));
    assert!(error.message.contains("262144"), "{error}");
}
