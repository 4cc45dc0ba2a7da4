//! The schema of `args`, from how code reads it.

use serde_json::{Value, json};

use crate::support::script;

#[track_caller]
#[expect(
    clippy::needless_pass_by_value,
    reason = "the value is written at the call"
)]
fn check(code: &str, properties: Value, required: &[&str]) {
    let mut expected = json!({ "type": "object", "properties": properties });
    if !required.is_empty() {
        expected["required"] = json!(required);
    }
    let found = script(code).parameters;
    // As text: the order counts.
    assert_eq!(
        serde_json::to_string_pretty(&found).unwrap(),
        serde_json::to_string_pretty(&expected).unwrap(),
        "{code}"
    );
}

#[test]
fn plain_reads_are_required() {
    check("1", json!({}), &[]);
    check("f(args)", json!({}), &[]);
    check("args.a", json!({ "a": {} }), &["a"]);
    check(
        "f(args['a-b'], args[`c`]); args[x]",
        json!({ "a-b": {}, "c": {} }),
        &["a-b", "c"],
    );
    check(
        "f(args.b); f(args.a)",
        json!({ "b": {}, "a": {} }),
        &["b", "a"],
    );
    check(
        "const { a, b: c } = args; f(a, c)",
        json!({ "a": {}, "b": {} }),
        &["a", "b"],
    );
    check("const a = args; f(a.b)", json!({ "b": {} }), &["b"]);
    check(
        "const { a } = args ?? {}; f(a, (args || {}).b)",
        json!({ "a": {}, "b": {} }),
        &["a", "b"],
    );
    check(
        "const { a, ...rest } = args; f(a, rest.b)",
        json!({ "a": {}, "b": {} }),
        &["a", "b"],
    );
    check("const args = {}; args.a", json!({}), &[]);
    check("(function (args) { return args.a })(1)", json!({}), &[]);
    check("x.args.a", json!({}), &[]);
    check("globalThis.args.a", json!({ "a": {} }), &["a"]);
}

#[test]
fn what_is_done_with_a_value_is_not_below_it() {
    check(
        "args.path.split('/'); args.ids.length; args.list[0]; args.s?.trim()",
        json!({ "path": {}, "ids": {}, "list": {}, "s": {} }),
        &["path", "ids", "list"],
    );
    check(
        "const p = args.path; p.split('/').map(x => x.a)",
        json!({ "path": {} }),
        &["path"],
    );
    check(
        "const [a] = args.pair; for (const x of args.many) f(x); f(...args.rest)",
        json!({ "pair": {}, "many": {}, "rest": {} }),
        &["pair", "many", "rest"],
    );
    check(
        "const { length } = args.list; f(length)",
        json!({ "list": {} }),
        &["list"],
    );
}

#[test]
fn nested_reads_are_nested() {
    let user = json!({ "user": { "type": "object", "properties": { "name": {}, "mail": {} } } });
    check("f(args.user.name, args.user.mail)", user.clone(), &["user"]);
    check(
        "const { user: { name, mail } } = args; f(name)",
        user.clone(),
        &["user"],
    );
    check(
        "const u = args.user; f(u.name.trim(), u.mail)",
        user,
        &["user"],
    );
    check(
        "args.a.b.c",
        json!({ "a": { "type": "object", "properties": { "b": { "type": "object", "properties": { "c": {} } } } } }),
        &["a"],
    );
    check(
        "args.a?.b",
        json!({ "a": { "type": ["object", "null"], "properties": { "b": {} } } }),
        &[],
    );
    check(
        "args.a.b ?? 1",
        json!({ "a": { "type": "object", "properties": { "b": { "type": ["number", "null"], "default": 1 } } } }),
        &["a"],
    );
}

