//! Batches that the server does not finish: cut off in the middle, refused by size, or slow.

use std::io::ErrorKind;
use std::time::{Duration, Instant};

use github_sim::{Cut, Fault, FaultKind};
use serde_json::{Value, json};

use super::support::{OPEN, ask, close_batch, closed, disconnect_when, node_id, query, view_batch};
use crate::client::Host;

#[tokio::test]
async fn a_batch_is_applied_up_to_the_cut() {
    for writes in 0..=4 {
        let host = Host::demo().await;
        host.sim.inject(cut(writes, Cut::Reset));
        let answer = host
            .send("POST", "/graphql", Some(close_batch(&host, &OPEN)))
            .await;
        assert_eq!(answer.unwrap_err().kind(), ErrorKind::ConnectionReset);
        let done = &OPEN[..writes.min(OPEN.len())];
        assert_eq!(closed(&host, &OPEN), done, "{writes}");
        let seen = &host.sim.requests()[0];
        assert_eq!(seen.applied_fields, ["a1", "a2", "a3"][..done.len()]);
        assert_eq!((seen.applied, seen.status), (writes > 0, None));
        // The fault hits once, so the rest can be sent again.
        ask(&host, close_batch(&host, &OPEN)).await;
        assert_eq!(closed(&host, &OPEN), OPEN);
    }
}

#[tokio::test]
async fn a_cut_can_end_in_a_502_or_a_hang() {
    let host = Host::demo().await;
    host.sim.inject(cut(2, Cut::Status502));
    let reply = host
        .call("POST", "/graphql", close_batch(&host, &OPEN))
        .await;
    assert_eq!(reply.status, 502);
    assert_eq!(
        reply.header("content-type"),
        Some("text/html; charset=utf-8")
    );
    assert_eq!(closed(&host, &OPEN), [1, 2]);

    let host = Host::demo().await;
    host.sim.inject(cut(1, Cut::Hang));
    let applied = || host.sim.requests().iter().any(|seen| seen.applied);
    disconnect_when(&host, close_batch(&host, &OPEN), applied).await;
    assert_eq!(closed(&host, &OPEN), [1]);
}

#[tokio::test]
async fn a_cut_counts_refused_fields_and_ignores_reads_and_rest() {
    let host = Host::demo().await;
    host.sim.inject(cut(2, Cut::Reset));
    ask(&host, view_batch(&OPEN)).await;
    let comment = json!({ "body": "hello" });
    let reply = host
        .call("POST", "/repos/acme/rocket/issues/1/comments", comment)
        .await;
    assert_eq!(reply.status, 201);
    let mut request = close_batch(&host, &OPEN);
    let document = request["query"].as_str().unwrap();
    let first = node_id(&host, 1).to_string();
    request["query"] = Value::from(document.replace(&first, "\"I_nope\""));
    assert!(host.send("POST", "/graphql", Some(request)).await.is_err());
    assert_eq!(closed(&host, &OPEN), [2]);
}

#[tokio::test]
async fn only_too_many_root_fields_get_a_502() {
    let host = Host::demo().await;
    host.sim
        .inject(Fault::always(FaultKind::TooMany { fields: 2 }));
    let reply = host
        .call("POST", "/graphql", close_batch(&host, &OPEN))
        .await;
    assert_eq!(reply.status, 502);
    assert!(closed(&host, &OPEN).is_empty());
    ask(&host, close_batch(&host, &OPEN[..2])).await;
    assert_eq!(closed(&host, &OPEN), [1, 2]);
    let fragments = "{ a1: viewer { login } ...F } fragment F on Query { a2: viewer { login } ... { a3: viewer { login } } }";
    let reply = host.graphql(fragments).await;
    assert_eq!(reply.status, 502);
    assert_eq!(host.get("/user").await.status, 200);
}

