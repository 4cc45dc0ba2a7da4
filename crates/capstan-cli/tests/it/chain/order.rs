//! Writes happen as they are written: whatever travels with what, the world ends as if the steps had
//! run one after the other.

use std::time::Duration;

use capstan_core::ChainStep;
use capstan_core::card::Card;
use capstan_engine::ChunkLimits;
use github_sim::{Fault, FaultKind};
use serde_json::json;

use super::bench::{Bench, Setup};
use super::cards;
use super::order_cases::{Sequence, sequences};
use super::steps::{close, codes, comment, label, outcome, reopen, retitle, step};
use super::world::{demo_world, differences, portrait};

#[tokio::test]
async fn whatever_the_limits_the_world_ends_as_one_after_the_other() {
    let limits = [25, 2, 1].map(|writes| How::at_most(50, writes));
    check_all(Vec::new(), sequences(), &limits).await;
}

#[tokio::test]
async fn a_slow_lookup_changes_nothing() {
    // The first lookup of all comes last.
    let slow = How {
        slow: true,
        ..How::at_most(1, 2)
    };
    check_all(Vec::new(), sequences(), &[slow]).await;
}

/// Lookups are asked before the chain writes, so that its writes can leave together: GitHub itself
/// decides about a write that an earlier one made needless.
#[tokio::test]
async fn a_write_that_an_earlier_one_made_needless_is_sent_all_the_same() {
    let bench = Bench::demo().await;
    let close_as = |reason| step("issue.close", json!({"issue_number": 1, "reason": reason}));
    let twice = [close_as("completed"), close_as("not_planned")];
    let ran = bench.run(&twice).await;
    assert_eq!(bench.counts(), (1, 1));
    for (result, reason) in ran.results.iter().zip(["completed", "not_planned"]) {
        let data = result.data.as_ref().unwrap();
        assert_eq!(
            (&data["state_reason"], &data["changed"]),
            (&json!(reason), &json!(true))
        );
    }
}

/// What the lookups of a merge show decides whether it is sent, so they are asked again after a write
/// that may have changed it.
#[tokio::test]
async fn a_merge_looks_again_after_an_earlier_write_to_the_same_pull_request() {
    let merge = |number| step("pr.merge", json!({"pr_number": number}));
    let review = |number, event, body| {
        let input = json!({"pr_number": number, "event": event, "body": body});
        step("pr.reviews.submit", input)
    };
    let bench = Bench::demo().await;
    let ran = bench.run(&[merge(27), merge(27)]).await;
    assert_eq!(codes(&ran), ["ok", "ok"]);
    let changed = ran
        .results
        .iter()
        .map(|it| it.data.as_ref().unwrap()["changed"].clone());
    assert_eq!(changed.collect::<Vec<_>>(), [json!(true), json!(false)]);

    let bench = Bench::demo().await;
    let against = review(27, "request_changes", "Not yet.");
    let ran = bench.run(&[against, merge(27)]).await;
    assert_eq!(codes(&ran), ["ok", "CONFLICT"]);
    assert_eq!(outcome(&ran.results[1]), "not_applied");
    assert!(bench.sim.world(|world| {
        let at = world.find_repo("acme", "rocket").unwrap();
        let pull = world.repo(at).unwrap().pull(27).unwrap().pull.clone();
        pull.unwrap().merged.is_none()
    }));

    // The reviewer who asked for changes is content now.
    let bench = Bench::demo().await;
    let ran = bench
        .run(&[review(49, "approve", "Fine now."), merge(49)])
        .await;
    assert_eq!(codes(&ran), ["ok", "ok"], "{:?}", ran.results[1].error);
}

#[tokio::test]
async fn writes_over_rest_keep_their_place() {
    let sequences = vec![
        (
            "closed over rest, then opened",
            vec![set(1, "closed"), reopen(1)],
        ),
        (
            "opened over rest, then closed",
            vec![set(4, "open"), close(4)],
        ),
        (
            "closed, then opened over rest",
            vec![close(1), set(1, "open")],
        ),
        (
            "opened, then closed over rest",
            vec![reopen(4), set(4, "closed")],
        ),
        (
            "rest in the middle",
            vec![close(1), set(1, "open"), close(1), comment(1, "x")],
        ),
        (
            "rest around",
            vec![set(1, "closed"), reopen(1), set(1, "closed"), reopen(1)],
        ),
        (
            "rest alone",
            vec![set(1, "closed"), set(1, "open"), set(1, "closed")],
        ),
    ];
    let limits = [25, 1].map(|writes| How::at_most(50, writes));
    check_all(vec![cards::state_over_rest()], sequences, &limits).await;
}

