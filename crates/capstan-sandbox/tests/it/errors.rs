//! Where it went wrong, in the TypeScript, and in words that say what to do.

use capstan_core::ErrorCode;
use capstan_core::code::{Limits, Place, ScriptErrorKind, Stopped};
use serde_json::json;

use crate::support::*;

#[tokio::test]
async fn errors_name_places_in_the_typescript() {
    for sandbox in [processes(), threads()] {
        for (code, line, columns) in [
            // Types before it are gone when it is run; the column is that of the source.
            (
                "interface A { a: number }\ntype B = A | null;\nconst x: B = null as B;\nreturn x!.a;",
                4,
                8..=11,
            ),
            (
                "const f = (n: number): number => {\n  throw new RangeError(`no ${n}`);\n};\nf(1);",
                2,
                3..=30,
            ),
            (
                "enum Color { Red, Green }\nconst none: any = null;\nnone.x[Color.Red];",
                3,
                1..=9,
            ),
            ("const é = '😀'; (undefined as any).x;", 1, 17..=36),
            (
                "const a = 1;\r\nconst b = 2;\r\nthrow new Error('crlf');",
                3,
                1..=11,
            ),
            ("await null;\n\n\nthrow new Error('after await')", 4, 1..=11),
            (
                "for (const x of [1]) {\n  await capstan.echo.it({});\n  null!.x;\n}",
                3,
                3..=9,
            ),
            ("undeclared", 1, 1..=10),
            // What is taken apart stands on a line of its own.
            (
                "const f = (x: any) => 1;\nf(2);\nconst {\n  a: { b },\n} = {} as any;\nb",
                3,
                1..=7,
            ),
            ("f();\nconst [p] = null as any;\nfunction f() {}", 2, 1..=12),
            (
                "f();\n\nlet v: any;\n({ v } = null as any);\nfunction f() {}",
                4,
                1..=6,
            ),
            (
                "f();\nfor (const { a: { b } } of [{}] as any) {\n  b;\n}\nfunction f() {}",
                2,
                1..=28,
            ),
            ("const f = ({ a: { b } }: any) => b;\n\nf({});", 1, 7..=11),
            ("f();\nreturn ({} as any).x.y;\nfunction f() {}", 2, 1..=8),
            (
                "class A {\n  constructor(private readonly x: number) {}\n  get y(): number { throw new Error('getter') }\n}\nnew A(1).y",
                3,
                21..=31,
            ),
        ] {
            let error = run(&*sandbox, code).await.unwrap_err();
            let place = error.place.unwrap_or_else(|| panic!("{code}: {error:?}"));
            assert_eq!(place.line, line, "{code}: {error:?}");
            assert!(columns.contains(&place.column), "{code}: {error:?}");
        }
    }
}

#[tokio::test]
async fn the_stack_has_the_codes_frames_alone() {
    let sandbox = processes();
    let code = "function inner(): never {\n  throw new TypeError('deep');\n}\nfunction outer() {\n  [1].map(() => inner());\n}\nouter();";
    let error = run(&*sandbox, code).await.unwrap_err();
    let frames: Vec<_> = error
        .stack
        .iter()
        .map(|f| (f.function.as_str(), f.place.line))
        .collect();
    assert_eq!(
        frames,
        [
            ("inner", 2),
            ("<anonymous>", 5),
            ("outer", 5),
            ("<anonymous>", 7)
        ]
    );

    let code = "const f = () => capstan.echo.it(5 as any);\nawait f();";
    let error = run(&*sandbox, code).await.unwrap_err();
    assert_eq!(thrown(&error), "TypeError");
    assert_eq!(error.stack.len(), 2, "{error:?}");
    assert_eq!(error.stack[0].function, "f");
}

#[tokio::test]
async fn a_call_that_fails_is_the_error() {
    for sandbox in [processes(), threads()] {
        for code in [
            "const x = 1;\nawait capstan.fail.view({ x });",
            "const x = 1;\ncapstan.fail.view({ x }).then(() => 1);",
            "const x = 1;\nawait Promise.all([capstan.echo.it({}), capstan.fail.view({ x })]);",
            "const x = 1;\ntry { await capstan.fail.view({ x }) } catch (error) { error.message = 'forged'; throw error }",
        ] {
            let error = run(&*sandbox, code).await.unwrap_err();
            let ScriptErrorKind::Call(failed) = &error.kind else {
                panic!("{code}: {error:?}");
            };
            assert_eq!(failed.code, ErrorCode::NotFound);
            assert_eq!(failed.details["asked"], json!({ "x": 1 }));
            assert_eq!(error.message, "there is no such thing");
            assert_eq!(
                error.place.map(|place| place.line),
                Some(2),
                "{code}: {error:?}"
            );
        }
        // Wrapped in another error it is no longer the call's.
        let code = "try { await capstan.fail.view({}) } catch (cause) { throw new Error('mine', { cause }) }";
        let error = run(&*sandbox, code).await.unwrap_err();
        let message = "mine; caused by CapstanError: there is no such thing";
        assert_eq!((thrown(&error), error.message.as_str()), ("Error", message));
    }
}

