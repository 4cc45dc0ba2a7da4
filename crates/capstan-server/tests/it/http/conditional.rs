//! Whoever has an answer already is not sent it again, and whoever has an old one is.

use std::sync::Arc;

use capstan_store::SqliteStore;
use tokio::task::JoinSet;

use super::client::{Reply, ask};
use super::world::{Served, Setup};

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

async fn if_none_match(served: &Served, path: &str, tags: &str) -> Reply {
    let request = format!("GET {path}");
    served.ask_with(&request, &[("If-None-Match", tags)]).await
}

#[tokio::test]
async fn every_answer_has_a_strong_validator_that_stays_while_nothing_changes() {
    let served = Served::related().await;
    for path in READS {
        let first = served.get(path).await;
        assert_eq!(first.status, 200, "{path}");
        assert_eq!(first.header("cache-control"), Some("no-cache"), "{path}");
        let tag = first.header("etag").unwrap().to_owned();
        assert!(
            tag.starts_with('"') && tag.ends_with('"') && tag.len() > 10,
            "{tag}"
        );
        assert_eq!(served.get(path).await.header("etag"), Some(&*tag), "{path}");
        for tags in [
            tag.clone(),
            format!("W/{tag}"),
            format!("\"other\", {tag}"),
            format!("\"a,b\",W/\"c\" , W/{tag},\"d\""),
            "*".to_owned(),
        ] {
            let again = if_none_match(&served, path, &tags).await;
            assert_eq!(again.status, 304, "{path} {tags}");
            assert_eq!(again.body, "", "{path}");
            assert_eq!(again.header("etag"), Some(&*tag), "{path}");
            assert_eq!(again.header("cache-control"), Some("no-cache"), "{path}");
        }
        for tags in ["\"other\"", "", "W/\"\"", tag.trim_matches('"')] {
            let again = if_none_match(&served, path, tags).await;
            assert_eq!(
                (again.status, &again.body),
                (200, &first.body),
                "{path} {tags}"
            );
        }
    }
}

#[tokio::test]
async fn a_head_is_the_answer_without_its_body() {
    let served = Served::related().await;
    for path in READS {
        let whole = served.get(path).await;
        let head = served.ask(&format!("HEAD {path}")).await;
        assert_eq!((head.status, &*head.body), (200, ""), "{path}");
        let length = whole.body.len().to_string();
        assert_eq!(head.header("content-length"), Some(&*length), "{path}");
        for name in ["etag", "content-type", "cache-control", "content-length"] {
            assert_eq!(head.header(name), whole.header(name), "{path} {name}");
        }
        let tag = whole.header("etag").unwrap();
        let request = format!("HEAD {path}");
        let known = served.ask_with(&request, &[("if-none-match", tag)]).await;
        assert_eq!((known.status, &*known.body), (304, ""), "{path}");
    }
    let missing = served.ask("HEAD /nowhere").await;
    assert_eq!((missing.status, &*missing.body), (404, ""));
}

#[tokio::test]
async fn a_change_of_relations_changes_it_and_undoing_brings_it_back() {
    let served = Served::related().await;
    let paths = [
        "/api/capabilities?domain=issue",
        "/api/capabilities/issue.view/dependencies",
        "/api/graph/hypergraph",
        "/api/graph/snapshot",
        "/api/graph/snapshot?limit=1",
        "/api/graph/neighbors?capability=issue.view",
    ];
    for path in paths {
        let before = served.get(path).await;
        let tag = before.header("etag").unwrap();
        served
            .relate("issue.view", "issue.list", "dependency")
            .await;
        let after = if_none_match(&served, path, tag).await;
        assert_eq!(after.status, 200, "{path}");
        assert_ne!(after.body, before.body, "{path}");
        assert_ne!(after.header("etag"), Some(tag), "{path}");
        // The same relation, seen once more.
        served
            .relate("issue.view", "issue.list", "dependency")
            .await;
        let again = served.get(path).await;
        if again.body != after.body {
            assert_ne!(again.header("etag"), after.header("etag"), "{path}");
        }
        let removed = served
            .ask("DELETE /api/capabilities/issue.view/dependencies/issue.list")
            .await;
        assert_eq!(removed.status, 200);
        assert_eq!(
            if_none_match(&served, path, tag).await.status,
            304,
            "{path}"
        );
    }
}