#[tokio::test]
async fn a_refused_request_can_be_applied() {
    let host = Host::demo().await;
    host.sim
        .inject(Fault::once(FaultKind::Status502Html).applied());
    let reply = host
        .call("POST", "/graphql", close_batch(&host, &OPEN))
        .await;
    assert_eq!(reply.status, 502);
    assert_eq!(closed(&host, &OPEN), OPEN);
    assert_eq!(
        host.sim.requests()[0].applied_fields,
        ["a1", "a2", "a3"],
        "the log knows"
    );
    host.sim
        .inject(Fault::once(FaultKind::Status500).applied().on_rest());
    let comment = json!({ "body": "hello" });
    let reply = host
        .call("POST", "/repos/acme/rocket/issues/1/comments", comment)
        .await;
    assert_eq!(reply.status, 500);
    assert!(host.sim.requests()[1].applied);
}

#[tokio::test]
async fn the_delay_grows_with_the_root_fields() {
    let host = Host::demo().await;
    host.sim
        .inject(Fault::always(FaultKind::SlowPerField { ms: 30 }));
    let start = Instant::now();
    ask(&host, view_batch(&OPEN)).await;
    assert!(start.elapsed() >= Duration::from_millis(90));
}

#[tokio::test]
async fn the_third_request_is_refused() {
    let host = Host::demo().await;
    let limited = FaultKind::Status403Secondary {
        retry_after: Some(1),
    };
    host.sim
        .inject(Fault::once(limited).on_graphql().on_writes().after(2));
    let mut statuses = Vec::new();
    for number in [1, 2, 3, 7] {
        query(&host, "{ viewer { login } }").await;
        let reply = host
            .call("POST", "/graphql", close_batch(&host, &[number]))
            .await;
        statuses.push(reply.status);
    }
    assert_eq!(statuses, [200, 200, 403, 200]);
}

#[tokio::test]
async fn a_fault_can_select_an_alias() {
    let host = Host::demo().await;
    host.sim
        .inject(Fault::once(FaultKind::Status503).named("a3"));
    ask(&host, view_batch(&OPEN[..2])).await;
    let reply = host.call("POST", "/graphql", view_batch(&OPEN)).await;
    assert_eq!(reply.status, 503);
}

#[tokio::test]
async fn batch_faults_can_be_injected_over_http() {
    let host = Host::demo().await;
    let faults = json!([
        { "kind": "cut_after_writes", "writes": 1, "then": "status_502" },
        { "kind": "graphql_error", "type": "X", "message": "x", "path": ["query", "a1", 0], "applied": true },
        { "kind": "pathless_error", "type": "X", "message": "x", "name": "a9" },
        { "kind": "root_failure", "name": "a1", "after": 3 },
        { "kind": "slow_per_field", "ms": 5 },
        { "kind": "too_many", "fields": 20, "times": null },
    ]);
    let reply = host.call("POST", "/_sim/faults", faults).await;
    assert_eq!(reply.json(), json!({ "injected": 6 }));
    let waiting = host.get("/_sim/faults").await.json();
    assert_eq!(waiting[0]["then"], "status_502");
    assert_eq!(waiting[1]["applied"], true);
    assert_eq!(waiting[3]["after"], 3);
    for wrong in [
        json!({ "kind": "cut_after_writes", "writes": 1, "then": "explode" }),
        json!({ "kind": "root_failure", "name": "a1", "after": -1 }),
        json!({ "kind": "root_failure", "name": "a1", "applied": "yes" }),
        json!({ "kind": "too_many" }),
    ] {
        let reply = host.call("POST", "/_sim/faults", wrong.clone()).await;
        assert_eq!(reply.status, 422, "{wrong}");
    }
    let reply = host
        .call("POST", "/graphql", close_batch(&host, &OPEN))
        .await;
    assert_eq!(reply.status, 502);
    assert_eq!(closed(&host, &OPEN), [1]);
}

fn cut(writes: usize, then: Cut) -> Fault {
    Fault::once(FaultKind::CutAfterWrites { writes, then })
}
