//! What a run costs: through a warm worker, through a cold one, with calls, and a thousand at once;
//! beside the same code in Node's `vm` and in Deno.
//!
//! `cargo bench -p capstan-sandbox --bench sandbox`. Node and Deno are left out where they are not
//! found; `DENO=path` names one.

use std::io::Write;
use std::process::{Command, Stdio};
use std::sync::Arc;
use std::time::{Duration, Instant};

use capstan_core::code::{Limits, Script, ScriptCall, ScriptReply, ScriptValue};
use capstan_core::port::{Isolation, Sandbox, ScriptCalls, ScriptRun, UnderWay};
use capstan_sandbox::{SandboxSettings, WorkerCommand, sandbox};
use serde_json::Map;

const TRIVIAL: &str = "[1, 2, 3].map((n) => n * 2)";

fn main() {
    let threads = tokio::runtime::Builder::new_multi_thread()
        .worker_threads(2)
        .enable_all()
        .build();
    let Ok(runtime) = threads else { return };
    runtime.block_on(all());
}

async fn all() {
    let warm = Bench::new(Isolation::Process);
    let trivial = warm.script(TRIVIAL).await;
    warm.run(&trivial).await;

    say("a trivial run");
    let base = measure(2000, async || warm.run(&trivial).await).await;
    show("warm worker, one run after the other", &base, None);
    let mut apart = Vec::new();
    for _ in 0..500 {
        tokio::time::sleep(Duration::from_millis(3)).await;
        let started = Instant::now();
        warm.run(&trivial).await;
        apart.push(started.elapsed());
    }
    // The next engine is made ahead when there is time for it.
    show("warm worker, with pauses", &Times::new(apart), Some(&base));
    let thread = Bench::new(Isolation::Thread);
    let times = measure(2000, async || thread.run(&trivial).await).await;
    show("warm thread", &times, Some(&base));
    let times = measure(60, async || {
        let cold = Bench::new(Isolation::Process);
        cold.run(&trivial).await;
    })
    .await;
    show("cold worker, start and end included", &times, Some(&base));
    let times = measure(2000, async || drop(warm.script(TRIVIAL).await)).await;
    show("reading it, from the cache", &times, Some(&base));
    let mut count = 0;
    let times = measure(500, async || {
        count += 1;
        drop(warm.script(&format!("{TRIVIAL} // {count}")).await);
    })
    .await;
    show("reading it, by a worker", &times, Some(&base));
    node(&base);
    deno(&base);

    say("calls, answered at once");
    for (name, calls, code) in [
        ("1 call", 1, "await capstan.a.b({ n: 1 })"),
        (
            "100 calls together",
            100,
            "await Promise.all(Array.from({ length: 100 }, (_, n) => capstan.a.b({ n })))",
        ),
        (
            "100 calls one by one",
            100,
            "for (let n = 0; n < 100; n++) await capstan.a.b({ n })",
        ),
    ] {
        let script = warm.script(code).await;
        let times = measure(300, async || warm.run(&script).await).await;
        show(name, &times, Some(&base));
        let extra = times.median().saturating_sub(base.median()) / calls;
        say(&format!(
            "    {extra:>10.1?} for each call beyond a trivial run"
        ));
    }

    say("1,000 runs at once");
    let bench = Arc::new(warm);
    let trivial = Arc::new(trivial);
    let started = Instant::now();
    let mut runs = Vec::new();
    for _ in 0..1000 {
        let (bench, script) = (Arc::clone(&bench), Arc::clone(&trivial));
        runs.push(tokio::spawn(async move { bench.run(&script).await }));
    }
    for run in runs {
        let _ = run.await;
    }
    let took = started.elapsed();
    say(&format!(
        "    {took:>10.1?} in all, {:.0} runs a second",
        1000.0 / took.as_secs_f64()
    ));
}

struct Bench(Arc<dyn Sandbox>);

impl Bench {
    fn new(isolation: Isolation) -> Self {
        let worker = WorkerCommand::new(env!("CARGO_BIN_EXE_capstan-sandbox-worker"));
        Self(sandbox(SandboxSettings {
            isolation: Some(isolation),
            patience: Duration::from_secs(60),
            ..SandboxSettings::new(Some(worker))
        }))
    }

    #[expect(clippy::panic, reason = "a benchmark that cannot run says so")]
    async fn script(&self, code: &str) -> Arc<Script> {
        match self.0.read(code).await {
            Ok(script) => script,
            Err(error) => panic!("{error}"),
        }
    }

