//! What sane code sees.

use std::time::Duration;

use capstan_core::code::{CallTarget, ConsoleLine, Limits, ScriptErrorKind};
use capstan_core::port::Isolation;
use serde_json::{Value, json};

use crate::support::*;

#[tokio::test]
async fn code_gives_its_value() {
    for sandbox in [processes(), threads()] {
        for (code, expected) in [
            ("1 + 1", json!(2)),
            ("return [1, 'a', null, true]", json!([1, "a", null, true])),
            ("undefined", Value::Null),
            (
                "({ a: undefined, b: [undefined], c: new Date(0) })",
                json!({ "b": [null], "c": "1970-01-01T00:00:00.000Z" }),
            ),
            (
                "new Promise(resolve => resolve(Promise.resolve(3)))",
                json!(3),
            ),
            ("const f = async () => 4; f()", json!(4)),
            ("const x: { n?: { m: number } } = {}; x.n?.m ?? 5", json!(5)),
            ("enum E { A = 6 } E.A", json!(6)),
            ("const id = <T,>(x: T): T => x; id<number>(7)", json!(7)),
            (
                "let n = 0; for await (const x of [1, 2, Promise.resolve(5)]) n += x; n",
                json!(8),
            ),
            ("[...'añ😀'].length", json!(3)),
            ("'\\ud83d' + 'x'", json!("\u{fffd}x")),
            (
                "({ '__proto__x': 1, ['__proto__']: 2 })",
                json!({ "__proto__x": 1, "__proto__": 2 }),
            ),
            (
                "await new Promise(r => setTimeout(r, 5, 'later'))",
                json!("later"),
            ),
            (
                "const t = setTimeout(() => { throw 1 }, 1); clearTimeout(t); await new Promise(r => setTimeout(r, 5)); 1",
                json!(1),
            ),
            (
                "const order = []; setTimeout(() => order.push(2), 2); setTimeout(() => order.push(1), 1); await new Promise(r => setTimeout(r, 10)); order",
                json!([1, 2]),
            ),
            ("new Date(0).getTimezoneOffset()", json!(0)),
            (
                "performance.now() === Math.floor(performance.now())",
                json!(true),
            ),
            ("new Map([[1, 2]]).get(1)", json!(2)),
            (
                "12345678901234567890n.toString()",
                json!("12345678901234567890"),
            ),
            ("/(?<y>\\d+)/u.exec('in 2024').groups.y", json!("2024")),
            ("typeof undeclared", json!("undefined")),
        ] {
            assert_eq!(run(&*sandbox, code).await, Ok(expected), "{code}");
        }
        let undeclared = run(&*sandbox, "undeclared").await.unwrap_err();
        assert_eq!(thrown(&undeclared), "ReferenceError");
    }
}

#[tokio::test]
async fn args_are_a_copy() {
    let sandbox = processes();
    let args = json!({ "path": "a/b", "deep": { "list": [1, null] }, "__proto__": { "x": 1 } });
    let code = "args.deep.list.push(2); args.more = {}.x === undefined; args";
    let end = run_with(&*sandbox, code, args, ample(), &Answers::default()).await;
    let expected = json!({ "path": "a/b", "deep": { "list": [1, null, 2] }, "__proto__": { "x": 1 }, "more": true });
    assert_eq!(end.result, Ok(expected));
}

