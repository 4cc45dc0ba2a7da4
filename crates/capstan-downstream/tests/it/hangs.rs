//! Servers that do not answer: every call ends by its deadline, and only those calls suffer.

use std::time::Duration;

use capstan_core::{ErrorCode, Outcome};
use serde_json::json;

use crate::support::{Bench, Setup, within};

/// A server that is declared gone soon after it stops answering.
fn impatient() -> Bench {
    let setup = Setup {
        change: |config| config.ping_timeout = Duration::from_millis(300),
        ..Setup::default()
    };
    setup.bench()
}

#[tokio::test]
async fn a_call_without_an_answer_is_cancelled_and_the_server_goes_on() {
    let bench = Bench::new(&[]);
    bench.tools().await;
    let failure = bench.call_until("hang", json!({}), within(1_000)).await;
    let failure = failure.unwrap_err();
    assert_eq!(failure.outcome, Outcome::Unknown);
    assert_eq!(failure.error.code, ErrorCode::Network);
    assert!(!failure.error.retryable);
    assert_eq!(
        failure.error.message,
        "the tool `hang` of the server `fake`: no answer within the time limit; the call was cancelled"
    );
    bench.until_logged("notifications/cancelled", 1).await;
    bench.until_logged("ping", 1).await;
    assert_eq!(bench.echo("fine").await, "fine");
    assert_eq!(bench.logged("start"), 1);
    assert_eq!(bench.logged("call hang"), 1);
}

#[tokio::test]
async fn a_read_without_an_answer_can_be_repeated() {
    let bench = Bench::new(&[]);
    bench.tools().await;
    let input = json!({ "word": "never" });
    let failure = bench.call_until("hold", input, within(1_000)).await;
    let failure = failure.unwrap_err();
    assert_eq!(failure.outcome, Outcome::NotApplied);
    assert!(failure.error.retryable);
}

#[tokio::test]
async fn the_time_of_a_call_is_limited_by_the_configuration_too() {
    let setup = Setup {
        change: |config| config.call_timeout = Duration::from_secs(1),
        ..Setup::default()
    };
    let bench = setup.bench();
    let call = bench.call_until("hang", json!({}), within(3_600_000));
    let ended = tokio::time::timeout(Duration::from_secs(60), call).await;
    let failure = ended.expect("it waits for ever").unwrap_err();
    assert!(
        failure
            .error
            .message
            .contains("no answer within the time limit")
    );
}

#[tokio::test]
async fn a_call_that_nobody_waits_for_is_cancelled() {
    let bench = Bench::new(&[]);
    tokio::select! {
        answer = bench.call("hang", json!({})) => panic!("{answer:?}"),
        () = bench.until_logged("call hang", 1) => {}
    }
    bench.until_logged("notifications/cancelled", 1).await;
    assert_eq!(bench.echo("fine").await, "fine");
}

#[tokio::test]
async fn a_server_that_answers_nothing_any_more_is_replaced() {
    let bench = impatient();
    bench.tools().await;
    let other = bench.call("hold", json!({ "word": "x" }));
    let frozen = async {
        bench.until_logged("call hold", 1).await;
        bench.call_until("freeze", json!({}), within(1_000)).await
    };
    let (other, frozen) = tokio::join!(other, frozen);
    assert_eq!(frozen.unwrap_err().outcome, Outcome::Unknown);
    let other = other.unwrap_err();
    assert!(other.error.retryable);
    assert!(
        other.error.message.contains("even to pings"),
        "{}",
        other.error.message
    );
    assert_eq!(bench.echo("a new one").await, "a new one");
    assert_eq!(bench.logged("start"), 2);
}

#[tokio::test]
async fn what_the_server_did_not_take_in_did_not_happen() {
    let bench = Bench::new(&[]);
    bench.tools().await;
    let frozen = bench.call_until("freeze", json!({}), within(100));
    let stuck = async {
        bench.until_logged("call freeze", 1).await;
        // More than the pipe holds: the first one is written in part, the second one not at all.
        let first = json!({ "text": "x".repeat(1_000_000) });
        let first = bench.call_until("write", first, within(1_000));
        let second = bench.call_until("write", json!({ "text": "y" }), within(800));
        tokio::join!(biased; first, second)
    };
    let (frozen, (first, second)) = tokio::join!(frozen, stuck);
    assert_eq!(frozen.unwrap_err().outcome, Outcome::Unknown);
    assert_eq!(first.unwrap_err().outcome, Outcome::Unknown);
    let second = second.unwrap_err();
    assert_eq!(second.outcome, Outcome::NotApplied);
    assert!(second.error.retryable);
    assert!(
        second.error.message.contains("accepted no input"),
        "{}",
        second.error.message
    );
}
