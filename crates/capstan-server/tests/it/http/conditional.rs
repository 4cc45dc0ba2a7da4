//! Conditional requests: `If-None-Match` and `If-Match`.

use std::sync::Arc;

use capstan_store::SqliteStore;
use tokio::task::JoinSet;

use super::client::{Reply, ask};
use super::server::{ServerSetup, TestServer};

const READS: [&str; 9] = [
    "/",
    "/health",
    "/api/capabilities",
    "/api/capabilities/issue.view/dependencies",
    "/api/graph/hypergraph",
    "/api/graph/snapshot",
    "/api/graph/path?from=issue.list&to=issue.close",
    "/api/graph/neighbors?capability=issue.view",
    "/api/search?q=close+an+issue",
];

async fn if_none_match(server: &TestServer, path: &str, tags: &str) -> Reply {
    let request = format!("GET {path}");
    server.ask_with(&request, &[("If-None-Match", tags)]).await
}

#[tokio::test]
async fn every_response_has_a_strong_etag_that_is_stable() {
    let server = TestServer::with_relations().await;
    for path in READS {
        let first = server.get(path).await;
        assert_eq!(first.status, 200, "{path}");
        assert_eq!(first.header("cache-control"), Some("no-cache"), "{path}");
        let tag = first.header("etag").unwrap().to_owned();
        assert!(
            tag.starts_with('"') && tag.ends_with('"') && tag.len() > 10,
            "{tag}"
        );
        assert_eq!(server.get(path).await.header("etag"), Some(&*tag), "{path}");
        for tags in [
            tag.clone(),
            format!("W/{tag}"),
            format!("\"other\", {tag}"),
            format!("\"a,b\",W/\"c\" , W/{tag},\"d\""),
            "*".to_owned(),
        ] {
            let again = if_none_match(&server, path, &tags).await;
            assert_eq!(again.status, 304, "{path} {tags}");
            assert_eq!(again.body, "", "{path}");
            assert_eq!(again.header("etag"), Some(&*tag), "{path}");
            assert_eq!(again.header("cache-control"), Some("no-cache"), "{path}");
        }
        for tags in ["\"other\"", "", "W/\"\"", tag.trim_matches('"')] {
            let again = if_none_match(&server, path, tags).await;
            assert_eq!(
                (again.status, &again.body),
                (200, &first.body),
                "{path} {tags}"
            );
        }
    }
}

#[tokio::test]
async fn head_returns_the_headers_of_get() {
    let server = TestServer::with_relations().await;
    for path in READS {
        let whole = server.get(path).await;
        let head = server.ask(&format!("HEAD {path}")).await;
        assert_eq!((head.status, &*head.body), (200, ""), "{path}");
        let length = whole.body.len().to_string();
        assert_eq!(head.header("content-length"), Some(&*length), "{path}");
        for name in ["etag", "content-type", "cache-control", "content-length"] {
            assert_eq!(head.header(name), whole.header(name), "{path} {name}");
        }
        let tag = whole.header("etag").unwrap();
        let request = format!("HEAD {path}");
        let known = server.ask_with(&request, &[("if-none-match", tag)]).await;
        assert_eq!((known.status, &*known.body), (304, ""), "{path}");
    }
    let missing = server.ask("HEAD /nowhere").await;
    assert_eq!((missing.status, &*missing.body), (404, ""));
}

#[tokio::test]
async fn changing_a_relation_changes_the_etag_and_undoing_restores_it() {
    let server = TestServer::with_relations().await;
    let paths = [
        "/api/capabilities?domain=issue",
        "/api/capabilities/issue.view/dependencies",
        "/api/graph/hypergraph",
        "/api/graph/snapshot",
        "/api/graph/snapshot?limit=1",
        "/api/graph/neighbors?capability=issue.view",
    ];
    for path in paths {
        let before = server.get(path).await;
        let tag = before.header("etag").unwrap();
        server
            .add_relation("issue.view", "issue.list", "dependency")
            .await;
        let after = if_none_match(&server, path, tag).await;
        assert_eq!(after.status, 200, "{path}");
        assert_ne!(after.body, before.body, "{path}");
        assert_ne!(after.header("etag"), Some(tag), "{path}");
        // The same relation, observed once more.
        server
            .add_relation("issue.view", "issue.list", "dependency")
            .await;
        let again = server.get(path).await;
        if again.body != after.body {
            assert_ne!(again.header("etag"), after.header("etag"), "{path}");
        }
        let removed = server
            .ask("DELETE /api/capabilities/issue.view/dependencies/issue.list")
            .await;
        assert_eq!(removed.status, 200);
        assert_eq!(
            if_none_match(&server, path, tag).await.status,
            304,
            "{path}"
        );
    }
}

