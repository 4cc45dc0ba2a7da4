//! What is given is what the code says, in the engine that runs it.

use serde_json::{Value, json};

use crate::support::{run, run_with};

#[track_caller]
fn gives(code: &str, expected: Value) {
    assert_eq!(run(code), Ok(expected), "{code}");
}

#[test]
fn the_last_expression_is_the_value() {
    gives("1 + 2", json!(3));
    gives("const a = 1; a + 1;", json!(2));
    gives("({ a: 1 })", json!({ "a": 1 }));
    gives("'text'", json!("text"));
    gives("'use strict'; 'second'", json!("second"));
    gives("'first'; 2", json!(2));
    gives("await Promise.resolve(4)", json!(4));
    gives("Promise.resolve(4)", json!(4));
    gives(
        "var x; x = f(); function f() { return 5 } type T = 1;;",
        json!(5),
    );
    gives("#!/usr/bin/env run\n6", json!(6));
    gives("\u{feff}7", json!(7));
}

#[test]
fn an_explicit_return_is_the_value() {
    gives("return 1", json!(1));
    gives("if (true) return 1; 2", json!(1));
    gives(
        "for (const a of [1, 2]) { if (a === 2) return a }",
        json!(2),
    );
    gives("return; 1", json!(null));
}

#[test]
fn statements_give_what_they_end_with() {
    gives("if (true) { 1 } else { 2 }", json!(1));
    gives("if (false) 1; else if (true) 2", json!(2));
    gives("if (false) 1", json!(null));
    gives("{ const a = 1; a + 1 }", json!(2));
    gives("a: { if (false) break a; 2 }", json!(2));
    gives("a: { 1; if (true) break a; 2 }", json!(null));
    gives("try { 1 } finally { 2 }", json!(1));
    gives("try { throw 1 } catch (e) { e + 1 }", json!(2));
    gives(
        "switch (2) { case 1: 'a'; break; case 2: 'b'; break; default: 'c' }",
        json!("b"),
    );
    gives(
        "switch (1) { case 1: { 'a'; break } default: 'c' }",
        json!("a"),
    );
    gives("switch (1) { case 1: 'a'; default: 'c' }", json!("c"));
}

#[test]
fn loops_and_declarations_give_nothing() {
    gives("for (const a of [1]) { a }", json!(null));
    gives("while (false) 1", json!(null));
    gives("1; const a = 2", json!(null));
    gives("1; class A {}", json!(null));
    gives("1; enum E { A }", json!(null));
    gives("1; namespace N { export const a = 1 }", json!(null));
}

#[test]
fn what_goes_wrong_in_try_is_caught_there() {
    gives(
        "try { capstan.issue.fail() } catch (e) { e.message }",
        json!("failed"),
    );
    gives(
        "const seen = []; try { await (async () => { try { seen.push(1) } finally { seen.push(2) } })(); seen } finally { seen.push(3) }",
        json!([1, 2, 3]),
    );
}

#[test]
fn typescript_is_run() {
    gives(
        "enum E { A, B = 5, C } [E.A, E.C, E[5]]",
        json!([0, 6, "B"]),
    );
    gives(
        "const enum E { A = 'x', B = 1 << 3 } [E.A, E.B]",
        json!(["x", 8]),
    );
    gives(
        "namespace N { export const a = 1; export namespace M { export function f() { return a } } } N.M.f()",
        json!(1),
    );
    gives(
        "abstract class A<T> { constructor(private x: T, readonly y = 2) {} abstract f(): T; g() { return [this.x, this.y] } } class B extends A<number> { f() { return 1 } } new B(1).g()",
        json!([1, 2]),
    );
    gives(
        "const f = <T,>(a: T, ...b: T[]): a is T => a as any; f<number>(3)!",
        json!(3),
    );
    gives(
        "const a = { b: 1 } as const satisfies { b: number }; <number>a?.b",
        json!(1),
    );
    gives(
        "interface A { b: string } type C = A | null; declare const d: C; function e(this: void, x?: number): void; function e() { return 1 } e()",
        json!(1),
    );
    gives(
        "class A { static #x = 1; declare y: number; z!: string; static { this.#x++ } static get x() { return A.#x } override toString() { return '' } } A.x",
        json!(2),
    );
    gives("let x: number | undefined; x ??= 3; x **= 2; x", json!(9));
    gives(
        "function f(a: unknown): asserts a is string {} f(1); [1, [2]].flat().at(-1)",
        json!(2),
    );
    gives(
        "const seen: number[] = []; { using a = { [Symbol.dispose]() { seen.push(1) } }; seen.push(0) } seen",
        json!([0, 1]),
    );
    gives(
        "import_ = 1; var import_; 'a'.replace(/(?<x>a)/v, '$<x>b')",
        json!("ab"),
    );
    gives(
        "class A { constructor(public a = 1, protected b?: string) { this.a++ } } new A().a",
        json!(2),
    );
    gives("enum A { X = 1 } enum A { Y = X + 1 } A.Y", json!(2));
}

#[test]
fn the_body_is_that_of_an_async_function() {
    gives(
        "g(); function g() { return f() } function f() { return 1 } g()",
        json!(1),
    );
    gives(
        "const x = await capstan.issue.view(1); x",
        json!({ "viewed": 1 }),
    );
    gives(
        "for await (const a of [Promise.resolve(1)]) { return a }",
        json!(1),
    );
    gives("typeof this", json!("undefined"));
    gives("typeof undeclared", json!("undefined"));
    gives("(function () { return this === undefined })()", json!(true));
}

#[test]
fn globals_can_be_shadowed() {
    gives(
        "const capstan = 1, mcp = 2, caps = 3, args = 4, console = 5; [capstan, mcp, caps, args, console]",
        json!([1, 2, 3, 4, 5]),
    );
    assert_eq!(
        run_with("const { a, b = 2 } = args; a + b", "{ a: 1 }"),
        Ok(json!(3))
    );
}

#[test]
fn strings_come_through() {
    gives(
        r#"["\ud800".charCodeAt(0), "\u{1F600}", '\'', "\"", `\``, "\0", "\x41\
b"]"#,
        json!([0xd800, "😀", "'", "\"", "`", "\0", "Ab"]),
    );
    gives("`a\r\nb`", json!("a\nb"));
    gives("String.raw`a\\n\r${1}`", json!("a\\n\n1"));
    gives("'</script>' + `</script>`", json!("</script></script>"));
    gives(
        "[1e21, 0x10, 1_000, .5, -0 === 0, 0b11, 9007199254740993n.toString()]",
        json!([1e21, 16, 1000, 0.5, true, 3, "9007199254740993"]),
    );
}
