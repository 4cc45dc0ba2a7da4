//! What code finds beside the language behaves as in Node 20: `like_node/record.mjs` records what Node
//! says to each expression of `like_node/expressions.txt`.

use serde_json::{Value, json};

use crate::support::*;

#[tokio::test]
async fn the_web_apis_and_intl_behave_as_in_node() {
    let recorded = include_str!("../like_node/node20.json");
    let recorded: Vec<(String, Value)> = serde_json::from_str(recorded).unwrap();
    let sandbox = processes();
    let mut differences = Vec::new();
    for (expression, expected) in &recorded {
        let result = run(&*sandbox, &format!("return ({expression});")).await;
        match result {
            Ok(value) if value == *expected => {}
            other => differences.push(format!(
                "{expression}\n  here: {other:?}\n  node: {expected}"
            )),
        }
    }
    assert!(recorded.len() > 150);
    assert!(differences.is_empty(), "{}", differences.join("\n"));
}

#[tokio::test]
async fn every_method_of_the_console_can_be_called() {
    let sandbox = processes();
    let code = r#"
        for (const name of ["log", "info", "warn", "error", "debug", "dir", "dirxml", "table", "trace", "assert", "group",
            "groupCollapsed", "groupEnd", "count", "countReset", "time", "timeLog", "timeEnd", "clear", "profile",
            "profileEnd", "timeStamp"]) {
            for (const values of [[], [undefined], [null], [{ a: { b: [1] } }], [Symbol("s"), 1n], [new Proxy({}, { get() { throw 1 } })]]) {
                console[name](...values);
            }
        }
        return "done";
    "#;
    assert_eq!(run(&*sandbox, code).await, Ok(json!("done")));

    let code = r#"
        console.table([{ n: 1, t: "a" }, { n: 2 }]);
        console.group("outer");
        console.log("in %s: %d of %i, %j%%", "list", 1.5, 2.7, { a: 1 }, "rest");
        console.groupEnd();
        console.count(); console.count(); console.count("x");
        console.assert(1 === 2, "never", { a: 1 });
        console.log(new Map([["a", new Set([1])]]), [NaN, /x/g], new Date(0));
    "#;
    let end = run_with(&*sandbox, code, json!({}), ample(), &Answers::default()).await;
    end.result.unwrap();
    let said: Vec<_> = end.console.iter().map(|line| line.text.as_str()).collect();
    assert_eq!(
        said,
        [
            "┌─────────┬───┬─────┐\n│ (index) │ n │ t   │\n├─────────┼───┼─────┤\n│ 0       │ 1 │ 'a' │\n│ 1       │ 2 │     │\n└─────────┴───┴─────┘",
            "outer",
            "  in list: 1.5 of 2, {\"a\":1}% rest",
            "default: 1",
            "default: 2",
            "x: 1",
            "Assertion failed: never {\"a\":1}",
            "{\"a\":[1]} [\"NaN\",\"/x/g\"] 1970-01-01T00:00:00.000Z",
        ]
    );
}

#[tokio::test]
async fn what_does_not_exist_names_the_alternative() {
    let sandbox = processes();
    for (code, words) in [
        (
            "await fetch('https://a.example')",
            "there is no network; call `capstan.",
        ),
        ("new XMLHttpRequest()", "there is no network"),
        ("process.env.HOME", "pass values in as `args`"),
        ("Buffer.from('x')", "use `Uint8Array`, `TextEncoder`"),
        ("fs.readFileSync('x')", "there are no files"),
        ("Deno.readTextFile('x')", "there are no files"),
        ("window.location", "`globalThis`"),
        ("document.title", "there is no browser"),
        ("localStorage.getItem('x')", "nothing is kept between runs"),
        ("setImmediate(() => 1)", "`setTimeout(f, 0)`"),
        ("params.days", "the arguments of the run are in `args`"),
        (
            "globalThis.fetch('x')",
            "`globalThis.fetch` is not a function: there is no network",
        ),
        ("require('fs')", "there are no modules"),
        ("import fs from 'fs'; fs", "there are no modules"),
        ("new Intl.Segmenter()", "use `[...text]`"),
        (
            "new Date(0).toLocaleString('en-US', { timeZone: 'Europe/Berlin' })",
            "use \"UTC\" or an offset",
        ),
    ] {
        let error = run(&*sandbox, code).await.unwrap_err();
        assert!(error.message.contains(words), "{code}: {error}");
    }
    // It can be asked whether it is there.
    let code = "[typeof fetch, typeof process, typeof Buffer, globalThis.window]";
    assert_eq!(
        run(&*sandbox, code).await,
        Ok(json!(["undefined", "undefined", "undefined", null]))
    );
}