#[tokio::test]
async fn calls_reach_their_targets() {
    let sandbox = processes();
    let answers = Answers::default();
    let code = r#"
        await capstan.echo.it({ n: 1 });
        await capstan.repo.branches.list();
        await capstan["echo.it"]({});
        await mcp.files.read({ path: "x" });
        await mcp["my-server"]["tool.with.dots"]({});
        await caps.my_name({ a: 1 });
        await caps["local.default.code.exec_0123.4567"]();
        const { view } = capstan.issue;
        await view({ toJSON() { return { from: "toJSON" } } });
    "#;
    let end = run_with(&*sandbox, code, json!({}), ample(), &answers).await;
    end.result.unwrap();
    let capstan = |id: &str| CallTarget::Capstan(id.to_owned());
    let mcp = |server: &str, tool: &str| CallTarget::Mcp {
        server: server.to_owned(),
        tool: tool.to_owned(),
    };
    assert_eq!(
        answers.targets(),
        [
            capstan("echo.it"),
            capstan("repo.branches.list"),
            capstan("echo.it"),
            mcp("files", "read"),
            mcp("my-server", "tool.with.dots"),
            CallTarget::Caps("my_name".to_owned()),
            CallTarget::Caps("local.default.code.exec_0123.4567".to_owned()),
            capstan("issue.view"),
        ]
    );
    assert_eq!(end.usage.calls, 8);
    let last = answers.batches.lock().unwrap().last().unwrap()[0].clone();
    assert_eq!(last.input, json!({ "from": "toJSON" }));
}

#[tokio::test]
async fn calls_give_data_meta_and_errors() {
    for sandbox in [processes(), threads()] {
        let code = r#"
            const page = await capstan.meta.list({ n: 1 });
            const keys = Object.keys(page);
            try {
                await capstan.fail.view({ number: 7 });
            } catch (error) {
                const { name, message, code, retryable, details } = error;
                return { page, keys, cursor: page.$meta.cursor, is: error instanceof Error,
                         name, message, code, retryable, details };
            }
        "#;
        assert_eq!(
            run(&*sandbox, code).await.unwrap(),
            json!({
                "page": { "input": { "n": 1 } },
                "keys": ["input"],
                "cursor": "next",
                "is": true,
                "name": "CapstanError",
                "message": "there is no such thing",
                "code": "NOT_FOUND",
                "retryable": false,
                "details": { "asked": { "number": 7 } },
            })
        );
    }
}

#[tokio::test]
async fn calls_take_one_object() {
    let sandbox = processes();
    let answers = Answers::default();
    for (call, words) in [
        ("capstan.echo.it(1)", "takes an object, not a number"),
        ("capstan.echo.it(null)", "not null"),
        ("capstan.echo.it([])", "not an array"),
        ("capstan.echo.it('x')", "not a string"),
        ("capstan.echo.it(() => 1)", "not a function"),
        (
            "capstan.echo.it({}, {}, {})",
            "takes one object, not 3 arguments",
        ),
        ("capstan.echo.it({}, 0)", "is no object with `timeout_ms`"),
        (
            "capstan.echo.it({}, { timeout: 5 })",
            "takes one object as its input, and `timeout_ms` and `signal` beside it, not `timeout`",
        ),
        ("capstan.echo.it({}, { signal: {} })", "is no AbortSignal"),
        (
            "capstan.echo.it({ at: new Date(NaN) })",
            "an invalid Date at `input.at`",
        ),
        (
            "Promise.all([1, 2].map(capstan.echo.it))",
            "pass a function such as",
        ),
        (
            "capstan.echo.it({ toJSON() { return 'x' } })",
            "none as JSON",
        ),
        ("capstan.echo()", "call capstan.<domain>.<action>(input)"),
        ("capstan()", "call capstan.<domain>.<action>(input)"),
        ("mcp.files({})", "call mcp.<server>.<tool>(input)"),
        ("caps({})", "call caps.<name>(args)"),
    ] {
        let end = run_with(&*sandbox, call, json!({}), ample(), &answers).await;
        let error = end.result.unwrap_err();
        assert_eq!(thrown(&error), "TypeError", "{call}");
        assert!(error.message.contains(words), "{call}: {error}");
        assert_eq!(error.place.unwrap().line, 1, "{call}");
    }
    let end = run_with(
        &*sandbox,
        "capstan.echo.it({ x: 'a'.repeat(2 ** 21) })",
        json!({}),
        ample(),
        &answers,
    )
    .await;
    let error = end.result.unwrap_err();
    assert_eq!(thrown(&error), "RangeError");
    assert!(answers.sizes().is_empty());
}

