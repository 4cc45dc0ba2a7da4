//! Every kind of fault, on reads and writes of both APIs: the client's view, and whether the world changed.

use std::io::ErrorKind;
use std::pin::pin;
use std::time::{Duration, Instant};

use github_sim::world::IssueRef;
use github_sim::{Fault, FaultKind};
use serde_json::{Value, json};
use tokio::io::AsyncReadExt as _;
use tokio::net::TcpStream;

use crate::client::{Host, write_request};

/// The result of a request as the client sees it.
#[derive(Debug, PartialEq, Eq)]
enum ClientResult {
    Status(u16),
    /// The connection was reset, or ended before the response was complete.
    Broken(ErrorKind),
}

/// Each kind, the result of a write over REST and over GraphQL, and whether the write is applied.
fn kinds() -> Vec<(FaultKind, ClientResult, ClientResult, bool)> {
    let both = |kind, status, applied| {
        (
            kind,
            ClientResult::Status(status),
            ClientResult::Status(status),
            applied,
        )
    };
    let broken = |kind, error, applied| {
        (
            kind,
            ClientResult::Broken(error),
            ClientResult::Broken(error),
            applied,
        )
    };
    vec![
        both(FaultKind::Status401, 401, false),
        (
            FaultKind::Status403Scope,
            ClientResult::Status(403),
            ClientResult::Status(200),
            false,
        ),
        both(
            FaultKind::Status403Secondary {
                retry_after: Some(60),
            },
            403,
            false,
        ),
        both(
            FaultKind::Status403Secondary { retry_after: None },
            403,
            false,
        ),
        both(
            FaultKind::Status429 {
                retry_after: Some(1),
            },
            429,
            false,
        ),
        both(FaultKind::Status500, 500, false),
        both(FaultKind::Status502Html, 502, false),
        both(FaultKind::Status503, 503, false),
        (
            FaultKind::PrimaryLimit { reset_in: 5 },
            ClientResult::Status(403),
            ClientResult::Status(200),
            false,
        ),
        broken(FaultKind::ResetBefore, ErrorKind::ConnectionReset, false),
        broken(FaultKind::ResetAfter, ErrorKind::ConnectionReset, true),
        broken(FaultKind::Truncated, ErrorKind::UnexpectedEof, true),
        (
            FaultKind::PartialError { field: None },
            ClientResult::Status(201),
            ClientResult::Status(200),
            true,
        ),
        both(FaultKind::Html200, 200, true),
        both(FaultKind::DataString, 200, true),
        both(FaultKind::Huge { bytes: 100_000 }, 200, true),
        both(FaultKind::NotJson, 200, true),
        (
            FaultKind::Latency { ms: 1 },
            ClientResult::Status(201),
            ClientResult::Status(200),
            true,
        ),
    ]
}

#[tokio::test]
async fn a_rest_write_is_applied_at_most_once_as_the_fault_specifies() {
    for (kind, expected, _, applied) in kinds() {
        let host = Host::demo().await;
        host.sim.inject(Fault::once(kind.clone()).on_writes());
        let path = "/repos/acme/rocket/issues/1/comments";
        let seen = see(host
            .send("POST", path, Some(json!({ "body": "once" })))
            .await
            .map(|r| r.status));
        assert_eq!(seen, expected, "{kind:?}");
        check(&host, applied, &kind);
        assert_eq!(
            host.get("/user").await.status,
            200,
            "{kind:?} must strike once"
        );
    }
}

#[tokio::test]
async fn a_graphql_write_is_applied_at_most_once_as_the_fault_specifies() {
    for (kind, _, expected, applied) in kinds() {
        let host = Host::demo().await;
        let body = comment_mutation(&host).await;
        host.sim.clear_requests();
        host.sim
            .inject(Fault::once(kind.clone()).on_graphql().named("addComment"));
        let seen = see(host
            .send("POST", "/graphql", Some(body))
            .await
            .map(|r| r.status));
        assert_eq!(seen, expected, "{kind:?}");
        check(&host, applied, &kind);
        assert_eq!(
            host.graphql("{ viewer { login } }").await.status,
            200,
            "{kind:?} must strike once"
        );
    }
}

