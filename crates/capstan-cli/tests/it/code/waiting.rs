//! Code that waits, through the whole product: for the winner of a race, for a call with a time of its
//! own, and beside others.

use std::time::{Duration, Instant};

use serde_json::{Value, json};

use super::silence::Silence;
use super::surface::{Surface as _, World};

/// GitHub never answers; a run that waited for it would take 40 s.
const SOON: Duration = Duration::from_secs(20);

const VIEW: &str = "capstan.issue.view({ owner: 'a', repo: 'b', issue_number: 1 }";

fn exec(silence: &Silence, code: &str) -> Value {
    let started = Instant::now();
    let ran = silence.world.cli().exec("a test", code, &json!({}));
    assert!(started.elapsed() < SOON, "{:?}: {ran}", started.elapsed());
    ran
}

#[test]
fn the_winner_of_a_race_is_the_result_and_the_read_that_lost_is_dropped() {
    let silence = Silence::with("");
    let code = format!(
        "return await Promise.race([{VIEW}), new Promise(r => setTimeout(r, 300, 'timeout'))])"
    );
    let ran = exec(&silence, &code);
    assert_eq!(ran["data"], "timeout", "{ran}");
    let warning = ran["meta"]["warnings"][0].as_str().unwrap();
    assert!(warning.contains("issue.view"), "{warning}");
    let trace = silence.newest_trace();
    assert_eq!(trace["calls"][0]["error_code"], "CANCELLED", "{trace}");
}

#[test]
fn a_call_takes_a_time_of_its_own_and_a_signal() {
    let silence = Silence::with("");
    let code =
        format!("try {{ await {VIEW}, {{ timeout_ms: 300 }}) }} catch (e) {{ return e.code }}");
    let ran = exec(&silence, &code);
    assert!(
        ["TIMEOUT", "NETWORK"].contains(&ran["data"].as_str().unwrap()),
        "{ran}"
    );
    let code = format!(
        "try {{ await {VIEW}, {{ signal: AbortSignal.timeout(300) }}) }} catch (e) {{ return e.name }}"
    );
    assert_eq!(exec(&silence, &code)["data"], "TimeoutError");
}

#[test]
fn a_write_that_was_sent_and_aborted_may_have_happened() {
    let silence = Silence::with("");
    // The second waits for the first, so nothing of it has left.
    let code = "
        const input = { owner: 'a', repo: 'b', issue_number: 1, body: 'x' };
        const controller = new AbortController();
        const first = capstan.issue.comments.create(input, { signal: controller.signal });
        await new Promise(r => setTimeout(r, 300));
        const second = capstan.issue.comments.create(input, { signal: controller.signal });
        await new Promise(r => setTimeout(r, 300));
        controller.abort();
        const ended = await Promise.allSettled([first, second]);
        return ended.map(it => [it.reason.name, it.reason.details?.outcome]);
    ";
    let ran = silence.world.capstan(&[
        "exec",
        "-e",
        code,
        "--intent",
        "aborted writes",
        "--timeout-ms",
        "4000",
    ]);
    let expected = json!([["CapstanError", "unknown"], ["AbortError", null]]);
    assert_eq!(ran["data"], expected, "{ran}");
}

#[test]
fn limits_that_are_no_times_are_not_called_time_outs() {
    let world = World::demo();
    let mut cli = world.cli();
    for (code, error, limit) in [
        ("for (;;);", "TIMEOUT", "cpu"),
        (
            "const a = []; for (;;) a.push(new Uint8Array(1e6))",
            "VALIDATION",
            "memory",
        ),
        (
            "const f = (n: number): number => f(n + 1) + 1; f(0)",
            "VALIDATION",
            "stack",
        ),
        ("'x'.repeat(2e6)", "VALIDATION", "output"),
        ("for (;;) await capstan.cap.list({})", "VALIDATION", "calls"),
    ] {
        let ran = cli.exec("a limit", code, &json!({}));
        assert_eq!(ran["error"]["code"], error, "{code}: {ran}");
        assert_eq!(ran["error"]["details"]["limit"], limit, "{code}: {ran}");
        assert_eq!(ran["error"]["retryable"], false, "{code}: {ran}");
    }
    let code = "await new Promise(r => setTimeout(r, 60_000))";
    let ran = world.capstan(&[
        "exec",
        "-e",
        code,
        "--intent",
        "sleep",
        "--timeout-ms",
        "300",
    ]);
    assert_eq!(ran["error"]["code"], "TIMEOUT", "{ran}");
    assert_eq!(ran["error"]["details"]["limit"], "wall", "{ran}");
}

#[test]
fn a_hundred_sleeping_runs_are_in_nobodys_way() {
    let world = World::demo();
    let mut server = world.server();
    for n in 0..100 {
        let code = format!("await new Promise(r => setTimeout(r, 300_000)); {n}");
        let arguments =
            json!({"intent": "sleep", "code": code, "options": {"timeout_ms": 400_000}});
        server.send(
            "tools/call",
            &json!({"name": "execute", "arguments": arguments}),
        );
    }
    let quick =
        json!({"intent": "quick", "code": "return 1 + 1", "options": {"timeout_ms": 60_000}});
    let ran = server.execute(&quick);
    assert_eq!(ran["data"], 2, "{ran}");
    server.child.kill().unwrap();
    server.child.wait().unwrap();
}