#[tokio::test]
async fn what_is_called_together_leaves_together() {
    for sandbox in [processes(), threads()] {
        for (code, sizes) in [
            (
                "await Promise.all(Array.from({ length: 20 }, (_, n) => capstan.echo.it({ n })))",
                vec![20],
            ),
            (
                "for (let n = 0; n < 5; n++) await capstan.echo.it({ n })",
                vec![1; 5],
            ),
            (
                // What follows from answers that came together leaves together.
                "await Promise.all([1, 2, 3].map(async n => { const a = await capstan.echo.it({ n }); return capstan.echo.it(a) }))",
                vec![3, 3],
            ),
            (
                "const one = capstan.echo.it({}); await null; await null; const two = mcp.a.b({}); await Promise.all([one, two])",
                vec![2],
            ),
            ("capstan.echo.it({}); caps.x({}); 1", vec![2]),
        ] {
            let answers = Answers::default();
            let end = run_with(&*sandbox, code, json!({}), ample(), &answers).await;
            end.result.unwrap();
            assert_eq!(answers.sizes(), sizes, "{code}");
        }
    }
}

#[tokio::test]
async fn calls_that_nobody_awaits_are_waited_for() {
    let sandbox = processes();
    let answers = Answers::default();
    let code = "capstan.echo.it({}).then(() => console.log('answered')); 'done'";
    let end = run_with(&*sandbox, code, json!({}), ample(), &answers).await;
    assert_eq!(end.result, Ok(json!("done")));
    assert_eq!(end.console[0].text, "answered");
    assert_eq!(answers.sizes(), [1]);

    // What would be called after the end is not begun, and that is told.
    let code = "capstan.echo.it({}).then(() => capstan.echo.it({ second: true })); 'done'";
    let end = run_with(&*sandbox, code, json!({}), ample(), &answers).await;
    let error = end.result.unwrap_err();
    assert!(
        error.message.contains("after the code had its result"),
        "{error}"
    );
    assert_eq!(answers.sizes(), [1, 1]);

    let code = "capstan.fail.it({}); 'done'";
    let end = run_with(&*sandbox, code, json!({}), ample(), &answers).await;
    let error = end.result.unwrap_err();
    assert!(matches!(error.kind, ScriptErrorKind::Call(_)), "{error:?}");

    let code = "const late = capstan.fail.it({}); await capstan.echo.it({}); try { await late } catch { 'caught' }";
    let end = run_with(&*sandbox, code, json!({}), ample(), &answers).await;
    assert_eq!(end.result, Ok(json!("caught")));
}

#[tokio::test]
async fn timers_that_are_left_never_fire() {
    for sandbox in [processes(), threads()] {
        let answers = Answers::default();
        let code = "
            const late = () => console.log('late');
            setTimeout(late, 0);
            capstan.echo.it({}).then(() => { console.log('answered'); setTimeout(late, 0); });
            1
        ";
        let end = run_with(&*sandbox, code, json!({}), ample(), &answers).await;
        assert_eq!(end.result.unwrap(), 1);
        let said: Vec<_> = end.console.iter().map(|line| line.text.as_str()).collect();
        assert_eq!(said, ["answered"]);
    }
}

#[tokio::test]
async fn awaiting_a_path_is_no_call() {
    let sandbox = processes();
    let answers = Answers::default();
    let code = r#"
        const path = await capstan.issue;
        const inside = await Promise.all([capstan, mcp.files, caps]);
        const odd = [String(capstan.issue.view), `${mcp.a}`, typeof capstan, capstan.issue === capstan.issue,
            JSON.stringify({ capstan }), Object.keys(capstan), 'x' in caps, capstan instanceof Object];
        return odd;
    "#;
    let end = run_with(&*sandbox, code, json!({}), ample(), &answers).await;
    let expected = json!([
        "capstan.issue.view",
        "mcp.a",
        "function",
        false,
        "{}",
        [],
        false,
        false
    ]);
    assert_eq!(end.result, Ok(expected));
    assert!(answers.sizes().is_empty());
}