#[tokio::test]
async fn a_hang_sends_no_response_and_applies_only_hang_after() {
    for (kind, applied) in [(FaultKind::HangBefore, false), (FaultKind::HangAfter, true)] {
        let host = Host::demo().await;
        host.sim.inject(Fault::once(kind.clone()));
        let body = json!({ "body": "x" });
        let mut send = pin!(host.send("POST", "/repos/acme/rocket/issues/1/comments", Some(body)));
        // The log entry appears once the request hangs. A response would win the race.
        tokio::select! {
            answer = &mut send => panic!("{kind:?} must not answer: {answer:?}"),
            () = until(|| host.sim.requests().iter().any(|seen| seen.applied == applied)) => {}
        }
        let late = tokio::time::timeout(Duration::from_millis(100), send).await;
        assert!(late.is_err(), "{kind:?} must not answer");
        let seen = host.sim.requests();
        assert_eq!(
            (seen.len(), seen[0].status, seen[0].applied),
            (1, None, applied),
            "{kind:?}"
        );
        assert_eq!(comments(&host), if applied { 4 } else { 3 });
        assert_eq!(host.get("/user").await.status, 200);
    }
}

#[tokio::test]
async fn a_hang_ends_when_the_server_stops() {
    let host = Host::demo().await;
    host.sim.inject(Fault::once(FaultKind::HangBefore));
    let mut stream = TcpStream::connect(host.address()).await.unwrap();
    write_request(
        &mut stream,
        "sim",
        "GET",
        "/user",
        &["authorization: token x"],
        None,
    )
    .await
    .unwrap();
    until(|| !host.sim.requests().is_empty()).await;
    drop(host);
    let ended = stream.read(&mut [0; 16]).await;
    assert!(matches!(ended, Ok(0) | Err(_)), "{ended:?}");
}

#[tokio::test]
async fn latency_delays_and_combines_with_other_faults() {
    let host = Host::demo().await;
    host.sim
        .inject(Fault::always(FaultKind::Latency { ms: 60 }));
    host.sim.inject(Fault::once(FaultKind::Status500));
    let start = Instant::now();
    assert_eq!(host.get("/user").await.status, 500);
    assert_eq!(host.get("/user").await.status, 200);
    assert!(start.elapsed() >= Duration::from_millis(120));
    host.sim
        .inject(Fault::always(FaultKind::Latency { ms: 3_600_000 }));
    host.sim.clear_faults();
    let prompt = tokio::time::timeout(Duration::from_secs(60), host.get("/user")).await;
    assert_eq!(prompt.expect("no delay is left").status, 200);
}

#[tokio::test]
async fn filters_select_requests_and_faults_expire() {
    let host = Host::demo().await;
    host.sim.inject(
        Fault::once(FaultKind::Status503)
            .on_rest()
            .on_reads()
            .named("/labels")
            .times(2),
    );
    let labels = "/repos/acme/rocket/labels";
    assert_eq!(host.get("/user").await.status, 200);
    assert_eq!(
        host.graphql("query labels { viewer { login } }")
            .await
            .status,
        200
    );
    assert_eq!(
        host.call("POST", labels, json!({ "name": "new" }))
            .await
            .status,
        201
    );
    let mut statuses = Vec::new();
    for _ in 0..3 {
        statuses.push(host.get(labels).await.status);
    }
    assert_eq!(statuses, [503, 503, 200]);

    host.sim
        .inject(Fault::always(FaultKind::Status500).named("Wanted"));
    assert_eq!(
        host.graphql("query Wanted { viewer { login } }")
            .await
            .status,
        500
    );
    assert_eq!(
        host.graphql("query Other { viewer { login } }")
            .await
            .status,
        200
    );
    assert_eq!(
        host.graphql("query Wanted { viewer { login } }")
            .await
            .status,
        500
    );
}

#[tokio::test]
async fn refusals_have_githubs_bodies_and_headers() {
    let host = Host::demo().await;
    let get = async |kind| {
        host.sim.inject(Fault::once(kind));
        host.get("/user").await
    };
    let reply = get(FaultKind::Status401).await;
    assert_eq!(reply.json()["message"], "Bad credentials");
    let reply = get(FaultKind::Status403Scope).await;
    assert_eq!(
        reply.json()["message"],
        "Resource not accessible by personal access token"
    );
    let reply = get(FaultKind::Status403Secondary {
        retry_after: Some(30),
    })
    .await;
    assert!(
        reply.json()["message"]
            .as_str()
            .unwrap()
            .contains("secondary rate limit")
    );
    assert_eq!(reply.header("retry-after"), Some("30"));
    assert_eq!(
        get(FaultKind::Status403Secondary { retry_after: None })
            .await
            .header("retry-after"),
        None
    );
    let reply = get(FaultKind::Status502Html).await;
    assert_eq!(
        reply.header("content-type"),
        Some("text/html; charset=utf-8")
    );
    let reply = get(FaultKind::PrimaryLimit { reset_in: 5 }).await;
    assert!(
        reply.json()["message"]
            .as_str()
            .unwrap()
            .contains("API rate limit exceeded")
    );
    assert_eq!(reply.header("x-ratelimit-remaining"), Some("0"));
    let reply = get(FaultKind::PartialError {
        field: Some("login".to_owned()),
    })
    .await;
    assert_eq!(
        (reply.json().get("login"), reply.json()["type"].as_str()),
        (None, Some("User"))
    );
    let reply = get(FaultKind::Huge { bytes: 2_000_000 }).await;
    assert!(reply.body.len() > 2_000_000 && reply.json().is_object());
    assert!(serde_json::from_slice::<Value>(&get(FaultKind::NotJson).await.body).is_err());
}

