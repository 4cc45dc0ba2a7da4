//! Workers as processes: when they start, what becomes of them, and that nobody notices.
#![cfg(target_os = "linux")]

use std::ffi::OsString;
use std::io::Read;
use std::os::unix::process::ExitStatusExt;
use std::process::{Child, Command, Stdio};
use std::sync::Arc;
use std::sync::atomic::{AtomicU32, Ordering};
use std::time::Duration;

use capstan_core::code::{Limits, ScriptCall, ScriptErrorKind, ScriptReply, ScriptValue};
use capstan_core::port::{Sandbox, ScriptCalls, ScriptRun, UnderWay};
use capstan_sandbox::{SandboxSettings, WORKER_ARGUMENT, WorkerCommand, sandbox};
use serde_json::{Map, Value, json};
use tokio::sync::Notify;

use crate::support::*;

/// A sandbox whose workers can be told from all others by their arguments.
struct Marked {
    sandbox: Arc<dyn Sandbox>,
    mark: String,
}

impl Marked {
    fn new(change: impl FnOnce(&mut SandboxSettings)) -> Self {
        static COUNT: AtomicU32 = AtomicU32::new(0);
        let count = COUNT.fetch_add(1, Ordering::Relaxed);
        let mark = format!("mark-{}-{count}", std::process::id());
        let mut settings = settings();
        if let Some(worker) = &mut settings.worker {
            worker.arguments.push(OsString::from(&mark));
        }
        change(&mut settings);
        Self {
            sandbox: sandbox(settings),
            mark,
        }
    }

    /// The workers that are alive, by role.
    fn workers(&self, role: &str) -> Vec<i32> {
        workers(&self.mark, role)
    }
}

fn workers(mark: &str, role: &str) -> Vec<i32> {
    let mut found = Vec::new();
    for entry in std::fs::read_dir("/proc").unwrap().flatten() {
        let Some(id) = entry.file_name().to_str().and_then(|id| id.parse().ok()) else {
            continue;
        };
        // Those that have ended meanwhile, or are ending, have no arguments.
        let arguments = std::fs::read_to_string(entry.path().join("cmdline")).unwrap_or_default();
        let arguments: Vec<&str> = arguments.split('\0').collect();
        if arguments.contains(&mark) && arguments.contains(&role) {
            found.push(id);
        }
    }
    found
}

async fn until(what: &str, mut done: impl FnMut() -> bool) {
    for _ in 0..1000 {
        if done() {
            return;
        }
        tokio::time::sleep(Duration::from_millis(10)).await;
    }
    panic!("{what} never happened");
}

fn kill(process: i32) {
    let process = rustix::process::Pid::from_raw(process).unwrap();
    rustix::process::kill_process(process, rustix::process::Signal::KILL).unwrap();
}

/// Tells when a call arrives, and answers it when it is told to.
#[derive(Default)]
struct Gate {
    arrived: Notify,
    open: Notify,
}

impl ScriptCalls for Gate {
    fn call<'a>(&'a self, calls: Vec<ScriptCall>) -> Vec<UnderWay<'a>> {
        self.arrived.notify_one();
        vec![Box::pin(async move {
            self.open.notified().await;
            let answer = |call: ScriptCall| ScriptReply {
                id: call.id,
                result: Ok(ScriptValue {
                    data: call.input,
                    meta: None,
                }),
            };
            calls.into_iter().map(answer).collect()
        })]
    }
}

#[tokio::test]
async fn nothing_is_started_before_it_is_needed() {
    let marked = Marked::new(|_| {});
    marked.sandbox.state();
    assert!(marked.workers("runner").is_empty());
    assert!(marked.workers("reader").is_empty());
    run(&*marked.sandbox, "1").await.unwrap();
    assert_eq!(marked.workers("runner").len(), 1);
    assert_eq!(marked.workers("reader").len(), 1);
}

#[tokio::test]
async fn every_thread_of_a_worker_is_locked_down() {
    let marked = Marked::new(|_| {});
    run(&*marked.sandbox, "1").await.unwrap();
    let layers = marked.sandbox.state().layers;
    let seccomp = layers.iter().any(|layer| layer.contains("seccomp"));
    for worker in [marked.workers("runner"), marked.workers("reader")].concat() {
        let mut threads = 0;
        for thread in std::fs::read_dir(format!("/proc/{worker}/task")).unwrap() {
            let status = std::fs::read_to_string(thread.unwrap().path().join("status")).unwrap();
            let has = |line: &str| status.lines().any(|known| known == line);
            assert!(has("NoNewPrivs:\t1"), "{status}");
            assert!(!seccomp || has("Seccomp:\t2"), "{status}");
            threads += 1;
        }
        assert_eq!(threads, 2);
    }
}

