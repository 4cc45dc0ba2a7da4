//! Dropping a chain ends it: what is under way is given up, and nothing else is sent.

use std::time::Duration;

use capstan_core::{ChainRequest, ChainStep};
use capstan_engine::ChunkLimits;
use github_sim::{Fault, FaultKind};

use super::bench::Bench;
use super::steps::{comment, view};
use super::world::open_issues;

/// Far more than it takes.
const SOON: Duration = Duration::from_secs(30);

#[tokio::test]
async fn no_write_follows_a_chain_that_was_dropped() {
    let limits = ChunkLimits {
        writes: 1,
        ..ChunkLimits::default()
    };
    for arrived in 1..4 {
        let bench = Bench::with_limits(limits).await;
        let fault = Fault::always(FaultKind::HangAfter).on_writes();
        bench.sim.inject(fault.after(arrived - 1));
        let steps: Vec<_> = (0..5)
            .map(|it| comment(1, &format!("Remark {it}")))
            .collect();
        let counts = drop_when(&bench, steps, || bench.writes().len() == arrived as usize).await;
        assert_eq!(counts, (1, arrived as usize));
        let open = bench.sent.all().iter().filter(|it| !it.has_ended()).count();
        assert_eq!(open, 1, "the last was given up");
    }
}

#[tokio::test]
async fn no_read_follows_a_chain_that_was_dropped() {
    let limits = ChunkLimits {
        reads: 1,
        ..ChunkLimits::default()
    };
    let bench = Bench::with_limits(limits).await;
    bench.sim.inject(Fault::always(FaultKind::HangBefore));
    let steps: Vec<_> = open_issues(&bench.sim)[..12]
        .iter()
        .map(|it| view(*it))
        .collect();
    let counts = drop_when(&bench, steps, || bench.sim.requests().len() == 4).await;
    assert_eq!(counts, (4, 0), "as many as were under way at once");
    // The simulator sees that nobody waits any more.
    let all_ended = async {
        while bench.sim.requests().iter().any(|it| it.finished.is_none()) {
            tokio::task::yield_now().await;
        }
    };
    tokio::time::timeout(SOON, all_ended)
        .await
        .expect("the connections end");
}

#[tokio::test]
async fn a_chain_that_was_never_polled_sends_nothing() {
    let bench = Bench::demo().await;
    let request = ChainRequest {
        steps: vec![view(1), view(2)],
        ..ChainRequest::default()
    };
    drop(bench.capstan.execute_tasks(&request));
    assert_eq!(bench.counts(), (0, 0));
    assert!(bench.sent.all().is_empty());
}

/// Runs a chain until it got somewhere, and drops it there: the reads and writes that had left.
async fn drop_when(
    bench: &Bench,
    steps: Vec<ChainStep>,
    reached: impl Fn() -> bool,
) -> (usize, usize) {
    let request = ChainRequest {
        steps,
        ..ChainRequest::default()
    };
    let until = async {
        while !reached() {
            tokio::task::yield_now().await;
        }
    };
    tokio::select! {
        ran = bench.capstan.execute_tasks(&request) => unreachable!("it ended: {ran:?}"),
        in_time = tokio::time::timeout(SOON, until) => in_time.expect("it gets there"),
    }
    bench.sim.clear_faults();
    let (counts, sent) = (bench.counts(), bench.sent.all().len());
    // Time for what must not come: a whole run of something else.
    assert!(bench.run_alone(&view(3)).await.ok);
    assert_eq!(bench.counts(), (counts.0 + 1, counts.1));
    assert_eq!(bench.sent.all().len(), sent + 1);
    counts
}