#[test]
fn literal_defaults_are_defaults() {
    let n = |default: Value| json!({ "n": { "type": ["number", "null"], "default": default } });
    check("args.n ?? 1", n(json!(1)), &[]);
    check("args.n || -1.5", n(json!(-1.5)), &[]);
    check("const { n = 1 } = args; f(n)", n(json!(1)), &[]);
    check("const { n: m = 1 } = args; f(m)", n(json!(1)), &[]);
    check("args.n === undefined ? 1 : args.n", n(json!(1)), &[]);
    check("args.n == null ? 1 : args.n", n(json!(1)), &[]);
    check("undefined !== args.n ? args.n : 1", n(json!(1)), &[]);
    check(
        "typeof args.n === 'undefined' ? 1 : args.n",
        n(json!(1)),
        &[],
    );
    check("args.n ? args.n : 1", n(json!(1)), &[]);
    check("const n = args.n ?? 1; f(n, n)", n(json!(1)), &[]);
    check("const n = args.n; f(n ?? 1)", n(json!(1)), &[]);
    check("args.n ??= 1; f(args.n)", n(json!(1)), &[]);
    check("const D = 1; args.n ?? D", n(json!(1)), &[]);
    check("f(args.n ?? 1, args.n ?? 1)", n(json!(1)), &[]);
    check("function go({ n = 1 }) { f(n) } go(args)", n(json!(1)), &[]);
    check(
        "args.a ?? [1, 'b', { c: null }]",
        json!({ "a": { "type": ["array", "null"], "default": [1, "b", { "c": null }] } }),
        &[],
    );
    check(
        "args.a ?? { b: -1, 'c': [true] }",
        json!({ "a": { "type": ["object", "null"], "default": { "b": -1, "c": [true] } } }),
        &[],
    );
    check(
        "args.a ?? 'x'; args.b ?? false; args.c ?? `y`; args.d ?? null",
        json!({
            "a": { "type": ["string", "null"], "default": "x" },
            "b": { "type": ["boolean", "null"], "default": false },
            "c": { "type": ["string", "null"], "default": "y" },
            "d": { "default": null },
        }),
        &[],
    );
    check(
        "const { a: { b = 1, c } = {} } = args; f(b, c)",
        json!({ "a": { "type": ["object", "null"], "properties": { "b": { "type": ["number", "null"], "default": 1 }, "c": {} }, "default": {} } }),
        &[],
    );
}

#[test]
fn a_default_that_would_change_something_is_none() {
    check("args.n ?? 1; args.n ?? 2", json!({ "n": {} }), &[]);
    check("args.n ?? 1; f(args.n)", json!({ "n": {} }), &[]);
    check(
        "if (args.n === undefined) f(); args.n ?? 1",
        json!({ "n": {} }),
        &[],
    );
    check("args.n ?? f()", json!({ "n": {} }), &[]);
    check("args.n ?? 1; args.n ?? f()", json!({ "n": {} }), &[]);
    check("args.a ?? args.b", json!({ "a": {}, "b": {} }), &[]);
    check(
        "args.a ?? args.b ?? 'c'",
        json!({ "a": {}, "b": { "type": ["string", "null"], "default": "c" } }),
        &[],
    );
}

#[test]
fn what_may_be_absent_is_not_required() {
    for code in [
        "if (args.a) f(args.a)",
        "if (!args.a) throw new Error('no a')",
        "'a' in args && f(args.a)",
        "typeof args.a === 'string' && f(args.a)",
        "args.a === undefined ? f() : g(args.a)",
        "if (args.a != null) f(args.a)",
        "if (x && args.a) f(args.a)",
        "args.a && f(args.a)",
        "f(args.a ? args.a : x)",
        "f(!args.a, !!args.a, args.a)",
        "const a = args.a; if (!a) f(); f(a)",
        "let a = args.a; if (a === undefined) a = f(); g(a)",
        "Object.hasOwn(args, 'a') && f(args.a)",
        "args.hasOwnProperty('a') && f(args.a)",
        "Array.isArray(args.a) && f(args.a)",
        "f(args?.a)",
        "while (args.a) f(args.a)",
        "f(args.a as string | undefined) ",
        "const { a }: { a?: any } = args; f(a)",
        "f(args.a?.trim())",
    ] {
        let found = script(code).parameters;
        assert_eq!(found.get("required"), None, "{code}");
        assert!(found["properties"].get("a").is_some(), "{code}");
        assert!(found["properties"]["a"].get("default").is_none(), "{code}");
    }
    check("args.a = 1; x", json!({}), &[]);
}

