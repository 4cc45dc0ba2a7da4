//! What is the same code, and what is not.

use crate::support::hash;

#[track_caller]
fn same(codes: &[&str]) {
    let [first, others @ ..] = codes else {
        panic!("nothing to compare");
    };
    for other in others {
        assert_eq!(hash(first), hash(other), "\n{first}\n{other}");
    }
}

/// All of them differ from each other.
#[track_caller]
fn different(codes: &[&str]) {
    for (index, one) in codes.iter().enumerate() {
        for other in &codes[index + 1..] {
            assert_ne!(hash(one), hash(other), "\n{one}\n{other}");
        }
    }
}

#[test]
fn the_form_is_known() {
    // Whoever changes the canonical form changes its version, and this.
    assert_eq!(
        hash("const x = 1; x"),
        "a34f876075b3a73f861a3196619df3f57c50c3835972c430b20db28d9017789c"
    );
}

#[test]
fn layout_is_no_part_of_it() {
    same(&[
        "const a = f(1, 2); a.b",
        "const a=f(1,2);a.b",
        "// note\nconst a = f(1, /* two */ 2)\na.b\n",
        "\u{feff}const a = f(\r\n\t1,\r\n\t2,\r\n);;\r\n(a).b",
        "#!/bin/run\n'use strict'; const a = (f)((1), 2); return a.b",
        "/** doc */ const a = f(1, 2); /*! legal */ return (a.b);",
    ]);
    same(&["f(`a\r\nb`)", "f(`a\nb`)"]);
    same(&["if (a) ; else b()", "if(a);else b();"]);
}

#[test]
fn spelling_is_no_part_of_it() {
    same(&["f('a\\'b')", "f(\"a'b\")", "f('a\\x27b')"]);
    same(&["f({ 'a': 1, \"b\": 2 })", "f({ a: 1, b: 2 })"]);
    same(&[
        "class A { 'b'() {} \"c\" = 1; static 'd'() {} } f(A)",
        "class A { b() {} c = 1; static d() {} } f(A)",
    ]);
    same(&[
        "class A { 'constructor'() { g() } } f(A)",
        "class A { constructor() { g() } } f(A)",
    ]);
    same(&[
        "f((() => 1), (function () {}))",
        "f(() => 1, function () {})",
    ]);
    same(&[
        "f(/* @__PURE__ */ g(), /* #__PURE__ */ new A())",
        "f(g(), new A)",
    ]);
    same(&[
        "function f() { 'a'; return 1 } f()",
        "function f() { ('a'); return 1 } f()",
    ]);
    same(&["f(a['b'])", "f(a.b)", "f(a[\"b\"])"]);
    same(&["f(a?.['b'])", "f(a?.b)"]);
    same(&["f(0x10, 1_000, 1e3)", "f(16, 1000, 1000)"]);
    same(&["f(/a/gi)", "f(/a/ig)"]);
    same(&["let a = 1; f(a)", "const a = 1; f(a)"]);
    same(&["for (let a of b) f(a)", "for (const a of b) f(a)"]);
    same(&["f({ a: a })", "f({ a })"]);
    same(&["f(); 1", "f(); return 1"]);
    same(&[
        "function f() { 'use strict'; return 1 } f()",
        "function f() { return 1 } f()",
    ]);
}

#[test]
fn types_are_no_part_of_it() {
    same(&[
        "const a = f(x); g(a)",
        "interface A { b: string } const a: A = f<A>(x!) as A; g(a satisfies A)",
        "type T<U> = U[]; declare function f(x: any): any; const a: T<string> = f(<any>x); g(a)",
    ]);
    same(&[
        "function f(a, b = 1) { return a } f(2)",
        "function f(a: number): number; function f<T>(this: void, a?: T, b: number = 1): T { return a } f(2)",
    ]);
    same(&[
        "class A { x = 1; f() {} } new A()",
        "abstract class A<T> implements B { private readonly x: number = 1; declare y: T; public f(): void {} [k: string]: any } new A()",
    ]);
    same(&["enum A { B } f(A.B)", "const enum X { B } f(X.B)"]);
    same(&["declare const args: { a: string }; f(args.a)", "f(args.a)"]);
}

