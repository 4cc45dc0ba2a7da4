//! Random chains while random things go wrong. The laws that the bench checks hold for all of them, whether they run to
//! their end, are cancelled, or are dropped.

use std::time::Duration;

use capstan_core::Route;
use capstan_core::card::Operation;
use capstan_core::port::Failure;
use proptest::prelude::*;
use proptest::test_runner::{Config, TestRunner};
use serde_json::json;

use crate::support::failures::{
    broken, exhausted, forbidden, gave_up, host_limited, limited, not_connected, reset, too_large,
    unauthorized, unplaced, unsupported,
};
use crate::support::{
    Bench, Effect, Fault, Step, always, bench, gather, guarded, own, read, read_any, read_rest,
    remark, set, set_any, set_rest, tool_read, tool_write, write, write_any, write_rest,
};

const CASES: u32 = 200;

/// How many steps a chain has at most.
const MOST_STEPS: usize = 8;

#[test]
fn the_laws_hold_whatever_goes_wrong() {
    let config = Config {
        cases: CASES,
        failure_persistence: None,
        ..Config::default()
    };
    let chains = (
        steps(),
        prop::collection::vec(fault(), 0..4),
        circumstances(),
    );
    let ran = TestRunner::new(config).run(&chains, |(steps, faults, circumstances)| {
        let bench = faults.into_iter().fold(circumstances.bench(), Bench::fault);
        match circumstances.dropped_after {
            Some(requests) => bench.run_until(requests, &steps),
            None => bench.run(&steps),
        };
        Ok(())
    });
    if let Err(failure) = ran {
        panic!("{failure}");
    }
}

/// How a chain is run.
#[derive(Clone, Debug)]
struct Circumstances {
    reads: usize,
    writes: usize,
    seed: u64,
    timeout: u64,
    is_independent: bool,
    fails_fast: bool,
    cancelled_at: Option<usize>,
    dropped_after: Option<usize>,
}

impl Circumstances {
    fn bench(&self) -> Bench {
        let mut bench = bench()
            .chunks(self.reads, self.writes)
            .timeout(self.timeout);
        fastrand::seed(self.seed);
        if self.is_independent {
            bench = bench.independent();
        }
        if self.fails_fast {
            bench = bench.fail_fast();
        }
        match self.cancelled_at {
            Some(requests) => bench.cancel_at(requests),
            None => bench,
        }
    }
}

fn circumstances() -> impl Strategy<Value = Circumstances> {
    let timeout = prop::sample::select(vec![60, 60, 20, 5, 2]);
    let (some, few) = (
        prop::option::weighted(0.2, 1..6_usize),
        prop::option::weighted(0.2, 1..6_usize),
    );
    let chunks = (1..5_usize, 1..5_usize, any::<u64>());
    (
        chunks,
        timeout,
        prop::bool::weighted(0.2),
        prop::bool::weighted(0.1),
        some,
        few,
    )
        .prop_map(
            |(
                (reads, writes, seed),
                timeout,
                is_independent,
                fails_fast,
                cancelled_at,
                dropped_after,
            )| Circumstances {
                reads,
                writes,
                seed,
                timeout,
                is_independent,
                fails_fast,
                cancelled_at,
                dropped_after,
            },
        )
}

/// Steps, each about a thing of its own or about one that several share, some of which refer to earlier ones.
fn steps() -> impl Strategy<Value = Vec<Step>> {
    let pick = (
        0..19_u8,
        prop::option::weighted(0.25, any::<prop::sample::Index>()),
    );
    prop::collection::vec(pick, 1..=MOST_STEPS).prop_map(|picks| {
        let step = |(place, (kind, from)): (usize, (u8, Option<prop::sample::Index>))| {
            let step = step(kind, &format!("n{place}"));
            match from {
                Some(from) if place > 0 => step.after(from.index(place)),
                _ => step,
            }
        };
        picks.into_iter().enumerate().map(step).collect()
    })
}

fn step(kind: u8, name: &str) -> Step {
    match kind {
        0 => read(name),
        1 => read("shared"),
        2 => read_rest(name),
        3 => read_any(name),
        4 => tool_read("s", name),
        5 => write(name),
        6 => write_rest(name),
        7 => write_any(name),
        8 => remark(name, "x"),
        9 => set(name, "x"),
        10 => set_any(name, "x"),
        11 => set("shared", "x"),
        12 => set("shared", "y"),
        13 => set_rest("shared", "x"),
        14 => guarded("shared", name),
        15 => gather(name, &["shared", "n0"]),
        16 => tool_write("s", name),
        17 => tool_write("t", name),
        _ => own(Route::Code, Operation::Write, name),
    }
}

fn fault() -> impl Strategy<Value = Fault> {
    let times = prop::option::weighted(0.7, 1..4_usize);
    let operation = prop::sample::select(vec![None, None, Some(true), Some(false)]);
    let route = prop::sample::select(vec![
        None,
        None,
        Some(Route::Graphql),
        Some(Route::Rest),
        Some(Route::Mcp),
    ]);
    (effect(), times, operation, route, 0..4_usize).prop_map(
        |(effect, times, is_write, route, spared)| {
            let mut fault = always(effect).sparing(spared);
            if let Some(times) = times {
                fault = fault.times(times);
            }
            if let Some(route) = route {
                fault = fault.over(route);
            }
            match is_write {
                Some(true) => fault.on_writes(),
                Some(false) => fault.on_reads(),
                None => fault,
            }
        },
    )
}

/// Faults that tell the truth: what is said not to have happened did not.
fn effect() -> impl Strategy<Value = Effect> {
    (
        0..14_u8,
        certain(),
        doubtful(),
        names(),
        0..4_usize,
        any::<bool>(),
    )
        .prop_map(|(kind, certain, doubtful, names, count, flag)| match kind {
            0 | 1 => Effect::Refuse(certain),
            2 => Effect::Refuse(doubtful),
            3 | 4 => Effect::Lose(doubtful),
            5 => Effect::Cut(count, doubtful),
            6 => Effect::MoreThan(count, if flag { gave_up() } else { too_large() }),
            7 => Effect::Blame(
                names,
                if flag {
                    vec!["mutation".to_owned()]
                } else {
                    Vec::new()
                },
                certain,
            ),
            8 => Effect::Beside(names, if flag { certain } else { doubtful }),
            9 => Effect::Within(names, doubtful),
            10 => Effect::Unplaced(names, if flag { certain } else { doubtful }),
            11 => Effect::Answer(json!("strange")),
            12 => Effect::Delay(Duration::from_secs(15 * u64::from(flag) + 3)),
            _ => Effect::Hang { happens: flag },
        })
}

fn certain() -> impl Strategy<Value = Failure> {
    prop::sample::select(vec![
        not_connected(),
        forbidden(),
        unauthorized(),
        unsupported(),
        too_large(),
        limited(3),
        host_limited(3),
        limited(100),
        unplaced(forbidden()),
        unplaced(not_connected()),
    ])
}

fn doubtful() -> impl Strategy<Value = Failure> {
    prop::sample::select(vec![
        reset(),
        broken(),
        gave_up(),
        exhausted(),
        unplaced(broken()),
    ])
}

/// Some of what requests ask for, as the log calls it.
fn names() -> impl Strategy<Value = Vec<String>> {
    let name = (0..MOST_STEPS, 0..6_u8).prop_map(|(place, kind)| match kind {
        0 => format!("?n{place}"),
        1 => format!("n{place}=x"),
        2 => format!("n{place}+x"),
        3 => "shared=x".to_owned(),
        _ => format!("n{place}"),
    });
    prop::collection::vec(name, 1..4)
}