#[test]
fn what_only_some_runs_read_is_not_required() {
    for code in [
        "if (args.mode === 'x') f(args.a)",
        "if (x) f(1); else f(args.a)",
        "x ? args.a : 1",
        "x && args.a",
        "y ?? args.a",
        "for (const i of xs) f(i, args.a)",
        "for (let i = 0; i < n; i++) f(args.a)",
        "while (x()) f(args.a)",
        "switch (x) { case 1: f(args.a) }",
        "try { f() } catch { g(args.a) }",
        "if (x) return 1; return args.a",
        "const { a } = args; if (x) f(a)",
        "function later() { return args.a } if (x) later()",
        "const later = () => args.a; x && later()",
        "class A { m() { return args.a } } new A()",
        "function one() { if (x) return 2; return args.a } return one()",
        "const { b = args.a } = x; f(b)",
        "let b; b ??= args.a; f(b)",
    ] {
        let found = script(code).parameters;
        let required = found["required"].as_array().cloned().unwrap_or_default();
        assert!(!required.contains(&json!("a")), "{code}: {found}");
        assert!(found["properties"].get("a").is_some(), "{code}: {found}");
    }
}

#[test]
fn what_every_good_run_reads_is_required() {
    for code in [
        "if (args.b) throw new Error('no'); f(args.a)",
        "if (x) f(args.a); g(args.a)",
        "try { f(args.a) } finally { g() }",
        "do { f(args.a) } while (x())",
        "async function main() { return args.a } return await main()",
        "const main = async () => { const { a } = args; return f(a) }; main().then(g)",
        "return (async () => args.a)()",
        "!function () { f(args.a) }()",
        "xs.filter((x) => x.n > args.a)",
        "const older = (x) => x.n > args.a; xs.filter(older)",
        "function inner() { return args.a } function outer() { return inner() } outer()",
        "function one() { if (x) return 2; return 3 } one(); f(args.a)",
        "for (const i of args.a) f(i)",
        "switch (args.a) { case 1: f() }",
    ] {
        let found = script(code).parameters;
        assert_eq!(found["required"], json!(["a"]), "{code}: {found}");
    }
}

/// What is called through very many functions is left open, in time that does not grow with the square.
#[test]
fn many_functions_and_branches_are_read_quickly() {
    let chain: String = (0..4000)
        .map(|i| format!("function f{i}() {{ f{}() }}\n", i + 1))
        .collect();
    let branches = "if (x) { f(args.b) }\n".repeat(4000);
    let found = script(&format!(
        "{chain}function f4000() {{ args.a }}\nf0();\n{branches}"
    ));
    assert_eq!(found.parameters.get("required"), None);
}

#[test]
fn annotations_are_types() {
    let string = json!({ "a": { "type": "string" } });
    check("const a: string = args.a; f(a)", string.clone(), &["a"]);
    check("f(args.a as string)", string.clone(), &["a"]);
    check("f(<string>args.a)", string.clone(), &["a"]);
    check("f(args.a satisfies string)", string.clone(), &["a"]);
    check(
        "const { a }: { a: string } = args; f(a)",
        string.clone(),
        &["a"],
    );
    check(
        "const { a } = args as { a: string }; f(a)",
        string.clone(),
        &["a"],
    );
    check(
        "declare const args: { a: string }; f(args.a)",
        string.clone(),
        &["a"],
    );
    check(
        "interface A { a: string } const x: A = args; f(x.a)",
        string.clone(),
        &["a"],
    );
    check(
        "type A = { a: string }; async function go(args: A) { return args.a } await go(args)",
        string.clone(),
        &["a"],
    );
    check(
        "const go = ({ a }: { a: string }) => a; go(args)",
        string,
        &["a"],
    );
    check(
        "f(args.a as any, args.b as unknown, args.c as Foo)",
        json!({ "a": {}, "b": {}, "c": {} }),
        &["a", "b", "c"],
    );
    check(
        "f(args.a as string, args.a as number)",
        json!({ "a": {} }),
        &["a"],
    );
}

