//! What a result, or the input of a call, becomes as JSON: nothing silently becomes `{}` or null.

use capstan_core::code::ScriptErrorKind;
use serde_json::json;

use crate::support::*;

#[tokio::test]
async fn what_has_an_obvious_json_form_is_converted() {
    for sandbox in [processes(), threads()] {
        for (code, expected) in [
            (
                "new Map([['a', 1], ['b', new Set([2, 3])]])",
                json!({ "a": 1, "b": [2, 3] }),
            ),
            (
                "new Map([[1, 'one'], ['2', 'two']])",
                json!([[1, "one"], ["2", "two"]]),
            ),
            ("new Map()", json!({})),
            ("new Set(['x', undefined])", json!(["x", null])),
            (
                "({ when: new Date(0) })",
                json!({ "when": "1970-01-01T00:00:00.000Z" }),
            ),
            (
                "new TypeError('no')",
                json!({ "name": "TypeError", "message": "no" }),
            ),
            (
                "Object.assign(new Error('no', { cause: new Error('why') }), { status: 404 })",
                json!({ "name": "Error", "message": "no", "status": 404, "cause": { "name": "Error", "message": "why" } }),
            ),
            (
                "new AggregateError([new Error('a')], 'both')",
                json!({ "name": "AggregateError", "message": "both", "errors": [{ "name": "Error", "message": "a" }] }),
            ),
            (
                "const [r] = await Promise.allSettled([capstan.fail.view({})]); return r",
                json!({ "status": "rejected", "reason": { "name": "CapstanError", "message": "there is no such thing",
                    "code": "NOT_FOUND", "retryable": false, "details": { "asked": {} } } }),
            ),
            (
                "AbortSignal.abort().reason",
                json!({ "name": "AbortError", "message": "This operation was aborted" }),
            ),
            (
                "new URL('https://a.example/x?y')",
                json!("https://a.example/x?y"),
            ),
            ("new URLSearchParams({ a: '1' })", json!("a=1")),
            ("new Uint8Array([1, 2, 255])", json!([1, 2, 255])),
            ("new Float64Array([0.5])", json!([0.5])),
            ("new BigInt64Array([5n])", json!([5])),
            (
                "({ n: 5n, m: -(2n ** 53n - 1n) })",
                json!({ "n": 5, "m": -9_007_199_254_740_991_i64 }),
            ),
            (
                "[Object('x'), Object(1), Object(true)]",
                json!(["x", 1, true]),
            ),
            (
                "class P { x = 1; #y = 2; z() {} } new P()",
                json!({ "x": 1 }),
            ),
            (
                "({ a: undefined, b: [undefined, , 1], [Symbol('s')]: 1 })",
                json!({ "b": [null, null, 1] }),
            ),
            (
                "Object.create(null, { a: { value: 1, enumerable: true } })",
                json!({ "a": 1 }),
            ),
            (
                "({ toJSON() { return new Map([['a', 1]]) } })",
                json!({ "a": 1 }),
            ),
            ("new Map([['__proto__', 1]])", json!({ "__proto__": 1 })),
            (
                "const same = { a: 1 }; [same, same]",
                json!([{ "a": 1 }, { "a": 1 }]),
            ),
            ("-0", json!(0)),
        ] {
            assert_eq!(run(&*sandbox, code).await, Ok(expected), "{code}");
        }
    }
}

