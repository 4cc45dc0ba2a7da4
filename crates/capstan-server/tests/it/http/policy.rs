//! What may not be done by running it may not be done over HTTP either.

use capstan_engine::Policy;

use super::world::{Served, Setup};

async fn under(policy: Policy) -> Served {
    Served::with(Setup {
        policy,
        ..Setup::default()
    })
    .await
}

#[tokio::test]
async fn a_server_that_only_reads_changes_nothing() {
    let served = under(Policy {
        read_only: true,
        ..Policy::default()
    })
    .await;
    let added = served.relate("issue.view", "pr.view", "sequence").await;
    assert_eq!(added.status, 403);
    assert_eq!(
        added.error(),
        (
            "POLICY".to_owned(),
            "dep.add is not allowed here: it writes, and only reads are allowed".to_owned()
        )
    );
    let removed = served
        .ask("DELETE /api/capabilities/issue.view/dependencies/pr.view")
        .await;
    assert_eq!(removed.status, 403);
    let list = served
        .json("/api/capabilities/issue.view/dependencies")
        .await;
    assert_eq!(list["total"], 0);
}

#[tokio::test]
async fn what_is_denied_is_not_done() {
    let served = under(Policy {
        deny: vec!["dep.remove".to_owned()],
        ..Policy::default()
    })
    .await;
    assert_eq!(
        served
            .relate("issue.view", "pr.view", "sequence")
            .await
            .status,
        201
    );
    let removed = served
        .ask("DELETE /api/capabilities/issue.view/dependencies/pr.view")
        .await;
    assert_eq!(removed.status, 403);
    assert!(removed.error().1.contains("the policy denies `dep.remove`"));
    let list = served
        .json("/api/capabilities/issue.view/dependencies")
        .await;
    assert_eq!(list["total"], 1);

    let served = under(Policy {
        allow: vec![vec!["issue.*".to_owned()]],
        ..Policy::default()
    })
    .await;
    assert_eq!(
        served
            .relate("issue.view", "pr.view", "sequence")
            .await
            .status,
        403
    );
}

#[tokio::test]
async fn what_may_not_be_looked_at_is_not_shown() {
    let served = under(Policy {
        deny: ["dep.list", "dep.show", "graph.*"]
            .map(str::to_owned)
            .into(),
        ..Policy::default()
    })
    .await;
    let made = served.relate("issue.view", "pr.view", "sequence").await;
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
        // Whoever has an answer already is not told that it still holds.
        for headers in [&[][..], &[("If-None-Match", "*")]] {
            let reply = served.ask_with(&format!("GET {path}"), headers).await;
            assert_eq!(reply.status, 403, "{path}: {reply:?}");
            let (code, message) = reply.error();
            assert_eq!(code, "POLICY");
            let refused = format!("{id} is not allowed here");
            assert!(message.starts_with(&refused), "{path}: {message}");
        }
    }
}