#[tokio::test]
async fn workers_are_used_again() {
    let marked = Marked::new(|_| {});
    run(&*marked.sandbox, "1").await.unwrap();
    let first = (marked.workers("runner"), marked.workers("reader"));
    for n in 0..50 {
        assert_eq!(run(&*marked.sandbox, &format!("{n}")).await, Ok(json!(n)));
    }
    assert_eq!((marked.workers("runner"), marked.workers("reader")), first);
}

#[tokio::test]
async fn no_worker_outlives_the_sandbox() {
    let marked = Marked::new(|_| {});
    run(&*marked.sandbox, "1").await.unwrap();
    let Marked { sandbox, mark } = marked;
    assert!(!workers(&mark, WORKER_ARGUMENT).is_empty());
    drop(sandbox);
    assert!(workers(&mark, WORKER_ARGUMENT).is_empty());
}

#[tokio::test]
async fn a_dropped_run_ends_its_worker() {
    let marked = Marked::new(|_| {});
    let script = marked.sandbox.read("await capstan.a.b({})").await.unwrap();
    let (gate, args) = (Gate::default(), Map::new());
    let run_it = marked.sandbox.run(ScriptRun {
        script: &script,
        args: &args,
        limits: ample(),
        calls: &gate,
        depth: 0,
    });
    tokio::select! {
        end = run_it => panic!("{end:?}"),
        () = gate.arrived.notified() => {}
    }
    until("the end of the worker", || {
        marked.workers("runner").is_empty()
    })
    .await;
    assert_eq!(run(&*marked.sandbox, "2").await, Ok(json!(2)));
}

#[tokio::test]
async fn a_worker_that_dies_breaks_its_run_alone() {
    let marked = Marked::new(|_| {});
    let script = marked.sandbox.read("await capstan.a.b({})").await.unwrap();
    let (gate, args) = (Gate::default(), Map::new());
    let dying = marked.sandbox.run(ScriptRun {
        script: &script,
        args: &args,
        limits: ample(),
        calls: &gate,
        depth: 0,
    });
    let killed = async {
        gate.arrived.notified().await;
        marked.workers("runner").into_iter().for_each(kill);
    };
    let (end, ()) = tokio::join!(dying, killed);
    let error = end.result.unwrap_err();
    assert_eq!(error.kind, ScriptErrorKind::Broken);
    assert!(error.message.contains("signal 9"), "{error}");
    assert_eq!(run(&*marked.sandbox, "3").await, Ok(json!(3)));

    // One that dies while it is idle is not even noticed.
    for round in 0..5 {
        let idle = [marked.workers("runner"), marked.workers("reader")].concat();
        assert!(!idle.is_empty());
        idle.into_iter().for_each(kill);
        tokio::time::sleep(Duration::from_millis(50)).await;
        let code = format!("{round} + 10");
        assert_eq!(run(&*marked.sandbox, &code).await, Ok(json!(round + 10)));
    }
}

/// A worker by itself, when it has said that it is there.
#[expect(clippy::disallowed_methods, reason = "a test starts what it tests")]
fn lone_worker() -> Child {
    let mut worker = Command::new(env!("CARGO_BIN_EXE_capstan-sandbox-worker"))
        .args([WORKER_ARGUMENT, "runner", "67108864"])
        .env_clear()
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .spawn()
        .unwrap();
    let mut hello = [0; 9];
    worker
        .stdout
        .as_mut()
        .unwrap()
        .read_exact(&mut hello)
        .unwrap();
    worker
}

#[test]
fn a_worker_ends_when_nobody_talks_to_it_any_more() {
    let mut worker = lone_worker();
    drop(worker.stdin.take());
    assert!(worker.wait().unwrap().success());
}

