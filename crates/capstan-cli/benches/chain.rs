//! One chain of twenty steps against twenty single runs and twenty calls of the real `gh`, all on the
//! simulator with 50 ms of latency on every request. Prints medians of one run and their ratios.

#![expect(
    clippy::unwrap_used,
    clippy::print_stdout,
    clippy::disallowed_methods,
    reason = "a benchmark prints its figures, starts gh, and stops when something is wrong"
)]

#[expect(dead_code, reason = "the bench needs a part of what the tests need")]
#[path = "../tests/it/support.rs"]
mod support;

use std::path::Path;
use std::process::Command;
use std::time::{Duration, Instant};

use capstan_core::{ChainRequest, ChainStatus, ChainStep, Options, TaskRequest};
use github_sim::{Fault, FaultKind};
use serde_json::{Value, json};

use support::{Bench, TOKEN, gh_program};

const STEPS: u64 = 20;
const ROUNDS: usize = 5;
const LATENCY_MS: u64 = 50;

/// Issues of the demo; the numbers between them are pull requests.
const ISSUES: [u64; 10] = [48, 47, 46, 45, 43, 42, 41, 40, 39, 37];

/// Something that is done twenty times: as a step, and as arguments of `gh`.
struct Work {
    name: &'static str,
    step: fn(u64) -> TaskRequest,
    gh: fn(u64) -> Vec<String>,
}

fn main() {
    let runtime = tokio::runtime::Builder::new_current_thread()
        .enable_all()
        .build()
        .unwrap();
    let works = [
        Work {
            name: "view an issue",
            step: |n| task("issue.view", json!({"issue_number": issue(n)})),
            gh: |n| {
                let number = issue(n).to_string();
                let fields = "--json=number,title,state,author,labels,body";
                words(&["issue", "view", &number, "-R=acme/rocket", fields])
            },
        },
        Work {
            name: "comment on an issue",
            step: |n| {
                task(
                    "issue.comments.create",
                    json!({"issue_number": issue(n), "body": "seen"}),
                )
            },
            gh: |n| {
                let number = issue(n).to_string();
                words(&["issue", "comment", &number, "-R=acme/rocket", "--body=seen"])
            },
        },
    ];
    println!("{STEPS} times each, {LATENCY_MS} ms of latency, median of {ROUNDS}:");
    for work in &works {
        runtime.block_on(measure(work));
    }
}

async fn measure(work: &Work) {
    let bench = Bench::demo().await;
    let latency = FaultKind::Latency { ms: LATENCY_MS };
    bench.sim.inject(Fault::always(latency));
    let (mut chains, mut singles, mut ghs) = (Vec::new(), Vec::new(), Vec::new());
    let mut requests = 0;
    for _ in 0..ROUNDS {
        let chain = ChainRequest {
            steps: (0..STEPS)
                .map(|n| ChainStep {
                    name: None,
                    request: (work.step)(n),
                    ..ChainStep::default()
                })
                .collect(),
            ..ChainRequest::default()
        };
        let started = Instant::now();
        let envelope = bench.capstan.execute_tasks(&chain).await;
        chains.push(started.elapsed());
        assert_eq!(envelope.status, ChainStatus::Success);
        requests = envelope.meta.requests;

        let started = Instant::now();
        for step in &chain.steps {
            assert!(bench.capstan.execute_task(&step.request).await.ok);
        }
        singles.push(started.elapsed());

        let folder = bench.addresses.socket.parent().unwrap().to_owned();
        let calls: Vec<_> = (0..STEPS).map(work.gh).collect();
        let gh = tokio::task::spawn_blocking(move || {
            let started = Instant::now();
            calls.iter().for_each(|call| run_gh(call, &folder));
            started.elapsed()
        });
        ghs.push(gh.await.unwrap());
    }
    let (chain, single, gh) = (median(chains), median(singles), median(ghs));
    let times = |other: Duration| other.as_secs_f64() / chain.as_secs_f64();
    println!("  {}", work.name);
    println!("    one chain     {chain:>9.1?}  ({requests} requests)");
    println!(
        "    single runs   {single:>9.1?}  {:.1} times as long",
        times(single)
    );
    println!(
        "    gh            {gh:>9.1?}  {:.1} times as long",
        times(gh)
    );
}

fn run_gh(arguments: &[String], folder: &Path) {
    let output = Command::new(gh_program())
        .args(arguments)
        .env("GH_CONFIG_DIR", folder)
        .env("XDG_CACHE_HOME", folder.join("cache"))
        .env("GH_TOKEN", TOKEN)
        .env("GH_PROMPT_DISABLED", "1")
        .env("GH_NO_UPDATE_NOTIFIER", "1")
        .output()
        .unwrap();
    let errors = String::from_utf8_lossy(&output.stderr);
    assert!(output.status.success(), "{errors}");
}

fn task(capability: &str, mut input: Value) -> TaskRequest {
    input["owner"] = "acme".into();
    input["repo"] = "rocket".into();
    TaskRequest {
        capability: capability.to_owned(),
        input: input.as_object().cloned().unwrap(),
        options: Options::default(),
        intent: None,
    }
}

fn issue(n: u64) -> u64 {
    ISSUES[usize::try_from(n).unwrap() % ISSUES.len()]
}

fn words(words: &[&str]) -> Vec<String> {
    words.iter().map(|word| (*word).to_owned()).collect()
}

fn median(mut times: Vec<Duration>) -> Duration {
    times.sort();
    times[times.len() / 2]
}