#[tokio::test]
async fn code_that_cannot_be_read_is_refused() {
    for sandbox in [processes(), threads()] {
        let error = run(&*sandbox, "const x = ;").await.unwrap_err();
        assert_eq!(error.kind, ScriptErrorKind::Syntax);
        assert_eq!(
            error.place,
            Some(Place {
                line: 1,
                column: 11
            })
        );
        let error = run(&*sandbox, "import x from 'y'; x").await.unwrap_err();
        assert_eq!(error.kind, ScriptErrorKind::Unsupported);
        assert_eq!(error.place.map(|place| place.line), Some(1));
    }
}

#[tokio::test]
async fn limits_are_named() {
    let sandbox = processes();
    let limits = Limits {
        memory_bytes: 4 << 20,
        stack_bytes: 128 << 10,
        output_bytes: 1000,
        calls: 3,
        ..ample()
    };
    for (code, which, words) in [
        ("new Array(1e6).fill({})", Stopped::Memory, "4 MiB"),
        ("const f = () => f() + 1; f()", Stopped::Stack, "128 KiB"),
        ("'x'.repeat(1000)", Stopped::Output, "1000 bytes"),
        (
            "for (;;) await capstan.echo.it({})",
            Stopped::Calls,
            "3 calls",
        ),
    ] {
        let end = run_with(
            &*sandbox,
            code,
            json!({}),
            limits.clone(),
            &Answers::default(),
        )
        .await;
        let error = end.result.unwrap_err();
        assert_eq!(error.kind, ScriptErrorKind::Limit(which), "{error}");
        assert!(error.message.contains(words), "{error}");
    }
    let short = Limits {
        wall: std::time::Duration::from_millis(250),
        ..ample()
    };
    let code = "await capstan.never.ending({})";
    let end = run_with(
        &*sandbox,
        code,
        json!({}),
        short.clone(),
        &Answers::default(),
    )
    .await;
    let error = end.result.unwrap_err();
    assert_eq!(error.kind, ScriptErrorKind::Limit(Stopped::Wall));
    assert!(
        error.message.contains("250 ms") && error.message.contains("600 s"),
        "{error}"
    );

    let short = Limits {
        cpu: std::time::Duration::from_millis(100),
        ..ample()
    };
    let end = run_with(
        &*sandbox,
        "for (;;);",
        json!({}),
        short,
        &Answers::default(),
    )
    .await;
    let error = end.result.unwrap_err();
    assert_eq!(error.kind, ScriptErrorKind::Limit(Stopped::Cpu));
    assert!(error.message.contains("100 ms"), "{error}");
}

#[tokio::test]
async fn results_that_are_no_json_say_what_and_where() {
    let sandbox = processes();
    for (code, words) in [
        (
            "const a = { b: [] as any[] }; a.b.push(a); a",
            "a cycle: `result.b[0]` is `result`",
        ),
        (
            "({ a: [1, { b: 2n ** 64n }] })",
            "a BigInt that is too large for a number at `result.a[1].b`: give it as text",
        ),
        ("({ f: () => 1 })", "a function"),
        ("Symbol()", "a symbol"),
        (
            "let o = {}; for (let i = 0; i < 200; i++) o = { o }; o",
            "it is or contains something nested deeper than 100 levels",
        ),
    ] {
        let error = run(&*sandbox, code).await.unwrap_err();
        assert_eq!(error.kind, ScriptErrorKind::NotJson);
        assert!(error.message.contains(words), "{error}");
    }
}

#[tokio::test]
async fn what_is_not_a_function_is_named() {
    for sandbox in [processes(), threads()] {
        for (code, words) in [
            (
                "const issues = [1];\n(issues as any).fliter((x: any) => x);",
                "`issues.fliter` is not a function; did you mean `filter`?",
            ),
            ("const f: any = 3;\nf(1);", "`f` is not a function"),
            (
                "const o: any = { a: {} };\no.a.b(1, 2);",
                "`o.a.b` is not a function",
            ),
            (
                "const m: any = {};\nm['get-it']();",
                "`m[\"get-it\"]` is not a function",
            ),
            (
                "const list: any = capstan.echo.it({});\nlist.filter(Boolean);",
                "`list.filter` is not a function: `list` is not a list; await",
            ),
            (
                "[1].map(undefined as any)",
                "`map` was given something that is not a function",
            ),
            (
                "const o: any = {};\no.x.y.z()",
                "cannot read property 'y' of undefined: `o.x` is undefined",
            ),
            (
                "Object.keys(undefined as any)",
                "`keys` was given undefined or null",
            ),
            (
                "const u: any = undefined;\n[...u]",
                "undefined is not iterable",
            ),
            (
                "const { a } = null as any;",
                "cannot take fields out of undefined or null",
            ),
        ] {
            let error = run(&*sandbox, code).await.unwrap_err();
            assert_eq!(thrown(&error), "TypeError", "{code}: {error}");
            assert!(error.message.contains(words), "{code}: {error}");
            // Code that catches it reads the same.
            let caught = format!("try {{ {code} }} catch (e) {{ return e.message }}");
            let message = run(&*sandbox, &caught).await.unwrap();
            assert!(
                message.as_str().unwrap().contains(words),
                "{caught}: {message}"
            );
        }
    }
}