#[tokio::test]
async fn graphql_refusals_have_graphqls_format() {
    let host = Host::demo().await;
    let query = async |kind| {
        host.sim.inject(Fault::once(kind));
        host.graphql("{ viewer { login } }").await
    };
    let reply = query(FaultKind::Status403Scope).await.json();
    assert_eq!(reply["errors"][0]["type"], "INSUFFICIENT_SCOPES");
    assert!(reply.get("data").is_none() && reply["errors"][0].get("path").is_none());
    let limited = query(FaultKind::PrimaryLimit { reset_in: 5 }).await;
    assert_eq!(limited.json()["errors"][0]["type"], "RATE_LIMITED");
    assert_eq!(limited.header("x-ratelimit-remaining"), Some("0"));
    assert_eq!(
        query(FaultKind::DataString).await.json(),
        json!({ "data": "null" })
    );
    let error = |path| FaultKind::GraphqlError {
        error_type: "SERVICE_UNAVAILABLE".to_owned(),
        message: "try later".to_owned(),
        path,
    };
    let reply = query(error(None)).await.json();
    assert!(reply.get("data").is_none());
    let reply = query(error(Some(vec![json!("viewer")]))).await.json();
    assert_eq!(
        reply.get("data"),
        Some(&Value::Null),
        "a viewer is never null"
    );
    assert_eq!(reply["errors"][0]["path"], json!(["viewer"]));
    // The fault affects GraphQL only.
    host.sim.inject(Fault::once(error(None)));
    assert_eq!(host.get("/user").await.status, 200);
}

#[tokio::test]
async fn a_partial_graphql_response_lacks_one_nullable_field() {
    let host = Host::demo().await;
    let query = "{ repository(owner: \"acme\", name: \"rocket\") { issue(number: 1) { title author { login } } } }";
    let whole = host.graphql(query).await.json();
    host.sim
        .inject(Fault::once(FaultKind::PartialError { field: None }));
    let partial = host.graphql(query).await.json();
    assert_eq!(
        partial["errors"][0]["path"],
        json!(["repository", "issue", "author"])
    );
    let issue = &partial["data"]["repository"]["issue"];
    assert_eq!(
        issue["title"],
        whole["data"]["repository"]["issue"]["title"]
    );
    assert!(issue["author"].is_null() && !whole["data"]["repository"]["issue"]["author"].is_null());
}

async fn until(holds: impl Fn() -> bool) {
    while !holds() {
        tokio::task::yield_now().await;
    }
}

fn see(result: std::io::Result<u16>) -> ClientResult {
    match result {
        Ok(status) => ClientResult::Status(status),
        Err(error) => ClientResult::Broken(error.kind()),
    }
}

/// Checks that the log and the world agree on whether the comment was written.
fn check(host: &Host, applied: bool, kind: &FaultKind) {
    let seen = host.sim.requests();
    assert_eq!(seen.len(), 1, "{kind:?}");
    assert_eq!(seen[0].applied, applied, "{kind:?}");
    assert_eq!(comments(host), if applied { 4 } else { 3 }, "{kind:?}");
}

fn comments(host: &Host) -> usize {
    host.sim.world(|world| {
        let repo = world.find_repo("acme", "rocket").unwrap();
        world
            .issue_at(IssueRef { repo, number: 1 })
            .unwrap()
            .comments
            .len()
    })
}

async fn comment_mutation(host: &Host) -> Value {
    let issue = host.get("/repos/acme/rocket/issues/1").await.json();
    json!({
        "query": "mutation Say($id: ID!) { addComment(input: {subjectId: $id, body: \"once\"}) { commentEdge { node { id } } } }",
        "variables": { "id": issue["node_id"] },
    })
}
