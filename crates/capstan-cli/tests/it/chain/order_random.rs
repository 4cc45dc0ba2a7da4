//! Random writes on a few issues, in chunks of random size: a chain leaves the world as the steps
//! do one after the other, and every step fares the same.

use capstan_core::ChainStep;
use capstan_engine::ChunkLimits;
use proptest::prelude::*;
use proptest::test_runner::{Config, TestCaseError, TestRunner};
use serde_json::json;

use super::bench::Bench;
use super::cards;
use super::steps::{close, comment, label, reopen, retitle, step, unlabel};
use super::world::{demo_world, differences, portrait};

/// Open, closed, and not there.
const ISSUES: [u64; 4] = [1, 3, 4, 4711];

/// Some are on the issues, some are not, and one does not exist.
const LABELS: [&str; 4] = ["bug", "gnc", "telemetry", "no such label"];

const CASES: u32 = 40;

#[test]
fn chains_do_what_their_steps_do_one_after_the_other() {
    let runtime = tokio::runtime::Builder::new_current_thread()
        .enable_all()
        .build();
    let runtime = runtime.unwrap();
    let bench = std::cell::RefCell::new(
        runtime.block_on(Bench::with_cards(vec![cards::state_over_rest()])),
    );
    let config = Config {
        cases: CASES,
        failure_persistence: None,
        ..Config::default()
    };
    let chains = (prop::collection::vec(write(), 2..9), limits());
    let ran = TestRunner::new(config).run(&chains, |(steps, limits)| {
        let mut bench = bench.borrow_mut();
        runtime.block_on(compare(&mut bench, &steps, limits))
    });
    if let Err(failure) = ran {
        unreachable!("{failure}");
    }
}

async fn compare(
    bench: &mut Bench,
    steps: &[ChainStep],
    limits: ChunkLimits,
) -> Result<(), TestCaseError> {
    let world = demo_world();
    bench.begin_anew(&world, limits);
    let mut expected = Vec::new();
    for step in steps {
        expected.push(bench.run_alone(step).await.ok);
    }
    let one_by_one = portrait(&bench.sim);
    bench.begin_anew(&world, limits);
    let ran = bench.run(steps).await;
    let ok: Vec<_> = ran.results.iter().map(|it| it.ok).collect();
    prop_assert_eq!(ok, expected);
    let differences = differences(&one_by_one, &portrait(&bench.sim));
    prop_assert!(
        differences.is_empty(),
        "one by one, then as a chain: {:#?}",
        differences
    );
    let writes = bench.writes();
    let sizes = writes.iter().map(|it| it.root_fields.len());
    prop_assert!(sizes.max().unwrap_or(0) <= limits.writes);
    Ok(())
}

fn limits() -> impl Strategy<Value = ChunkLimits> {
    (1..6_usize, 1..6_usize).prop_map(|(reads, writes)| ChunkLimits {
        reads,
        writes,
        ..ChunkLimits::default()
    })
}

fn write() -> impl Strategy<Value = ChainStep> {
    let issue = prop::sample::select(&ISSUES[..]);
    let name = prop::sample::select(&LABELS[..]);
    let word = prop::sample::select(&["a", "b", "c"][..]);
    let login = prop::sample::select(&["priya-nair", "akira-mori", "nobody-at-all"][..]);
    let milestone = prop::option::of(1..4_u64);
    (0..10, issue, name, word, login, milestone).prop_map(
        |(kind, issue, name, word, login, milestone)| match kind {
            0 => close(issue),
            1 | 2 => reopen(issue),
            3 => label(issue, &[name]),
            4 => unlabel(issue, name),
            5 => step(
                "issue.assignees.add",
                json!({"issue_number": issue, "assignees": [login]}),
            ),
            6 => step(
                "issue.milestone.set",
                json!({"issue_number": issue, "milestone": milestone}),
            ),
            // Over REST, which looks nothing up and says nothing of what it touches.
            7 => step(
                "state.set",
                json!({"issue_number": issue, "state": if word == "a" { "open" } else { "closed" }}),
            ),
            _ if word == "c" => comment(issue, word),
            _ => retitle(issue, word),
        },
    )
}
