//! Code that waits: what it no longer needs is dropped, what it aborts is withdrawn, and it is in
//! nobody's way meanwhile.

use std::sync::Arc;
use std::time::{Duration, Instant};

use capstan_core::code::{Limits, ScriptErrorKind};
use capstan_core::port::Sandbox;
use capstan_sandbox::{SandboxSettings, sandbox};
use serde_json::json;

use crate::support::*;

#[tokio::test]
async fn the_winner_of_a_race_against_a_timer_is_the_result() {
    for sandbox in [processes(), threads()] {
        let answers = Answers::default();
        let code = "
            const late = new Promise(r => setTimeout(r, 20, 'timeout'));
            return await Promise.race([capstan.slow.read({}), late]);
        ";
        let started = Instant::now();
        let end = run_with(&*sandbox, code, json!({}), ample(), &answers).await;
        assert_eq!(end.result, Ok(json!("timeout")));
        assert_eq!(end.dropped, ["slow.read"]);
        assert_eq!(*answers.given_up.lock().unwrap(), [1]);
        assert!(started.elapsed() < Duration::from_secs(30));

        // The other way round: the timer is not waited for.
        let code = "
            const late = new Promise(r => setTimeout(r, 50_000, 'timeout'));
            return await Promise.race([capstan.echo.it({ a: 1 }), late]);
        ";
        let end = run_with(&*sandbox, code, json!({}), ample(), &answers).await;
        assert_eq!(end.result, Ok(json!({ "a": 1 })));
        assert!(end.dropped.is_empty());
    }
}

#[tokio::test]
async fn a_write_that_lost_the_race_is_waited_for() {
    let sandbox = processes();
    // It never answers, so the run ends at its limit rather than without knowing.
    let limits = Limits {
        wall: Duration::from_millis(400),
        ..ample()
    };
    let code = "
        const late = new Promise(r => setTimeout(r, 5, 'timeout'));
        return await Promise.race([capstan.never.ending({}), capstan.slow.read({}), late]);
    ";
    let end = run_with(&*sandbox, code, json!({}), limits, &Answers::default()).await;
    assert!(matches!(
        end.result.unwrap_err().kind,
        ScriptErrorKind::Limit(_)
    ));
    assert_eq!(end.dropped, ["slow.read"]);
}

#[tokio::test]
async fn a_call_is_aborted_by_its_signal() {
    for sandbox in [processes(), threads()] {
        for (code, expected) in [
            (
                "const c = new AbortController(); setTimeout(() => c.abort(), 5); \
                 try { await capstan.slow.read({}, { signal: c.signal }) } catch (e) { return e.name }",
                json!("AbortError"),
            ),
            (
                "try { await capstan.slow.read({}, { signal: AbortSignal.timeout(5) }) } catch (e) { return e.name }",
                json!("TimeoutError"),
            ),
            (
                "const c = new AbortController(); c.abort('why'); \
                 try { await capstan.slow.read({}, { signal: c.signal }) } catch (e) { return e }",
                json!("why"),
            ),
            (
                "const c = new AbortController(); const r = await capstan.echo.it({ a: 1 }, { signal: c.signal }); c.abort(); return r",
                json!({ "a": 1 }),
            ),
            (
                "const c = new AbortController(); \
                 const all = Promise.allSettled([1, 2, 3].map(n => capstan.slow.read({ n }, { signal: c.signal }))); \
                 setTimeout(() => c.abort(), 5); return (await all).map(r => r.reason.name)",
                json!(["AbortError", "AbortError", "AbortError"]),
            ),
        ] {
            let end = run_with(&*sandbox, code, json!({}), ample(), &Answers::default()).await;
            assert_eq!(end.result, Ok(expected), "{code}");
        }
    }
}