#[test]
fn names_of_locals_are_no_part_of_it() {
    same(&[
        "const a = 1; f(a)",
        "const b = 1; f(b)",
        "const f_ = 1; f(f_)",
    ]);
    same(&["(a, b) => a", "(x, y) => x", "(b, a) => b"]);
    same(&["const { a } = x; f(a)", "const { a: b } = x; f(b)"]);
    same(&[
        "const { a = 1, ...r } = x; f(a, r)",
        "const { a: b = 1, ...q } = x; f(b, q)",
    ]);
    same(&[
        "let a = 1; ({ a } = x); f(a)",
        "let b = 1; ({ a: b } = x); f(b)",
    ]);
    same(&[
        "let a = 1; ({ a = 2 } = x); f(a)",
        "let b = 1; ({ a: b = 2 } = x); f(b)",
    ]);
    same(&["const a = 1; f({ a })", "const b = 1; f({ a: b })"]);
    same(&[
        "try { f() } catch (e) { g(e) }",
        "try { f() } catch (x) { g(x) }",
    ]);
    same(&[
        "a: for (;;) { b: for (;;) { break a } }",
        "x: for (;;) { y: for (;;) { break x } }",
    ]);
    same(&["f(function g() { g() })", "f(function h() { h() })"]);
    same(&[
        "class A { b() { return A } } f(A)",
        "class C { b() { return C } } f(C)",
    ]);
    same(&["enum A { B, C = B } f(A)", "enum X { B, C = B } f(X)"]);
    same(&[
        "namespace A { export const b = 1; f(b) } g(A)",
        "namespace X { export const b = 1; f(b) } g(X)",
    ]);
    same(&[
        "let x = 1; { let x = 2; f(x) } f(x)",
        "let x = 1; { let y = 2; f(y) } f(x)",
    ]);
    same(&[
        "g(1); function g(a) { return h(a) } function h(b) { return b }",
        "p(1); function p(q) { return r(q) } function r(q) { return q }",
    ]);
    same(&["const é = 1; f(é)", "const e = 1; f(e)"]);
    // A local may have the name of a global that is not used, or of a property.
    same(&[
        "const fetch = 1; f(fetch, x.fetch)",
        "const a = 1; f(a, x.fetch)",
    ]);
}

#[test]
fn which_binding_is_meant_is_part_of_it() {
    different(&["(a, b) => a", "(a, b) => b", "(a, b) => c", "(a) => a"]);
    different(&[
        "let x = 1; { let x = 2; f(x) }",
        "let x = 1; { let y = 2; f(x) }",
        "let x = 1; { x = 2; f(x) }",
    ]);
    different(&["const a = 1; f(a)", "const b = 1; f(a)", "f(a)"]);
    different(&[
        "const a = 1; f({ a })",
        "const a = 1; f({ b: a })",
        "const b = 1; f({ a })",
    ]);
    different(&[
        "const { a } = x; f(a)",
        "const { b } = x; f(b)",
        "const { a: b } = x; f(a)",
    ]);
    different(&["f(function g() { g() })", "f(function h() { g() })"]);
    different(&[
        "f(() => { var a = 1; return () => a })",
        "f(() => { var b = 1; return () => a })",
    ]);
    different(&[
        "a: for (;;) { b: for (;;) { break a } }",
        "a: for (;;) { b: for (;;) { break b } }",
        "a: for (;;) { b: for (;;) { continue a } }",
        "a: for (;;) { b: for (;;) { break } }",
    ]);
    different(&["typeof a", "const a = 1; typeof a", "typeof b"]);
    // Renaming a local to the name of a global that is used captures it.
    different(&["const a = 1; f(a, b)", "const b = 1; f(b, b)"]);
    different(&["(x) => (y) => x", "(x) => (x) => x"]);
}