    #[expect(clippy::panic, reason = "a benchmark that cannot run says so")]
    async fn run(&self, script: &Script) {
        let args = Map::new();
        let end = self.0.run(ScriptRun {
            script,
            args: &args,
            limits: Limits::default(),
            calls: &Echo,
            depth: 0,
        });
        if let Err(error) = end.await.result {
            panic!("{error}");
        }
    }
}

struct Echo;

impl ScriptCalls for Echo {
    fn call<'a>(&'a self, calls: Vec<ScriptCall>) -> Vec<UnderWay<'a>> {
        let answer = |call: ScriptCall| ScriptReply {
            id: call.id,
            result: Ok(ScriptValue {
                data: call.input,
                meta: None,
            }),
        };
        let replies = calls.into_iter().map(answer).collect();
        vec![Box::pin(std::future::ready(replies))]
    }
}

/// Sorted.
struct Times(Vec<Duration>);

impl Times {
    fn new(mut times: Vec<Duration>) -> Self {
        times.sort();
        Self(times)
    }

    fn at(&self, hundredths: usize) -> Duration {
        let last = self.0.len().saturating_sub(1);
        let index = (self.0.len() * hundredths / 100).min(last);
        self.0.get(index).copied().unwrap_or_default()
    }

    fn median(&self) -> Duration {
        self.at(50)
    }
}

async fn measure(times: usize, mut act: impl AsyncFnMut()) -> Times {
    for _ in 0..times / 10 {
        act().await;
    }
    let mut taken = Vec::with_capacity(times);
    for _ in 0..times {
        let started = Instant::now();
        act().await;
        taken.push(started.elapsed());
    }
    Times::new(taken)
}

fn show(name: &str, times: &Times, base: Option<&Times>) {
    let ratio = base.map_or(String::new(), |base| {
        let ratio = times.median().as_secs_f64() / base.median().as_secs_f64();
        format!("  {ratio:>8.2} times the warm worker")
    });
    let (median, high) = (times.median(), times.at(99));
    say(&format!(
        "    {median:>10.1?} p50 {high:>10.1?} p99  {name}{ratio}"
    ));
}

/// A context and a run of the same code in each, timed by Node itself; and a process for each run.
fn node(base: &Times) {
    let inside = format!(
        "const vm = require('vm'); const code = {TRIVIAL:?}; const times = [];\
         for (let i = 0; i < 1100; i++) {{ const t = process.hrtime.bigint();\
           JSON.stringify(vm.runInNewContext(code, {{}}, {{ timeout: 10000 }}));\
           times.push(Number(process.hrtime.bigint() - t)); }}\
         console.log(times.slice(100).join(' '))"
    );
    let Some(said) = output("node", &["-e", &inside]) else {
        say("    node was not found");
        return;
    };
    let nanos = said.split_whitespace().filter_map(|time| time.parse().ok());
    let times = Times::new(nanos.map(Duration::from_nanos).collect());
    show(
        "Node `vm`, a new context, no process of its own",
        &times,
        Some(base),
    );
    let code = format!("console.log(JSON.stringify({TRIVIAL}))");
    let times = processes("node", &["-e", &code]);
    show("a Node process", &times, Some(base));
}

fn deno(base: &Times) {
    #[expect(
        clippy::disallowed_methods,
        reason = "where it is differs from machine to machine"
    )]
    let deno = std::env::var("DENO").unwrap_or_else(|_| "deno".to_owned());
    let code = format!("console.log(JSON.stringify({TRIVIAL}))");
    if output(&deno, &["eval", &code]).is_none() {
        say("    deno was not found");
        return;
    }
    let times = processes(&deno, &["eval", &code]);
    show("a Deno process", &times, Some(base));
}

fn processes(program: &str, arguments: &[&str]) -> Times {
    let mut times = Vec::new();
    for _ in 0..20 {
        let started = Instant::now();
        output(program, arguments);
        times.push(started.elapsed());
    }
    Times::new(times)
}

#[expect(
    clippy::disallowed_methods,
    reason = "a benchmark starts what it compares with"
)]
fn output(program: &str, arguments: &[&str]) -> Option<String> {
    let output = Command::new(program)
        .args(arguments)
        .stdin(Stdio::null())
        .stderr(Stdio::null())
        .output()
        .ok()?;
    output
        .status
        .success()
        .then(|| String::from_utf8_lossy(&output.stdout).into_owned())
}

fn say(line: &str) {
    // Nobody reads on when this fails.
    let _ = writeln!(std::io::stdout(), "{line}");
}