#[tokio::test]
async fn what_has_none_is_refused_with_its_path() {
    let sandbox = processes();
    for (code, words) in [
        (
            "({ mean: 0 / 0 })",
            "NaN at `result.mean`: check the division",
        ),
        ("[1, 1 / 0]", "Infinity at `result[1]`"),
        ("new Float64Array([NaN])", "NaN at `result[0]`"),
        (
            "({ items: [0, 1, 2, { when: new Date('x') }] })",
            "an invalid Date at `result.items[3].when`",
        ),
        (
            "({ 'a b': /x/ })",
            "a RegExp at `result[\"a b\"]`: give its text",
        ),
        (
            "[() => 1][0]",
            "a function: call it and give its result, or write its body as the code",
        ),
        ("[async () => { return 1 }][0]", "a function: call it"),
        ("({ run: () => 1 })", "a function at `result.run`"),
        ("({ s: Symbol('s') })", "a symbol at `result.s`"),
        (
            "({ all: [Promise.resolve(1)] })",
            "a Promise that was not awaited at `result.all[0]`: await it first",
        ),
        (
            "({ m: new Map([['k', new WeakMap()]]) })",
            "a collection that cannot be listed at `result.m.k`",
        ),
        (
            "new Map([['a', 1]]).values()",
            "an iterator: give what it yields",
        ),
        ("(function* () { yield 1 })()", "an iterator"),
        ("[1].values().map(x => x)", "an iterator"),
        ("({ b: new ArrayBuffer(4) })", "raw bytes at `result.b`"),
        ("new DataView(new ArrayBuffer(4))", "raw bytes"),
        (
            "class Secret { #x = 1 } ({ s: new Secret() })",
            "an instance of Secret that has no fields of its own at `result.s`",
        ),
        ("2n ** 64n", "a BigInt that is too large for a number"),
        (
            "const m = new Map(); m.set('m', m); m",
            "a cycle: `result.m` is `result`",
        ),
        ("capstan.issue", "a function"),
        (
            r"({ ok: { 'a\ud800': 1, 'a\ud801': 2 } })",
            r#"a key with half of a character in it (a lone surrogate) at `result.ok["a\ud800"]`"#,
        ),
        (
            r"new Map([['\udc00', 1]])",
            "a key with half of a character in it",
        ),
    ] {
        let error = run(&*sandbox, code).await.unwrap_err();
        assert_eq!(error.kind, ScriptErrorKind::NotJson, "{code}: {error}");
        assert!(error.message.contains(words), "{code}: {error}");
    }
}

#[tokio::test]
async fn inputs_of_calls_are_converted_and_refused_likewise() {
    let sandbox = processes();
    let answers = Answers::default();
    let code = "await capstan.echo.it({ labels: new Set(['bug']), since: new Date(0), at: new URL('https://a.example') })";
    let end = run_with(&*sandbox, code, json!({}), ample(), &answers).await;
    assert_eq!(
        end.result,
        Ok(
            json!({ "labels": ["bug"], "since": "1970-01-01T00:00:00.000Z", "at": "https://a.example/" })
        )
    );
    for (code, words) in [
        (
            "await capstan.echo.it({ n: NaN })",
            "the input of `capstan.echo.it` cannot be given as JSON: it is or contains NaN at `input.n`",
        ),
        (
            "await capstan.echo.it({ body: capstan.echo.it({}) })",
            "a Promise that was not awaited at `input.body`",
        ),
        (
            "const x = {}; x.x = x; await capstan.echo.it(x)",
            "a cycle: `input.x` is `input`",
        ),
    ] {
        let error = run(&*sandbox, code).await.unwrap_err();
        assert_eq!(thrown(&error), "TypeError", "{code}: {error}");
        assert!(error.message.contains(words), "{code}: {error}");
    }
}

#[tokio::test]
async fn objects_of_the_language_are_no_results() {
    let sandbox = processes();
    for (code, words) in [
        ("return Math", "the object `Math`"),
        (
            "return { a: [JSON] }",
            "the object `JSON` that has no data at `result.a[0]`",
        ),
        (
            "return { signal: AbortSignal.timeout(5) }",
            "an instance of AbortSignal that has no fields of its own at `result.signal`",
        ),
    ] {
        let error = run(&*sandbox, code).await.unwrap_err();
        assert!(error.message.contains(words), "{code}: {error}");
    }
    let code =
        "const s = AbortSignal.timeout(5); s.onabort = () => {}; return [{}, typeof s.onabort]";
    assert_eq!(run(&*sandbox, code).await, Ok(json!([{}, "function"])));
}

#[tokio::test]
async fn a_locale_that_is_replaced_is_told_once() {
    let sandbox = processes();
    let end = |code: &'static str| {
        let sandbox = sandbox.clone();
        async move { run_with(&*sandbox, code, json!({}), ample(), &Answers::default()).await }
    };
    let told =
        end("return [1.5.toLocaleString('de-DE'), new Date(0).toLocaleDateString('fr-FR')]").await;
    assert_eq!(told.result, Ok(json!(["1.5", "1/1/1970"])));
    assert_eq!(told.warnings.len(), 1, "{:?}", told.warnings);
    assert!(told.warnings[0].contains("`de-DE`"), "{:?}", told.warnings);
    let known = end("return [new Date(0).toLocaleString('sv-SE'), new Date(0).toLocaleString('en-US'), 'a'.localeCompare('b', 'de')]").await;
    assert_eq!(
        known.result,
        Ok(json!(["1970-01-01 00:00:00", "1/1/1970, 12:00:00 AM", -1]))
    );
    assert!(known.warnings.is_empty(), "{:?}", known.warnings);
}