#[test]
fn what_is_done_is_part_of_it() {
    different(&[
        "f(1)", "f(2)", "f('1')", "f(1n)", "f(-1)", "f()", "f(1, 1)", "g(1)", "f(1).a", "f(0.1)",
    ]);
    different(&[
        "f('a')",
        "f('A')",
        "f('a ')",
        "f(`a`, 1)",
        "f(/a/)",
        "f(/a/g)",
        "f(/b/)",
        "f('')",
    ]);
    different(&[
        "f(`a${b}`)",
        "f(`a ${b}`)",
        "f(`${b}a`)",
        "f(`a${c}`)",
        "f(x`a${b}`)",
    ]);
    different(&[
        "a + b", "a - b", "b + a", "a === b", "a == b", "a && b", "a || b", "a ?? b", "!a + b",
        "a + +b", "a++ + b", "++a + b",
    ]);
    different(&[
        "a.b",
        "a?.b",
        "a.c",
        "a[b]",
        "a.b()",
        "new a.b()",
        "a.b``",
        "(a?.b).c",
        "a?.b.c",
    ]);
    different(&[
        "(a) => a + 1",
        "(a) => a + 2",
        "async (a) => a + 1",
        "(a) => { a + 1 }",
        "(a = 1) => a + 1",
        "(a = 2) => a + 1",
        "(...a) => a + 1",
        "([a]) => a + 1",
        "({ a }) => a + 1",
    ]);
    different(&[
        "f(); g()",
        "g(); f()",
        "f(); f(); g()",
        "f(); await g()",
        "await f(); g()",
    ]);
    different(&[
        "return a",
        "return a, b",
        "return",
        "throw a",
        "return await a, 1",
    ]);
    different(&[
        "if (a) b(); else c()",
        "if (b) a(); else c()",
        "if (a) c(); else b()",
        "if (a) b()",
        "if (!a) b(); else c()",
    ]);
    different(&[
        "for (const a of b) f(a)",
        "for (const a in b) f(a)",
        "for await (const a of b) f(a)",
    ]);
    different(&[
        "function f() {} f",
        "function* f() {} f",
        "async function f() {} f",
        "async function* f() {} f",
    ]);
    different(&[
        "let a = 1; a = 2; f(a)",
        "const a = 1; a = 2; f(a)",
        "var a = 1; a = 2; f(a)",
    ]);
    different(&[
        "f({ a: 1 })",
        "f({ b: 1 })",
        "f({ a: 2 })",
        "f({ a: 1, b: 1 })",
        "f({ get a() { return 1 } })",
        "f({ a() { return 1 } })",
        "f({ ['a']: x })",
        "f({ ...a })",
    ]);
    different(&[
        "class A { a = 1 } f(A)",
        "class A { static a = 1 } f(A)",
        "class A { b = 1 } f(A)",
        "class A extends B { a = 1 } f(A)",
        "class A { #a = 1 } f(A)",
    ]);
    different(&[
        "enum A { B } f(A)",
        "enum A { C } f(A)",
        "enum A { B = 1 } f(A)",
        "enum A { B = 'B' } f(A)",
    ]);
    different(&[
        "capstan.issue.view(a)",
        "capstan.issue.list(a)",
        "capstan.pr.view(a)",
        "mcp.issue.view(a)",
        "caps.issue.view(a)",
    ]);
    different(&["[a, , b]", "[a, b]", "[a, b, ,]", "[, a, b]"]);
    different(&[
        "try { f() } catch { g() }",
        "try { f() } finally { g() }",
        "try { f() } catch { g() } finally { g() }",
    ]);
    different(&[
        "switch (a) { case 1: f(); break; default: g() }",
        "switch (a) { case 1: f(); default: g() }",
        "switch (a) { default: g(); case 1: f(); break }",
    ]);
}

#[test]
fn odd_strings_and_prototypes_are_told_apart() {
    different(&[
        r"f('\ud800')",
        r"f('\ud801')",
        r"f('\ufffdd800')",
        r"f('\ufffd')",
        r"f('\\ud800')",
    ]);
    different(&[r"f(`\ud800`)", r"f(`\ud801`)", r"f(`\\ud800`)"]);
    different(&[
        "f({ __proto__: a })",
        "f({ ['__proto__']: a })",
        "f({ __proto__() {} })",
    ]);
    different(&[
        "const __proto__ = 1; f({ __proto__ })",
        "const __proto__ = 1; f({ __proto__: __proto__ })",
    ]);
    different(&[
        r"f('\0')",
        r"f('0')",
        r"f('\u2028')",
        r"f('\n')",
        r"f('\\n')",
    ]);
    different(&["f('@0')", "const a = 1; f(a)", "f('a')"]);
}

#[test]
fn code_made_at_run_time_sees_names() {
    different(&["const a = 1; eval(x)", "const b = 1; eval(x)"]);
    different(&["let a = 1; eval(x)", "const a = 1; eval(x)"]);
    same(&["const a = 1; (0, eval)(x)", "const b = 1; (0, eval)(x)"]);
    same(&["const eval_ = 1; x.eval(y)", "const b = 1; x.eval(y)"]);
}
