//! Answers that depend on what was asked before: switches, computed results, updates, entity tags.

use serde_json::json;

use crate::client::Host;

#[tokio::test]
async fn a_switch_is_off_until_it_is_put_and_after_it_is_deleted() {
    let host = Host::demo().await;
    for path in [
        "/user/starred/acme/rocket",
        "/user/following/jonas-weber",
        "/user/blocks/jonas-weber",
        "/gists/abc/star",
        "/repos/acme/rocket/vulnerability-alerts",
    ] {
        assert_eq!(host.get(path).await.status, 404, "{path}");
        for (method, status) in [("PUT", 204), ("DELETE", 404), ("PUT", 204)] {
            let changed = host.send(method, path, None).await.unwrap();
            assert_eq!(
                (changed.status, changed.body.len()),
                (204, 0),
                "{method} {path}"
            );
            assert_eq!(host.get(path).await.status, status, "{path}");
        }
    }
    assert_eq!(
        host.get("/users/maya-chen/following/jonas-weber")
            .await
            .status,
        204
    );
    assert_eq!(
        host.get("/users/maya-chen/following/akira-mori")
            .await
            .status,
        404
    );
}

#[tokio::test]
async fn memberships_come_from_the_world() {
    let host = Host::demo().await;
    assert_eq!(host.get("/orgs/acme/members/maya-chen").await.status, 204);
    assert_eq!(host.get("/orgs/acme/members/nobody").await.status, 404);
    assert_eq!(
        host.get("/repos/acme/rocket/collaborators/nobody")
            .await
            .status,
        404
    );
    let removed = host
        .send("DELETE", "/orgs/acme/members/maya-chen", None)
        .await;
    assert_eq!(removed.unwrap().status, 204);
    assert_eq!(host.get("/orgs/acme/members/maya-chen").await.status, 404);
}

#[tokio::test]
async fn a_computed_answer_is_ready_when_it_was_asked_for_often_enough() {
    let host = Host::demo().await;
    host.sim.world(|world| world.memory.ready_after = 2);
    let path = "/repos/acme/rocket/stats/contributors";
    for expected in [202, 202, 200, 200] {
        assert_eq!(host.get(path).await.status, expected);
    }
    assert_eq!(
        host.get("/repos/acme/rocket/stats/commit_activity")
            .await
            .status,
        202
    );

    let path = "/repos/acme/rocket/dependency-graph/sbom/fetch-report/0c6d9e2f";
    assert_eq!(host.get(path).await.status, 202);
    assert_eq!(host.get(path).await.status, 202);
    let ready = host.get(path).await;
    assert_eq!(ready.status, 302);
    let report = host.get_url(ready.header("location").unwrap()).await;
    assert_eq!(report.json()["sbom"]["spdxVersion"], "SPDX-2.3");
}

#[tokio::test]
async fn a_repeated_put_updates() {
    let host = Host::demo().await;
    let path = "/repos/acme/rocket/contents/a.txt";
    let create = json!({ "message": "add", "content": "aGk=" });
    assert_eq!(host.call("PUT", path, create).await.status, 201);
    let update = json!({ "message": "change", "content": "aGk=", "sha": "x" });
    assert_eq!(host.call("PUT", path, update).await.status, 200);
}

#[tokio::test]
async fn a_known_body_is_not_sent_again() {
    let host = Host::demo().await;
    for path in ["/repos/acme/rocket", "/repos/acme/rocket/hooks"] {
        let first = host.get(path).await;
        let tag = first.header("etag").unwrap().to_owned();
        assert!(tag.starts_with("W/\""), "{tag}");
        let used = first.header("x-ratelimit-used").map(str::to_owned);
        let known = format!("if-none-match: {tag}");
        let headers = ["authorization: Bearer x", &known];
        let again = host.send_with("GET", path, &headers, None).await.unwrap();
        assert_eq!((again.status, again.body.len()), (304, 0), "{path}");
        assert_eq!(again.header("etag"), Some(tag.as_str()));
        assert_eq!(again.header("x-ratelimit-used").map(str::to_owned), used);
        let headers = ["authorization: Bearer x", "if-none-match: \"other\""];
        let other = host.send_with("GET", path, &headers, None).await.unwrap();
        assert_eq!(other.status, 200);
    }
    let issue = "/repos/acme/rocket/issues/1";
    let before = host.get(issue).await;
    host.call("PATCH", issue, json!({ "title": "New" })).await;
    let after = host.get(issue).await;
    assert_ne!(before.header("etag"), after.header("etag"));
}
