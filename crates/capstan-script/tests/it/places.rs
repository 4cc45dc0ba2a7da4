//! What goes wrong at run time is told with its place in the TypeScript.
//!
//! The engine takes the name of what is called, or its last argument, for the place of a call.

use capstan_core::code::Place;

use crate::support::run;

#[track_caller]
fn throws_at(code: &str, line: u32, column: u32) {
    let thrown = run(code).unwrap_err();
    assert_eq!(
        thrown.place,
        Some(Place { line, column }),
        "{thrown:?}\n{code}"
    );
}

#[test]
fn a_throw_has_its_place() {
    throws_at("type A = 1;\n\nthrow new Error('a')", 3, 11);
    throws_at(
        "interface A {\n a: string }\nconst a: A = null as any;\na.a.b",
        4,
        3,
    );
    throws_at(
        "enum E { A }\nfunction f(x: number) {\n  return (x as any).a.b;\n}\nf(1)",
        3,
        11,
    );
}

#[test]
fn other_characters_and_line_ends_do_not_shift_it() {
    throws_at("/* ä */ const ü = '😀😀'; throw new Error(ü)", 1, 41);
    throws_at(
        "const a = 1;\r\nconst b = `x\r\ny`;\r\nthrow new Error(b)",
        4,
        17,
    );
    throws_at(
        "const a = '\u{2028}'; const b = `\u{2028}`;\nthrow new Error('x')",
        2,
        11,
    );
    throws_at("\u{feff}throw new Error('x')", 1, 11);
}