#[test]
fn a_worker_dies_with_who_started_it() {
    // The pipes stay open; what ends is the thread that is its parent.
    let started = std::thread::spawn(lone_worker).join().unwrap();
    let (stdin, mut worker) = {
        let mut worker = started;
        (worker.stdin.take(), worker)
    };
    assert_eq!(worker.wait().unwrap().signal(), Some(libc::SIGKILL));
    drop(stdin);
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn many_run_at_once() {
    const RUNS: u64 = 200;
    let marked = Arc::new(Marked::new(|settings| settings.runners = 6));
    let mut runs = Vec::new();
    for n in 0..RUNS {
        let marked = Arc::clone(&marked);
        runs.push(tokio::spawn(async move {
            let code = "const r = await Promise.all([1, 2].map(x => capstan.echo.it({ x: x * args.n }))); \
                        console.log(args.n); r[0].x + r[1].x";
            let answers = Answers::default();
            let end = run_with(&*marked.sandbox, code, json!({ "n": n }), ample(), &answers).await;
            (n, end, answers.sizes())
        }));
    }
    for run in runs {
        let (n, end, sizes) = run.await.unwrap();
        assert_eq!(end.result, Ok(json!(n * 3)));
        assert_eq!(end.console.len(), 1);
        assert_eq!(end.console[0].text, n.to_string());
        assert_eq!(sizes, [2]);
    }
    until("the end of all but a few workers", || {
        marked.workers("runner").len() <= 6
    })
    .await;
}

#[tokio::test]
async fn more_than_there_is_room_for_waits_and_then_is_refused() {
    let marked = Marked::new(|settings| {
        settings.runners = 1;
        settings.most_runs = 1;
        settings.patience = Duration::from_millis(100);
    });
    let script = marked
        .sandbox
        .read("await capstan.a.b({}); 1")
        .await
        .unwrap();
    let (gate, args) = (Gate::default(), Map::new());
    let start = |depth| {
        marked.sandbox.run(ScriptRun {
            script: &script,
            args: &args,
            limits: ample(),
            calls: &gate,
            depth,
        })
    };
    let mut first = start(0);
    tokio::select! {
        end = &mut first => panic!("{end:?}"),
        () = gate.arrived.notified() => {}
    }
    let refused = start(0).await;
    let error = refused.result.unwrap_err();
    assert_eq!(error.kind, ScriptErrorKind::Busy);
    assert!(error.message.contains("100 ms"), "{error}");

    // What the first one waits for has a place of its own.
    let within = async {
        gate.arrived.notified().await;
        gate.open.notify_waiters();
    };
    let (within, first, ()) = tokio::join!(start(1), first, within);
    assert_eq!(within.result, Ok(json!(1)));
    assert_eq!(first.result, Ok(json!(1)));
}

#[tokio::test]
async fn a_program_that_is_no_worker_is_told() {
    for program in ["/nonexistent/program", "/bin/cat", "/bin/true"] {
        let sandbox = sandbox(SandboxSettings::new(Some(WorkerCommand::new(program))));
        let error = sandbox.read("1").await.unwrap_err();
        assert_eq!(error.kind, ScriptErrorKind::Broken, "{program}: {error}");
    }
}

/// The memory that a worker is given covers what the largest run may ask for.
#[tokio::test]
async fn large_limits_can_be_used() {
    let sandbox = processes();
    let limits = Limits {
        memory_bytes: 512 << 20,
        stack_bytes: 8 << 20,
        output_bytes: 8 << 20,
        // More than can be is as much as can be.
        wall: Duration::MAX,
        cpu: Duration::MAX,
        console_bytes: u64::MAX,
        calls: u32::MAX,
    };
    for (code, expected) in [
        ("new Uint8Array(400 << 20).length", json!(400 << 20)),
        (
            "const f = n => n === 0 ? 0 : 1 + f(n - 1); f(10000)",
            json!(10000),
        ),
        (
            "'x'.repeat(5 << 20).length + 'x'.repeat(5 << 20).slice(0, 0)",
            json!((5 << 20).to_string()),
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
        assert_eq!(end.result, Ok(expected), "{code}");
    }
    let end = run_with(
        &*sandbox,
        "'x'.repeat(5 << 20)",
        json!({}),
        limits.clone(),
        &Answers::default(),
    )
    .await;
    assert_eq!(end.result.unwrap().as_str().map(str::len), Some(5 << 20));

    // Large answers pass, too, and are told together with small ones.
    struct Large;
    impl ScriptCalls for Large {
        fn call<'a>(&'a self, calls: Vec<ScriptCall>) -> Vec<UnderWay<'a>> {
            let answer = |call: ScriptCall| ScriptReply {
                id: call.id,
                result: Ok(ScriptValue {
                    data: Value::String("x".repeat(4 << 20)),
                    meta: None,
                }),
            };
            vec![Box::pin(std::future::ready(
                calls.into_iter().map(answer).collect(),
            ))]
        }
    }
    let code =
        "const all = await Promise.all([1, 2, 3].map(() => caps.large())); all.map(x => x.length)";
    let end = run_with(&*sandbox, code, json!({}), limits, &Large).await;
    assert_eq!(end.result, Ok(json!([4 << 20, 4 << 20, 4 << 20])));
    // More than the run's memory is that limit, told as such.
    let few = Limits {
        memory_bytes: 8 << 20,
        ..ample()
    };
    let end = run_with(&*sandbox, code, json!({}), few, &Large).await;
    let error = end.result.unwrap_err();
    assert!(error.message.contains("8 MiB of memory"), "{error}");
}