#[tokio::test]
async fn different_queries_have_different_etags() {
    let server = TestServer::with_relations().await;
    let mut tags = Vec::new();
    for query in [
        "",
        "?limit=1",
        "?limit=2",
        "?prefix=issue.",
        "?type=sequence",
        "?source=manual",
        "?min_confidence=0.5",
    ] {
        let reply = server.get(&format!("/api/graph/snapshot{query}")).await;
        tags.push(reply.header("etag").unwrap().to_owned());
    }
    let all = tags.len();
    tags.sort();
    tags.dedup();
    assert_eq!(tags.len(), all);
    // The same query in another notation.
    let one = server
        .get("/api/graph/snapshot?type=sequence,contains&limit=5")
        .await;
    let other = server
        .get("/api/graph/snapshot?limit=5&edge_type=contains,sequence")
        .await;
    assert_eq!(one.header("etag"), other.header("etag"));
}

#[tokio::test]
async fn servers_on_the_same_store_have_the_same_etags() {
    let store = Arc::new(SqliteStore::in_memory());
    let setup = || ServerSetup {
        store: Some(Arc::clone(&store)),
        ..ServerSetup::default()
    };
    let (one, other) = (
        TestServer::with(setup()).await,
        TestServer::with(setup()).await,
    );
    one.add_relation("issue.list", "issue.view", "sequence")
        .await;
    other
        .add_relation("issue.view", "issue.close", "sequence")
        .await;
    one.add_relation("pr.list", "pr.view", "contains").await;
    for path in READS {
        let here = one.get(path).await;
        let there = if_none_match(&other, path, here.header("etag").unwrap()).await;
        assert_eq!(there.status, 304, "{path}");
    }
}

#[tokio::test]
async fn errors_and_writes_have_no_etag() {
    let server = TestServer::with_relations().await;
    for request in [
        "GET /nowhere",
        "GET /api/graph/path?from=issue.close&to=pr.view",
        "DELETE /api/capabilities/issue.list/dependencies/issue.view",
        "POST /",
    ] {
        let reply = server.ask_with(request, &[("if-none-match", "*")]).await;
        assert_ne!(reply.status, 304, "{request}");
        assert_eq!(reply.header("etag"), None, "{request}");
        assert_ne!(reply.body, "", "{request}");
    }
}

/// A relation that exists.
const RELATION: &str = "/api/capabilities/issue.list/dependencies/issue.view";

async fn if_match(server: &TestServer, request: &str, tags: &str) -> Reply {
    let body = if request.starts_with("POST") {
        r#"{"to_capability_id":"issue.view","edge_type":"contains"}"#
    } else {
        ""
    };
    let headers = [("If-Match", tags), ("content-type", "application/json")];
    ask(server.address, request, &headers, body.as_bytes()).await
}

#[tokio::test]
async fn if_match_protects_against_lost_updates() {
    let server = TestServer::with_relations().await;
    let post = "POST /api/capabilities/issue.list/dependencies";
    let delete = &format!("DELETE {RELATION}");
    let seen = server
        .get(RELATION)
        .await
        .header("etag")
        .unwrap()
        .to_owned();
    for tags in [
        "\"other\"",
        "",
        &*format!("W/{seen}"),
        seen.trim_matches('"'),
    ] {
        for request in [post, delete] {
            let reply = if_match(&server, request, tags).await;
            assert_eq!(reply.status, 412, "{request} {tags}: {reply:?}");
            let (code, message) = reply.error();
            assert_eq!(code, "CONFLICT");
            assert!(message.contains("`If-Match`"), "{message}");
        }
    }
    assert_eq!(server.get(RELATION).await.header("etag"), Some(&*seen));
    let changed = if_match(&server, post, &format!("\"x\", {seen}")).await;
    assert_eq!(changed.status, 200, "{changed:?}");
    assert_eq!(if_match(&server, delete, &seen).await.status, 412);
    assert_eq!(if_match(&server, delete, "*").await.status, 200);
    // `*` does not match a relation that does not exist.
    for request in [post, delete] {
        assert_eq!(if_match(&server, request, "*").await.status, 412);
    }
}

#[tokio::test]
async fn only_one_of_many_concurrent_conditional_writes_succeeds() {
    let server = Arc::new(TestServer::with_relations().await);
    for _ in 0..50 {
        let seen = server
            .get(RELATION)
            .await
            .header("etag")
            .unwrap()
            .to_owned();
        let mut asking = JoinSet::new();
        for _ in 0..8 {
            let (server, seen) = (Arc::clone(&server), seen.clone());
            let post = "POST /api/capabilities/issue.list/dependencies";
            asking.spawn(async move { if_match(&server, post, &seen).await.status });
        }
        let mut statuses = asking.join_all().await;
        statuses.sort_unstable();
        assert_eq!(statuses, [200, 412, 412, 412, 412, 412, 412, 412]);
    }
}
