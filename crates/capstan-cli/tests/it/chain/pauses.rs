//! GitHub asks to wait: everyone waits, nobody is forgotten, and no wait is too long to be told.

use std::time::Duration;

use capstan_core::port::Clock as _;
use capstan_core::{ErrorCode, Outcome, Route};
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

/// The wait belongs to the login: another route would be refused too, and held against it.
#[tokio::test]
async fn one_write_that_must_wait_goes_no_other_way() {
    for kind in [
        limited(60),
        FaultKind::Status403Secondary {
            retry_after: Some(60),
        },
    ] {
        let bench = Bench::demo().await;
        bench.sim.inject(Fault::once(kind).on_writes());
        let request = comment(1, "x").request;
        let error = bench.capstan.execute_task(&request).await.error.unwrap();
        assert_eq!((error.code, error.retryable), (ErrorCode::RateLimit, true));
        assert_eq!(error.details["outcome"], "not_applied");
        assert_eq!(error.details["retry_after_s"], 60);
        assert_eq!(bench.writes().len(), 1, "no other route is asked");
        assert!(
            bench.clock.sleeps().is_empty(),
            "it would not fit the time of the run"
        );

        // Whoever comes next keeps to it, without sending anything.
        let sent = bench.sim.requests().len();
        for step in [view(1), comment(1, "y")] {
            let error = bench
                .capstan
                .execute_task(&step.request)
                .await
                .error
                .unwrap();
            assert_eq!((error.code, error.retryable), (ErrorCode::RateLimit, true));
            let left = error.details["retry_after_s"].as_u64().unwrap();
            assert!((1..=60).contains(&left), "{left}");
        }
        let both = bench.run(&[view(1), comment(1, "y")]).await;
        assert_eq!(both.meta.failed, 2);
        assert_eq!(bench.sim.requests().len(), sent);

        // Where the rest of the pause fits, it is waited for.
        bench.clock.sleep(Duration::from_secs(50)).await;
        let done = bench.capstan.execute_task(&request).await;
        assert!(done.ok, "{:?}", done.error);
        let waits = bench.clock.sleeps();
        assert!((9..=10).contains(&waits[1].as_secs()), "{waits:?}");
        assert_eq!(bench.writes().len(), 2);
    }
}

/// The budgets of REST and GraphQL are counted apart: a read may use the other.
#[tokio::test]
async fn a_spent_budget_of_one_api_leaves_the_other() {
    let bench = Bench::demo().await;
    let spent = FaultKind::PrimaryLimit { reset_in: 3_000 };
    bench.sim.inject(Fault::always(spent).on_graphql());
    let done = bench.capstan.execute_task(&view(1).request).await;
    assert!(done.ok, "{:?}", done.error);
    assert_eq!(done.meta.route_used, Some(Route::Rest));
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