/// The comment in front has something to look up, so that every lookup is done before REST writes.
#[tokio::test]
async fn what_a_write_over_rest_changed_is_looked_at_again() {
    let sequences = vec![
        (
            "closed over rest",
            vec![comment(2, "x"), set(1, "closed"), reopen(1)],
        ),
        (
            "opened over rest",
            vec![comment(2, "x"), set(4, "open"), close(4), comment(2, "y")],
        ),
    ];
    let limits = [25, 1].map(|writes| How::at_most(50, writes));
    check_all(vec![cards::state_over_rest()], sequences, &limits).await;
}

/// For the same reason, a step that needs what an earlier one makes must refer to it.
#[tokio::test]
async fn what_an_earlier_step_makes_is_found_by_who_refers_to_it() {
    for (name, code) in [("cryogenics", "NOT_FOUND"), ("$1.data.name", "ok")] {
        let bench = Bench::with_cards(vec![cards::label_over_rest()]).await;
        let make = step("labels.create", json!({"name": "cryogenics"}));
        let ran = bench.run(&[comment(2, "x"), make, label(1, &[name])]).await;
        assert_eq!(codes(&ran), ["ok", "ok", code], "{name}");
    }
}

/// GitHub lets a write wait that travels with others; those behind it must not overtake it.
#[tokio::test]
async fn a_write_that_has_to_wait_keeps_its_place() {
    let mut setup = Setup::default();
    setup.settings.run_timeout = Duration::from_secs(300);
    let bench = Bench::set_up(setup).await;
    let too_quickly = FaultKind::GraphqlError {
        error_type: "UNPROCESSABLE".to_owned(),
        message: "was submitted too quickly".to_owned(),
        path: Some(vec!["issue_update_0".into()]),
    };
    bench.sim.inject(Fault::once(too_quickly).on_writes());
    let ran = bench
        .run(&[retitle(1, "first"), retitle(1, "second")])
        .await;
    // Whether the first is tried again or not: the second comes after it.
    assert_eq!(
        portrait(&bench.sim)[&1].title,
        "second",
        "{:?}",
        codes(&ran)
    );
}

/// How a chain is run.
#[derive(Clone, Copy, Debug)]
struct How {
    limits: ChunkLimits,
    /// Whether the first lookup is the last to be answered.
    slow: bool,
}

impl How {
    fn at_most(reads: usize, writes: usize) -> Self {
        Self {
            limits: ChunkLimits {
                reads,
                writes,
                ..ChunkLimits::default()
            },
            slow: false,
        }
    }
}

/// Runs each sequence one step after the other, and as a chain in every way.
async fn check_all(cards: Vec<Card>, sequences: Vec<Sequence>, hows: &[How]) {
    let mut bench = Bench::with_cards(cards).await;
    let world = demo_world();
    let mut problems = Vec::new();
    for (what, steps) in sequences {
        bench.begin_anew(&world, ChunkLimits::default());
        let mut expected = Vec::new();
        for step in &steps {
            expected.push(bench.run_alone(step).await.ok);
        }
        let one_by_one = portrait(&bench.sim);
        for how in hows {
            bench.begin_anew(&world, how.limits);
            if how.slow {
                let slow = FaultKind::Latency { ms: 30 };
                bench.sim.inject(Fault::once(slow).on_reads());
            }
            let ran = bench.run(&steps).await;
            let ok: Vec<_> = ran.results.iter().map(|it| it.ok).collect();
            let differences = differences(&one_by_one, &portrait(&bench.sim));
            if ok != expected || !differences.is_empty() {
                problems.push(format!(
                    "{what}, {how:?}: ok {expected:?} one by one, {:?} as a chain; {}",
                    codes(&ran),
                    differences.join("; ")
                ));
            }
        }
    }
    assert!(problems.is_empty(), "{}", problems.join("\n"));
}

fn set(issue: u64, state: &str) -> ChainStep {
    step("state.set", json!({"issue_number": issue, "state": state}))
}