#[tokio::test]
async fn an_aborted_write_is_never_reported_as_not_done() {
    let sandbox = processes();
    let limits = Limits {
        wall: Duration::from_millis(400),
        ..ample()
    };
    let code = "
        const c = new AbortController();
        setTimeout(() => c.abort(), 5);
        try {
            await capstan.never.ending({}, { signal: c.signal });
        } catch (e) {
            console.log(e.name, e.code, e.details.outcome, e.cause.name);
            return 'went on';
        }
    ";
    let end = run_with(&*sandbox, code, json!({}), limits, &Answers::default()).await;
    assert_eq!(
        end.console[0].text,
        "CapstanError CANCELLED unknown AbortError"
    );
    // The code went on at once; what it wrote was waited for as long as there was time.
    assert_eq!(end.result, Ok(json!("went on")));
    assert!(
        end.usage.wall >= Duration::from_millis(390),
        "{:?}",
        end.usage
    );
}

#[tokio::test]
async fn the_timeout_of_a_call_goes_with_it() {
    let sandbox = processes();
    let answers = Answers::default();
    let code = "await capstan.echo.it({}, { timeout_ms: 250 }); await capstan.echo.it({}); 1";
    let end = run_with(&*sandbox, code, json!({}), ample(), &answers).await;
    assert_eq!(end.result, Ok(json!(1)));
    let timeouts: Vec<_> = {
        let batches = answers.batches.lock().unwrap();
        batches.iter().flatten().map(|call| call.timeout).collect()
    };
    assert_eq!(timeouts, [Some(Duration::from_millis(250)), None]);
    for wrong in ["0", "-1", "NaN", "'5'", "1e9"] {
        let code = format!("await capstan.echo.it({{}}, {{ timeout_ms: {wrong} }})");
        let error = run(&*sandbox, &code).await.unwrap_err();
        assert_eq!(thrown(&error), "RangeError", "{code}");
    }
}

/// A hundred runs sleep; another begins and ends at once.
async fn beside_sleepers(settings: SandboxSettings) {
    const SLEEPERS: usize = 100;
    let sandbox: Arc<dyn Sandbox> = sandbox(settings);
    let sleeping = (0..SLEEPERS).map(|_| {
        let sandbox = Arc::clone(&sandbox);
        tokio::spawn(async move {
            // Awake when it has said that it sleeps.
            let code = "await new Promise(r => setTimeout(r, 600_000)); 1";
            run(&*sandbox, code).await
        })
    });
    let sleeping: Vec<_> = sleeping.collect();
    for n in 0..20 {
        assert_eq!(run(&*sandbox, &format!("{n} + 1")).await, Ok(json!(n + 1)));
    }
    assert!(sleeping.iter().all(|it| !it.is_finished()));
    for it in sleeping {
        it.abort();
    }
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn runs_that_sleep_are_in_nobodys_way() {
    beside_sleepers(SandboxSettings {
        runners: 2,
        ..settings()
    })
    .await;
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn threads_that_sleep_are_in_nobodys_way() {
    beside_sleepers(SandboxSettings {
        runners: 2,
        isolation: Some(capstan_core::port::Isolation::Thread),
        ..settings()
    })
    .await;
}

#[tokio::test]
async fn more_than_may_wait_wait_for_a_place() {
    let sandbox = sandbox(SandboxSettings {
        runners: 1,
        most_runs: 2,
        patience: Duration::from_millis(200),
        ..settings()
    });
    let (answers, asleep) = (Answers::default(), "await capstan.slow.read({}); 1");
    let sleeper = || run_with(&*sandbox, asleep, json!({}), ample(), &answers);
    let (first, second) = (sleeper(), sleeper());
    let third = async {
        while answers.sizes().len() < 2 {
            tokio::task::yield_now().await;
        }
        run(&*sandbox, "3").await
    };
    tokio::pin!(first, second, third);
    let error = tokio::select! {
        end = &mut first => panic!("{end:?}"),
        end = &mut second => panic!("{end:?}"),
        end = &mut third => end.unwrap_err(),
    };
    assert_eq!(error.kind, ScriptErrorKind::Busy, "{error}");
}