#[tokio::test]
async fn stacks_that_code_reads_have_places_of_the_typescript() {
    let sandbox = processes();
    let code = "interface A { a: number }\ntype B = A;\n\nfunction inner(x: B | null): never {\n  throw new Error('x');\n}\ntry {\n  inner(null);\n} catch (e) {\n  return e.stack;\n}";
    assert_eq!(
        run(&*sandbox, code).await.unwrap(),
        json!("Error: x\n    at inner (code.ts:5:13)\n    at <anonymous> (code.ts:8:9)\n")
    );
    for (code, expected) in [
        (
            "return new Error('boom').stack.split('\\n')[0]",
            "Error: boom",
        ),
        ("return new TypeError().stack.split('\\n')[0]", "TypeError"),
        (
            "try { null.x } catch (e) { return e.stack.split('\\n')[0] }",
            "TypeError: cannot read property 'x' of null",
        ),
        (
            "try { await capstan.fail.it({}) } catch (e) { return e.stack }",
            "CapstanError: there is no such thing\n    at <anonymous> (code.ts:1:26)\n",
        ),
        (
            "class E extends Error { get message() { throw 1 } } return new E('x').stack.split('\\n')[0]",
            "Error: x",
        ),
    ] {
        assert_eq!(run(&*sandbox, code).await, Ok(json!(expected)), "{code}");
    }
    // A full stack is told, too.
    let code = "const f = (n: number): number =>\n  f(n + 1) + 1;\nf(0)";
    let error = run(&*sandbox, code).await.unwrap_err();
    assert_eq!(error.kind, ScriptErrorKind::Limit(Stopped::Stack));
    assert_eq!(error.place.map(|place| place.line), Some(2), "{error:?}");
}

#[tokio::test]
async fn code_that_is_wrapped_or_never_called_says_so() {
    let sandbox = processes();
    for (code, words) in [
        ("```ts\nreturn 1\n```", "wrapped in Markdown"),
        ("Here it is:\n```\nreturn 1\n```\n", "wrapped in Markdown"),
        (
            "async function main() { return 1 }",
            "calls nothing: end it with a call, as in `await main()`",
        ),
        ("const main = async () => 1;", "`await main()`"),
        ("const main = async () => 1; main", "`await main()`"),
        ("function main() {} return main", "`await main()`"),
        ("async () => 1", "is a function that nothing calls"),
        (
            "const a = 1; (function () { return a }) as any",
            "that nothing calls",
        ),
        ("return () => 1", "that nothing calls"),
        (
            "if (args.a) { return 1 }\n() => 1",
            "a function: call it and give its result",
        ),
        (
            "export default async function () { return 1 }",
            "call the function instead of exporting it",
        ),
        ("export const x = 1;", "`return` it"),
        ("[1].map(x => { await x; })", "add the `async` keyword"),
        (
            "function f() { const x = await g(); return x } f()",
            "add the `async` keyword",
        ),
    ] {
        let error = run(&*sandbox, code).await.unwrap_err();
        assert!(error.message.contains(words), "{code}: {error}");
    }
}

#[tokio::test]
async fn errors_tell_what_they_were_made_of() {
    let sandbox = processes();
    for (code, message) in [
        (
            "await Promise.any([Promise.reject(new Error('a')), Promise.reject(new TypeError('b'))])",
            "Error: a; TypeError: b",
        ),
        (
            "throw new AggregateError([1, new Error('a')], 'both')",
            "both: 1; Error: a",
        ),
        (
            "throw new AggregateError(Array.from({ length: 9 }, (_, i) => i), 'many')",
            "many: 0; 1; 2; 3; 4; and 4 more",
        ),
        (
            "throw new Error('a', { cause: new TypeError('b', { cause: 'c' }) })",
            "a; caused by TypeError: b; caused by c",
        ),
        (
            "const e = new Error('a'); e.cause = e; throw e",
            "a; caused by Error: a; caused by Error: a; caused by Error: a; caused by Error: a; caused by Error: a",
        ),
        (
            "const e = new Error('a'); Object.defineProperty(e, 'cause', { get() { throw 1 } }); throw e",
            "a",
        ),
    ] {
        let error = run(&*sandbox, code).await.unwrap_err();
        assert_eq!(error.message, message, "{code}");
    }
    // Of calls that all failed alike, the code is known.
    let code = "await Promise.any([capstan.fail.a({}), capstan.fail.b({})])";
    let error = run(&*sandbox, code).await.unwrap_err();
    let ScriptErrorKind::Call(call) = &error.kind else {
        panic!("{error:?}");
    };
    assert_eq!(call.code, capstan_core::ErrorCode::NotFound);
    let both = "CapstanError: there is no such thing; CapstanError: there is no such thing";
    assert_eq!(error.message, both);
}
