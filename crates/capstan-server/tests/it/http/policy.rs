//! The policy of capabilities also applies to requests over HTTP.

use capstan_engine::Policy;

use super::server::{ServerSetup, TestServer};

async fn server_with(policy: Policy) -> TestServer {
    TestServer::with(ServerSetup {
        policy,
        ..ServerSetup::default()
    })
    .await
}

#[tokio::test]
async fn a_read_only_policy_refuses_changes() {
    let server = server_with(Policy {
        read_only: true,
        ..Policy::default()
    })
    .await;
    let added = server
        .add_relation("issue.view", "pr.view", "sequence")
        .await;
    assert_eq!(added.status, 403);
    assert_eq!(
        added.error(),
        (
            "POLICY".to_owned(),
            "dep.add is not allowed here: it writes, and only reads are allowed".to_owned()
        )
    );
    let removed = server
        .ask("DELETE /api/capabilities/issue.view/dependencies/pr.view")
        .await;
    assert_eq!(removed.status, 403);
    let list = server
        .json("/api/capabilities/issue.view/dependencies")
        .await;
    assert_eq!(list["total"], 0);
}

#[tokio::test]
async fn denied_actions_are_refused() {
    let server = server_with(Policy {
        deny: vec!["dep.remove".to_owned()],
        ..Policy::default()
    })
    .await;
    assert_eq!(
        server
            .add_relation("issue.view", "pr.view", "sequence")
            .await
            .status,
        201
    );
    let removed = server
        .ask("DELETE /api/capabilities/issue.view/dependencies/pr.view")
        .await;
    assert_eq!(removed.status, 403);
    assert!(removed.error().1.contains("the policy denies `dep.remove`"));
    let list = server
        .json("/api/capabilities/issue.view/dependencies")
        .await;
    assert_eq!(list["total"], 1);

    let server = server_with(Policy {
        allow: vec![vec!["issue.*".to_owned()]],
        ..Policy::default()
    })
    .await;
    assert_eq!(
        server
            .add_relation("issue.view", "pr.view", "sequence")
            .await
            .status,
        403
    );
}

#[tokio::test]
async fn denied_reads_are_refused() {
    let server = server_with(Policy {
        deny: ["dep.list", "dep.show", "graph.*"]
            .map(str::to_owned)
            .into(),
        ..Policy::default()
    })
    .await;
    let made = server
        .add_relation("issue.view", "pr.view", "sequence")
        .await;
    assert_eq!(made.status, 201);
    for (path, id) in [
        ("/api/capabilities/issue.view/dependencies", "dep.list"),
        (
            "/api/capabilities/issue.view/dependencies/pr.view",
            "dep.show",
        ),
        ("/api/graph/snapshot", "graph.snapshot"),
        ("/api/graph/hypergraph", "graph.snapshot"),
        ("/api/graph/path?from=issue.view&to=pr.view", "graph.path"),
        (
            "/api/graph/neighbors?capability=issue.view",
            "graph.neighbors",
        ),
    ] {
        // A conditional request must not reveal whether the client's copy is current.
        for headers in [&[][..], &[("If-None-Match", "*")]] {
            let reply = server.ask_with(&format!("GET {path}"), headers).await;
            assert_eq!(reply.status, 403, "{path}: {reply:?}");
            let (code, message) = reply.error();
            assert_eq!(code, "POLICY");
            let refused = format!("{id} is not allowed here");
            assert!(message.starts_with(&refused), "{path}: {message}");
        }
    }
}
