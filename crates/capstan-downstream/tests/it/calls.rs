//! Calls that are answered, in one way or another.

use capstan_core::{ErrorCode, Outcome};
use futures_util::future::join_all;
use serde_json::{Value, json};

use crate::support::{Bench, soon};
use capstan_core::port::ToolServers as _;

#[tokio::test]
async fn what_a_tool_answers_becomes_data() {
    let bench = Bench::new(&[]);
    assert_eq!(bench.echo("hello").await, "hello");
    assert_eq!(bench.echo("{\"a\":[1]}").await, json!({ "a": [1] }));
    let input = json!({ "x": { "y": [1, 2] } });
    let structured = bench.call("structured", input.clone()).await;
    assert_eq!(structured.unwrap(), input);
    let image = bench.call("image", json!({})).await.unwrap();
    assert_eq!(
        image,
        json!([{ "type": "image", "mime_type": "image/png", "bytes": 3, "data": "AAAA" }])
    );
    let unknown = bench.call("unknown_content", json!({})).await.unwrap();
    assert_eq!(unknown, json!([{ "type": "hologram", "beam": 1 }]));
    assert_eq!(bench.logged("start"), 1);
}

#[tokio::test]
async fn an_unknown_server_is_named_with_those_that_are_known() {
    let bench = Bench::new(&[]);
    let failure = bench
        .servers
        .call("nope", "echo", Default::default(), soon())
        .await
        .unwrap_err();
    assert_eq!(failure.error.code, ErrorCode::NotFound);
    assert_eq!(
        failure.error.message,
        "there is no server `nope`: expected one of `fake`"
    );
    assert_eq!(bench.servers.names(), ["fake"]);
    assert!(bench.log().is_empty(), "nothing was started");
}

#[tokio::test]
async fn a_tool_that_fails_may_have_done_something() {
    let bench = Bench::new(&[]);
    let failure = bench
        .call("fail", json!({ "words": "disk full" }))
        .await
        .unwrap_err();
    assert_eq!(failure.outcome, Outcome::Unknown);
    assert_eq!(failure.error.code, ErrorCode::Unknown);
    assert!(!failure.error.retryable);
    assert_eq!(
        failure.error.message,
        "the tool `fail` of the server `fake` failed: disk full"
    );
}

#[tokio::test]
async fn an_error_of_the_protocol_is_a_failure_with_its_code() {
    let bench = Bench::new(&[]);
    for (code, expected) in [
        (-32602, ErrorCode::Validation),
        (-32601, ErrorCode::AdapterUnsupported),
        (-32000, ErrorCode::Unknown),
    ] {
        let failure = bench
            .call("refuse", json!({ "code": code }))
            .await
            .unwrap_err();
        assert_eq!(failure.error.code, expected, "{code}");
        assert_eq!(failure.outcome, Outcome::Unknown);
        assert!(!failure.error.retryable);
    }
    let failure = bench.call("no_such_tool", json!({})).await.unwrap_err();
    assert!(failure.error.message.contains("unknown tool"));
}

#[tokio::test]
async fn what_wants_more_than_a_call_is_not_supported() {
    let bench = Bench::new(&[]);
    let failure = bench.call("unfinished", json!({})).await.unwrap_err();
    assert_eq!(failure.error.code, ErrorCode::AdapterUnsupported);
    assert_eq!(failure.outcome, Outcome::Unknown);
    assert!(failure.error.message.contains("asks a person for input"));
}

#[tokio::test]
async fn many_calls_share_one_server_and_need_not_wait_for_each_other() {
    let bench = Bench::new(&[]);
    let held = join_all((0..20).map(|n| {
        let bench = &bench;
        async move { bench.call("hold", json!({ "word": n.to_string() })).await }
    }));
    let others = async {
        bench.until_logged("call hold", 20).await;
        let echoes = join_all((0..100).map(|n| {
            let bench = &bench;
            async move { (n, bench.echo(&format!("n{n}")).await) }
        }));
        for (n, echo) in echoes.await {
            assert_eq!(echo, format!("n{n}"));
        }
        for n in (0..20).rev() {
            let word = json!({ "word": n.to_string() });
            bench.call("release", word).await.unwrap();
        }
    };
    let (held, ()) = tokio::join!(held, others);
    assert!(held.into_iter().all(|answer| answer.unwrap() == "released"));
    assert_eq!(bench.logged("start"), 1);
    assert_eq!(bench.logged("call echo"), 100);
}

#[tokio::test]
async fn noise_does_no_harm() {
    let bench = Bench::new(&["--garbage"]);
    assert_eq!(
        bench.call("garbage", json!({})).await.unwrap(),
        "after garbage"
    );
    let spam = bench.call("spam", json!({ "times": 5_000 })).await;
    assert_eq!(spam.unwrap(), "spammed");
    assert_eq!(bench.echo("still here").await, "still here");
}

#[tokio::test]
async fn a_server_that_asks_for_more_is_refused() {
    let bench = Bench::new(&[]);
    for method in [
        "sampling/createMessage",
        "roots/list",
        "elicitation/create",
        "x/y",
    ] {
        let answer = bench
            .call("ask", json!({ "method": method }))
            .await
            .unwrap();
        assert_eq!(answer["error"]["code"], -32601, "{method}: {answer}");
        assert_eq!(answer["result"], Value::Null);
    }
    let answer = bench
        .call("ask", json!({ "method": "ping" }))
        .await
        .unwrap();
    assert_eq!(answer["result"], json!({}));
}
