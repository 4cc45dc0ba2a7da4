//! Code that waits, through the whole product: for the winner of a race, for a call with a time of its
//! own, and beside others.

use std::time::{Duration, Instant};

use github_sim::{Fault, FaultKind};
use serde_json::{Value, json};

use super::silence::Silence;
use super::surface::{Surface as _, World};
use crate::cli::harness::{Github, Place};

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
    assert_eq!(ran["data"], "TIMEOUT", "{ran}");
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
        console.log(JSON.stringify(ended.map(it => [it.reason.name, it.reason.details?.outcome])));
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
    // Nobody answered until the time was over, so nobody knows.
    let error = &ran["error"];
    assert_eq!(error["code"], "TIMEOUT", "{ran}");
    assert_eq!(
        error["details"]["console"][0], r#"[["CapstanError","unknown"],["AbortError",null]]"#,
        "{ran}"
    );
    let unknown = json!(["issue.comments.create"]);
    assert_eq!(error["details"]["writes"]["unknown"], unknown, "{ran}");
}

/// A write that loses a race.
const RACED_WRITE: &str = "
    const input = { owner: 'acme', repo: 'rocket', issue_number: 2, body: 'x' };
    const won = new Promise(r => setTimeout(r, 1, 'won'));
    return await Promise.race([capstan.issue.comments.create(input), won]);
";

/// A GitHub that does what it is told to write and does not say so.
fn mute(fault: FaultKind) -> (Github, World) {
    let github = Github::demo();
    github
        .sim
        .inject(Fault::always(fault).applied().on_writes());
    let world = World::at(Place::new().online(&github), &[]);
    (github, world)
}

fn exec_within(world: &World, code: &str, timeout_ms: &str) -> Value {
    let args = ["exec", "-e", code, "--intent", "a race"];
    world.capstan(&[&args[..], &["--timeout-ms", timeout_ms]].concat())
}

#[test]
fn a_raced_write_with_an_unknown_outcome_is_told() {
    let (github, world) = mute(FaultKind::ResetAfter);
    let slow = FaultKind::Latency { ms: 600 };
    github.sim.inject(Fault::always(slow).on_writes());
    let ran = exec_within(&world, RACED_WRITE, "30000");
    assert_eq!(ran["data"], "won", "{ran}");
    let warnings = ran["meta"]["warnings"].to_string();
    assert!(
        warnings.contains("the outcome of issue.comments.create is unknown"),
        "{ran}"
    );
}

#[test]
fn a_run_that_waits_for_a_write_when_its_time_is_over_is_out_of_time() {
    let (_github, world) = mute(FaultKind::HangAfter);
    for _ in 0..5 {
        let ran = exec_within(&world, RACED_WRITE, "1500");
        let error = &ran["error"];
        assert_eq!(error["code"], "TIMEOUT", "{ran}");
        let message = error["message"].as_str().unwrap();
        assert!(
            message.contains("the outcome of issue.comments.create is unknown"),
            "{message}"
        );
        let unknown = json!(["issue.comments.create"]);
        assert_eq!(error["details"]["writes"]["unknown"], unknown, "{ran}");
    }
}

#[test]
fn a_write_that_ran_out_of_its_own_time_may_have_happened() {
    let (_github, world) = mute(FaultKind::HangAfter);
    let code = "
        const input = { owner: 'acme', repo: 'rocket', issue_number: 2, body: 'x' };
        return await capstan.issue.comments.create(input, { timeout_ms: 700 });
    ";
    let error = exec_within(&world, code, "30000")["error"].clone();
    assert_eq!(error["code"], "TIMEOUT", "{error}");
    let message = error["message"].as_str().unwrap();
    assert!(
        message.contains("its `timeout_ms` of 700") && message.contains("may have happened"),
        "{message}"
    );
    assert_eq!(error["details"]["outcome"], "unknown", "{error}");
}

#[test]
fn code_that_lost_a_race_is_cancelled_unless_it_writes() {
    let github = Github::demo();
    let world = World::at(Place::new().online(&github), &[]);
    let mut cli = world.cli();
    let code = "
        const input = { owner: 'acme', repo: 'rocket', issue_number: 2, body: 'nested' };
        if (args.writes) await capstan.issue.comments.create(input);
        if (args.ms) await new Promise(r => setTimeout(r, args.ms));
        if (args.writes) await capstan.issue.comments.create(input);
        return 1;
    ";
    let learned = cli.exec("slow", code, &json!({}));
    let naming = json!({"capability": learned["meta"]["capability_fqdn"], "name": "slowone"});
    assert_eq!(cli.run("cap.name", &naming)["ok"], true);
    let slow = FaultKind::Latency { ms: 3000 };
    github.sim.inject(Fault::always(slow).on_writes());
    for (args, writes) in [
        ("{ ms: 60000 }", 0),
        // It is in the middle of its first write when the race is over.
        ("{ ms: 60000, writes: true }", 1),
        ("{ writes: true }", 1),
    ] {
        let before = comments(&mut cli);
        let race = format!(
            "return await Promise.race([caps.slowone({args}), new Promise(r => setTimeout(r, 1500, 'w'))])"
        );
        let started = Instant::now();
        let ran = exec_within(&world, &race, "40000");
        assert_eq!(ran["data"], "w", "{args}: {ran}");
        assert!(started.elapsed() < SOON, "{args}");
        let warnings = ran["meta"]["warnings"].to_string();
        assert!(warnings.contains("slowone"), "{args}: {ran}");
        assert_eq!(comments(&mut cli) - before, writes, "{args}");
    }
}

fn comments(cli: &mut super::surface::Cli<'_>) -> usize {
    let input = json!({"owner": "acme", "repo": "rocket", "issue_number": 2});
    let listed = cli.run("issue.comments.list", &input);
    listed["data"]["comments"].as_array().unwrap().len()
}

#[test]
fn limits_that_are_no_times_are_not_called_time_outs() {
    let place = Place::new();
    // On a busy machine, the usual ten seconds of processor time may take longer than the run may.
    place.write("capstan.toml", "[sandbox]\ncpu_ms = 2000\n");
    let world = World::at(place, &["--demo"]);
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