#[test]
fn types_become_schemas() {
    let check = |type_: &str, schema: Value| {
        check(
            &format!("f(args.a as {type_})"),
            json!({ "a": schema }),
            &["a"],
        );
    };
    check("number", json!({ "type": "number" }));
    check("boolean", json!({ "type": "boolean" }));
    check("'x' | 'y'", json!({ "type": "string", "enum": ["x", "y"] }));
    check("1 | -2", json!({ "type": "number", "enum": [1, -2] }));
    check(
        "'x' | 1",
        json!({ "type": ["string", "number"], "enum": ["x", 1] }),
    );
    check(
        "'x' | null",
        json!({ "type": ["string", "null"], "enum": ["x", null] }),
    );
    check(
        "string | number | null",
        json!({ "type": ["string", "number", "null"] }),
    );
    check(
        "string[]",
        json!({ "type": "array", "items": { "type": "string" } }),
    );
    check(
        "Array<'x' | 'y'>",
        json!({ "type": "array", "items": { "type": "string", "enum": ["x", "y"] } }),
    );
    check(
        "readonly { b: number }[]",
        json!({ "type": "array", "items": { "type": "object", "properties": { "b": { "type": "number" } } } }),
    );
    check("unknown[]", json!({ "type": "array" }));
    check("[string, number]", json!({ "type": "array" }));
    check("Record<string, number>", json!({ "type": "object" }));
    check(
        "{ b: string; c?: { d: number[] } }",
        json!({ "type": "object", "properties": { "b": { "type": "string" }, "c": { "type": "object", "properties": { "d": { "type": "array", "items": { "type": "number" } } } } } }),
    );
    check(
        "{ b: string } | null",
        json!({ "type": ["object", "null"], "properties": { "b": { "type": "string" } } }),
    );
    check(
        "string | string[]",
        json!({ "anyOf": [{ "type": "string" }, { "type": "array", "items": { "type": "string" } }] }),
    );
    check("string | Foo", json!({}));
    check("Date", json!({}));
    check("bigint | symbol", json!({}));
}

#[test]
fn types_that_contain_themselves_end() {
    check(
        "interface A { b: string; c: A[] } f((args as A).b)",
        json!({ "b": { "type": "string" }, "c": script("interface A { b: string; c: A[] } f((args as A).c)").parameters["properties"]["c"] }),
        &["b"],
    );
    let many: String = (0..60).map(|i| format!("a{i}: A; ")).collect();
    script(&format!("type A = {{ {many} }}; f((args as A).a1)"));
    script(&format!("interface A {{ {many} }} f(args.b as A[])"));
    script("type A = A | string; f(args.a as A)");
    script("type A = { a: B }; type B = { b: A } & A; f(args.a as A)");
    script("interface A extends A { a: A } f((args as A).a)");
}

#[test]
fn a_type_with_a_default_allows_null() {
    check(
        "const { path, n = 3 }: { path: string; n?: number } = args; f(path, n)",
        json!({ "path": { "type": "string" }, "n": { "type": ["number", "null"], "default": 3, "x-declared": true } }),
        &["path"],
    );
    check(
        "const m: 'x' | 'y' = args.m ?? 'x'; f(m)",
        json!({ "m": { "type": ["string", "null"], "default": "x" } }),
        &[],
    );
    check(
        "const { m = 'x' }: { m?: 'x' | 'y' } = args; f(m)",
        json!({ "m": { "type": ["string", "null"], "enum": ["x", "y", null], "default": "x" } }),
        &[],
    );
    check(
        "(args.m as string) ?? 'x'",
        json!({ "m": { "type": ["string", "null"], "default": "x", "x-declared": true } }),
        &[],
    );
    check(
        "(args.m as string | string[]) ?? 'x'",
        json!({ "m": { "anyOf": [{ "type": "string" }, { "type": "array", "items": { "type": "string" } }, { "type": "null" }], "default": "x" } }),
        &[],
    );
    check(
        "(args.m as number) ?? 'x'",
        json!({ "m": { "default": "x" } }),
        &[],
    );
}
