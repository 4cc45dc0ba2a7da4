//! The request log of batches: root fields, which of them changed something, and which requests overlapped.

use github_sim::{Fault, FaultKind};
use serde_json::{Value, json};

use super::support::{
    OPEN, ask, close_batch, closed, disconnect_when, node_id, query, until, view_batch,
};
use crate::client::Host;

#[tokio::test]
async fn every_root_field_has_its_name_and_alias() {
    let host = Host::demo().await;
    query(
        &host,
        "{ b: viewer { login } meta { gitHubServicesSha } ... { c: viewer { login } ... on Query { d: viewer { id } } } ...F }
         fragment F on Query { a: viewer { id } b: viewer { id } }",
    )
    .await;
    let seen = &host.sim.requests()[0];
    assert_eq!(seen.aliases, ["b", "meta", "c", "d", "a"]);
    assert_eq!(
        seen.root_fields,
        ["viewer", "meta", "viewer", "viewer", "viewer"]
    );
    assert!(seen.has_root("a") && seen.has_root("meta") && !seen.has_root("login"));
}

#[tokio::test]
async fn the_log_names_the_root_fields_that_changed_something() {
    let host = Host::demo().await;
    // The second is already closed, the third does not exist.
    let mut request = close_batch(&host, &[1, 4, 2, 3]);
    let document = request["query"].as_str().unwrap();
    request["query"] = Value::from(document.replace(&node_id(&host, 2).to_string(), "\"I_nope\""));
    ask(&host, request).await;
    let seen = &host.sim.requests()[0];
    assert_eq!(seen.aliases, ["a1", "a2", "a3", "a4"]);
    assert_eq!(seen.applied_fields, ["a1", "a4"]);
    assert!(seen.applied);

    let reply = host.get("/_sim/requests").await.json();
    assert_eq!(reply[0]["applied_fields"], json!(["a1", "a4"]));
    assert_eq!(reply[0]["aliases"], json!(["a1", "a2", "a3", "a4"]));
}

#[tokio::test]
async fn sequential_requests_do_not_overlap() {
    let host = Host::demo().await;
    ask(&host, view_batch(&OPEN)).await;
    host.get("/user").await;
    ask(&host, view_batch(&OPEN)).await;
    let seen = host.sim.requests();
    let times: Vec<_> = seen
        .iter()
        .flat_map(|r| [Some(r.started), r.finished])
        .collect();
    assert!(
        times.is_sorted() && times.iter().all(Option::is_some),
        "{times:?}"
    );
    assert!(!seen[0].overlaps(&seen[1]) && !seen[2].overlaps(&seen[0]));
    assert!(seen[0].overlaps(&seen[0]));
}

#[tokio::test]
async fn concurrent_requests_overlap() {
    let host = Host::demo().await;
    host.sim
        .inject(Fault::once(FaultKind::HangAfter).on_graphql());
    let hung = host.send("POST", "/graphql", Some(view_batch(&OPEN)));
    tokio::select! {
        answer = hung => panic!("it must not answer: {answer:?}"),
        () = async {
            until(|| host.sim.requests().len() == 1).await;
            host.get("/user").await;
        } => {}
    }
    until(|| host.sim.requests()[0].finished.is_some()).await;
    host.get("/user").await;
    let seen = host.sim.requests();
    assert!(
        seen[0].overlaps(&seen[1]) && seen[1].overlaps(&seen[0]),
        "{seen:#?}"
    );
    assert!(!seen[0].overlaps(&seen[2]), "{seen:#?}");
}

#[tokio::test]
async fn a_request_finishes_when_its_connection_closes() {
    for kind in [FaultKind::ResetAfter, FaultKind::Truncated] {
        let host = Host::demo().await;
        host.sim.inject(Fault::once(kind.clone()));
        assert!(host.send("GET", "/user", None).await.is_err());
        assert!(host.sim.requests()[0].finished.is_some(), "{kind:?}");
    }
    for kind in [FaultKind::HangAfter, FaultKind::Latency { ms: 3_600_000 }] {
        let host = Host::demo().await;
        host.sim.inject(Fault::once(kind.clone()));
        let seen = || host.sim.requests().into_iter().next();
        disconnect_when(&host, view_batch(&OPEN), || {
            seen().is_some_and(|seen| seen.finished.is_none())
        })
        .await;
        // The client disconnects, and the server notices.
        until(|| seen().is_some_and(|seen| seen.finished.is_some())).await;
        assert_eq!(seen().unwrap().status, None);
    }
}

#[tokio::test]
async fn a_delayed_write_is_applied_even_if_the_client_disconnects() {
    let host = Host::demo().await;
    let late = FaultKind::Latency { ms: 3_600_000 };
    host.sim.inject(Fault::once(late));
    let applied = || host.sim.requests().iter().any(|seen| seen.applied);
    disconnect_when(&host, close_batch(&host, &OPEN), applied).await;
    assert_eq!(closed(&host, &OPEN), OPEN);
}