#[tokio::test]
async fn the_console_is_kept_and_cut() {
    for sandbox in [processes(), threads()] {
        let code = r#"
            console.log("a", 1, { b: [2n] }, null, undefined, Symbol("s"), () => 1);
            console.info(new TypeError("no"));
            console.warn();
            console.error({ toJSON() { throw 1 } });
            const cycle = {}; cycle.cycle = cycle; console.debug(cycle, "\ud83d");
        "#;
        let end = run_with(&*sandbox, code, json!({}), ample(), &Answers::default()).await;
        end.result.unwrap();
        let line = |level: &str, text: &str| ConsoleLine {
            level: level.to_owned(),
            text: text.to_owned(),
        };
        assert_eq!(
            end.console,
            [
                line(
                    "log",
                    r#"a 1 {"b":["2n"]} null undefined Symbol(s) [function]"#
                ),
                line("info", "TypeError: no"),
                line("warn", ""),
                line("error", "[an object that cannot be shown]"),
                line("debug", "{\"cycle\":\"[circular]\"} \u{fffd}"),
            ]
        );
        assert!(!end.console_cut);

        let code = "for (let i = 0; i < 10000; i++) console.log('é'.repeat(100)); 1";
        let end = run_with(&*sandbox, code, json!({}), small(), &Answers::default()).await;
        assert_eq!(end.result, Ok(json!(1)));
        assert!(end.console_cut);
        let kept: usize = end.console.iter().map(|line| line.text.len() + 1).sum();
        assert!((900..=1025).contains(&kept), "{kept}");

        let code = "console.log('x'.repeat(5e6)); 1";
        let end = run_with(&*sandbox, code, json!({}), small(), &Answers::default()).await;
        assert_eq!(end.result, Ok(json!(1)));
        assert!(end.console_cut);
        assert_eq!(end.console[0].text.len(), 1024);
    }
}

#[tokio::test]
async fn what_was_written_before_a_limit_is_kept() {
    let sandbox = processes();
    let patient = Limits {
        wall: Duration::from_secs(30),
        ..small()
    };
    for (limits, code) in [
        (&patient, "console.log('here'); while (true);"),
        (
            &small(),
            "console.log('here'); await capstan.never.ending({})",
        ),
        // A worker that is killed cannot tell; what came with calls is known.
        (
            &patient,
            "console.log('here'); await capstan.echo.it({}); 'a'.repeat(2**21).indexOf('a'.repeat(2**20) + 'b')",
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
        assert!(matches!(
            end.result.unwrap_err().kind,
            ScriptErrorKind::Limit(_)
        ));
        assert_eq!(end.console.len(), 1, "{code}");
    }
}

#[tokio::test]
async fn usage_is_told() {
    let sandbox = processes();
    let code = "const a = new Uint8Array(8 << 20); let n = 0; for (let i = 0; i < 1e6; i++) n += i; await capstan.echo.it({}); n";
    let end = run_with(&*sandbox, code, json!({}), ample(), &Answers::default()).await;
    end.result.unwrap();
    assert_eq!(end.usage.calls, 1);
    assert!(end.usage.memory_bytes > 8 << 20 && end.usage.memory_bytes < 16 << 20);
    assert!(end.usage.cpu.as_micros() > 1000);
    assert!(end.usage.wall >= end.usage.cpu);
}

#[tokio::test]
async fn the_state_is_honest() {
    let sandbox = processes();
    let before = sandbox.state();
    assert_eq!(before.isolation, Isolation::Process);
    run(&*sandbox, "1").await.unwrap();
    // What was expected is what the worker reports.
    assert_eq!(sandbox.state(), before);
    let all = [before.layers.clone(), before.missing.clone()].concat();
    assert!(all.iter().any(|layer| layer.contains("seccomp")), "{all:?}");
    assert!(all.iter().any(|layer| layer.contains("memory limit")));

    let threads = threads().state();
    assert_eq!(threads.isolation, Isolation::Thread);
    assert!(
        threads
            .missing
            .iter()
            .any(|missing| missing.contains("native functions"))
    );
}