#[tokio::test]
async fn different_questions_have_different_validators() {
    let served = Served::related().await;
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
        let reply = served.get(&format!("/api/graph/snapshot{query}")).await;
        tags.push(reply.header("etag").unwrap().to_owned());
    }
    let all = tags.len();
    tags.sort();
    tags.dedup();
    assert_eq!(tags.len(), all);
    // The same question in other words.
    let [one, other] = [
        "?type=sequence,contains&limit=5",
        "?limit=5&edge_type=contains,sequence",
    ];
    let one = served.get(&format!("/api/graph/snapshot{one}")).await;
    let other = served.get(&format!("/api/graph/snapshot{other}")).await;
    assert_eq!(one.header("etag"), other.header("etag"));
}

#[tokio::test]
async fn another_server_on_the_same_store_has_the_same_validators() {
    let store = Arc::new(SqliteStore::in_memory());
    let setup = || Setup {
        store: Some(Arc::clone(&store)),
        ..Setup::default()
    };
    let (one, other) = (Served::with(setup()).await, Served::with(setup()).await);
    one.relate("issue.list", "issue.view", "sequence").await;
    other.relate("issue.view", "issue.close", "sequence").await;
    one.relate("pr.list", "pr.view", "contains").await;
    for path in READS {
        let here = one.get(path).await;
        let there = if_none_match(&other, path, here.header("etag").unwrap()).await;
        assert_eq!(there.status, 304, "{path}");
    }
}

#[tokio::test]
async fn errors_and_writes_have_no_validator() {
    let served = Served::related().await;
    for request in [
        "GET /nowhere",
        "GET /api/graph/path?from=issue.close&to=pr.view",
        "DELETE /api/capabilities/issue.list/dependencies/issue.view",
        "POST /",
    ] {
        let reply = served.ask_with(request, &[("if-none-match", "*")]).await;
        assert_ne!(reply.status, 304, "{request}");
        assert_eq!(reply.header("etag"), None, "{request}");
        assert_ne!(reply.body, "", "{request}");
    }
}

const ONE: &str = "/api/capabilities/issue.list/dependencies/issue.view";

async fn if_match(served: &Served, request: &str, tags: &str) -> Reply {
    let body = if request.starts_with("POST") {
        r#"{"to_capability_id":"issue.view","edge_type":"contains"}"#
    } else {
        ""
    };
    let headers = [("If-Match", tags), ("content-type", "application/json")];
    ask(served.address, request, &headers, body.as_bytes()).await
}

#[tokio::test]
async fn a_relation_is_changed_only_while_it_is_what_was_seen() {
    let served = Served::related().await;
    let post = "POST /api/capabilities/issue.list/dependencies";
    let delete = &format!("DELETE {ONE}");
    let seen = served.get(ONE).await.header("etag").unwrap().to_owned();
    for tags in [
        "\"other\"",
        "",
        &*format!("W/{seen}"),
        seen.trim_matches('"'),
    ] {
        for request in [post, delete] {
            let reply = if_match(&served, request, tags).await;
            assert_eq!(reply.status, 412, "{request} {tags}: {reply:?}");
            let (code, message) = reply.error();
            assert_eq!(code, "CONFLICT");
            assert!(message.contains("`If-Match`"), "{message}");
        }
    }
    assert_eq!(served.get(ONE).await.header("etag"), Some(&*seen));
    let changed = if_match(&served, post, &format!("\"x\", {seen}")).await;
    assert_eq!(changed.status, 200, "{changed:?}");
    assert_eq!(if_match(&served, delete, &seen).await.status, 412);
    assert_eq!(if_match(&served, delete, "*").await.status, 200);
    // What is not there is nothing that was seen.
    for request in [post, delete] {
        assert_eq!(if_match(&served, request, "*").await.status, 412);
    }
}

#[tokio::test]
async fn of_many_who_have_seen_the_same_one_gets_through() {
    let served = Arc::new(Served::related().await);
    for _ in 0..50 {
        let seen = served.get(ONE).await.header("etag").unwrap().to_owned();
        let mut asking = JoinSet::new();
        for _ in 0..8 {
            let (served, seen) = (Arc::clone(&served), seen.clone());
            let post = "POST /api/capabilities/issue.list/dependencies";
            asking.spawn(async move { if_match(&served, post, &seen).await.status });
        }
        let mut statuses = asking.join_all().await;
        statuses.sort_unstable();
        assert_eq!(statuses, [200, 412, 412, 412, 412, 412, 412, 412]);
    }
}
