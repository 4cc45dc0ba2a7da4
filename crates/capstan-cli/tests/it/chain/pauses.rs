//! GitHub asks to wait: everyone waits, nobody is forgotten, and no wait is too long to be told.

use std::time::Duration;

use capstan_core::{ErrorCode, Outcome};
use github_sim::{Fault, FaultKind};
use serde_json::json;

use super::bench::Bench;
use super::steps::{comment, step, view};

fn limited(retry_after: u64) -> FaultKind {
    FaultKind::Status429 {
        retry_after: Some(retry_after),
    }
}

#[tokio::test]
async fn who_has_nothing_to_do_is_not_forgotten_while_all_wait() {
    let bench = Bench::demo().await;
    bench.sim.inject(Fault::always(limited(7)).on_writes());
    let reopen = step("issue.reopen", json!({"issue_number": 1}));
    let after = step("issue.view", json!({"issue_number": "$1.data.number"}));
    let ran = bench.run(&[comment(1, "x"), reopen, after]).await;
    let error = ran.results[0].error.as_ref().unwrap();
    assert_eq!(error.code, ErrorCode::RateLimit);
    assert!(ran.results[1].ok, "{:?}", ran.results[1]);
    assert_eq!(ran.results[1].data.as_ref().unwrap()["changed"], false);
    assert!(ran.results[2].ok, "{:?}", ran.results[2]);
}

#[tokio::test]
async fn everyone_waits_when_one_is_asked_to() {
    let bench = Bench::demo().await;
    bench.sim.inject(Fault::once(limited(7)).on_writes());
    let ran = bench.run(&[comment(1, "x"), comment(2, "y")]).await;
    assert_eq!(ran.meta.succeeded, 2);
    assert_eq!(bench.clock.sleeps(), [Duration::from_secs(7)]);
}

#[tokio::test]
async fn a_wait_without_end_is_an_error_and_no_panic() {
    for wait in [u64::MAX, u64::MAX / 1000, 1 << 40] {
        let bench = Bench::demo().await;
        bench.sim.inject(Fault::always(limited(wait)));
        for steps in [vec![view(1)], vec![view(1), comment(2, "x")]] {
            let ran = bench.run(&steps).await;
            for result in &ran.results {
                let error = result.error.as_ref().unwrap();
                assert_eq!(error.code, ErrorCode::RateLimit, "{error:?}");
            }
        }
        let alone = bench.run_alone(&comment(1, "x")).await;
        let error = alone.error.unwrap();
        assert_eq!(error.code, ErrorCode::RateLimit);
        let outcome = serde_json::to_value(Outcome::NotApplied).unwrap();
        assert_eq!(error.details["outcome"], outcome);
    }
}
