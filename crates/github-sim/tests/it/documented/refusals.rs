//! What is refused: unknown repositories, missing tokens, wrong bodies, hostile paths.

use github_sim::{Fault, FaultKind};
use serde_json::json;

use crate::client::Host;

#[tokio::test]
async fn unknown_repositories_and_operations_are_not_found() {
    let host = Host::demo().await;
    for path in [
        "/repos/acme/nope/hooks",
        "/repos/nobody/rocket/hooks",
        "/user/starred/acme/nope",
        "/repos/acme/rocket/nothing",
        "/repos/acme/rocket/hooks/not-a-number",
        "/nothing",
    ] {
        let reply = host.get(path).await;
        assert_eq!(reply.status, 404, "{path}");
        assert_eq!(reply.json()["message"], "Not Found");
        assert_eq!(reply.header("x-sim-answer"), None);
    }
    let reply = host.send("PATCH", "/repos/acme/rocket/hooks", None).await;
    assert_eq!(reply.unwrap().status, 404);
}

#[tokio::test]
async fn tokens_limits_and_faults_apply() {
    let host = Host::demo().await;
    let path = "/repos/acme/rocket/hooks";
    let reply = host.send_with("GET", path, &[], None).await.unwrap();
    assert_eq!(reply.status, 401);
    let weak = host.get("/repos/acme/rocket/hooks").await;
    assert_eq!(weak.header("x-ratelimit-used"), Some("2"));
    host.sim.inject(Fault::once(FaultKind::Status503).on_rest());
    assert_eq!(host.get(path).await.status, 503);
    host.sim.world(|world| {
        let repo = world.find_repo("acme", "rocket").unwrap();
        world.repo_mut(repo).unwrap().archived = true;
    });
    let hook = json!({ "config": { "url": "https://x.example" } });
    let reply = host.call("POST", path, hook).await;
    assert_eq!(reply.status, 403);
    assert_eq!(host.get(path).await.status, 200);
}

#[tokio::test]
async fn wrong_inputs_are_named() {
    let host = Host::demo().await;
    let cases = [
        (
            "POST",
            "/repos/acme/rocket/git/refs",
            json!({}),
            "\"ref\", \"sha\" weren't supplied.",
        ),
        (
            "POST",
            "/repos/acme/rocket/git/refs",
            json!({ "ref": "refs/heads/x", "sha": 1 }),
            "For 'properties/sha', 1 is not a string.",
        ),
        (
            "PUT",
            "/repos/acme/rocket/topics",
            json!({ "names": [1] }),
            "For 'properties/names/items', 1 is not a string.",
        ),
        (
            "POST",
            "/orgs/acme/teams",
            json!({ "name": "x", "privacy": "open" }),
            "For 'properties/privacy', \"open\" is not a member of [\"secret\", \"closed\"].",
        ),
        (
            "DELETE",
            "/repos/acme/rocket/issues/1/sub_issue",
            json!({}),
            "\"sub_issue_id\" wasn't supplied.",
        ),
    ];
    for (method, path, body, expected) in cases {
        let reply = host.call(method, path, body).await;
        assert_eq!(reply.status, 422, "{path}");
        let message = reply.json()["message"].as_str().unwrap().to_owned();
        assert_eq!(message, format!("Invalid request.\n\n{expected}"), "{path}");
    }
    let missing = host.send("POST", "/repos/acme/rocket/git/refs", None).await;
    assert_eq!(missing.unwrap().status, 422);
    let search = host.get("/search/code").await;
    assert_eq!(search.status, 422);
    assert_eq!(
        search.json()["errors"],
        json!([{ "resource": "Search", "field": "q", "code": "missing" }])
    );
    let origin = host.server.url();
    let headers = ["authorization: Bearer x"];
    let reply = host
        .send_to(
            &origin,
            "POST",
            "/repos/acme/rocket/hooks",
            &headers,
            b"{oops",
        )
        .await;
    assert_eq!(reply.status, 400);
    assert_eq!(reply.json()["message"], "Problems parsing JSON");
}

#[tokio::test]
async fn a_body_on_delete_is_read() {
    let host = Host::demo().await;
    let body = json!({ "sub_issue_id": 7 });
    let reply = host
        .call("DELETE", "/repos/acme/rocket/issues/1/sub_issue", body)
        .await;
    assert_eq!(reply.status, 200);
}

#[tokio::test]
async fn hostile_paths_get_an_answer() {
    let host = Host::demo().await;
    let long = format!("/repos/acme/rocket/contents/{}", "a/".repeat(8000));
    let deep = format!("/repos/acme/rocket/git/ref/{}", "%2e%2e%2f".repeat(900));
    let paths = [
        "/repos/acme/rocket/git/ref/heads%2Fmain",
        "/repos/acme/rocket/branches/feature%2Fx/protection",
        "/repos/acme/rocket/git/ref/../../../../etc/passwd",
        "/repos/acme/rocket/git/ref/%2e%2e/%2e%2e",
        "/repos/acme%2Frocket/hooks",
        "/repos/../../rocket/hooks",
        "/repos//rocket//hooks",
        "/repos/acme/rocket/compare/...",
        "/repos/acme/rocket/compare/a...b...c",
        "/repos/acme/rocket/hooks/99999999999999999999999999",
        "/repos/acme/rocket/actions/jobs/18446744073709551615/logs",
        "/repos/acme/rocket/actions/runs/18446744073709551615/logs",
        "/repos/acme/rocket/issues/18446744073709551615/timeline",
        "/orgs/%00%ff%fe/teams",
        "/gists/%F0%9F%92%A9",
        "/users/%7Bname%7D/gists?per_page=0&page=18446744073709551615",
        "/users/x/gists?per_page=1&page=18446744073709551615",
        "/repos/acme/rocket/dependabot/alerts?after=Y3Vyc29yOjE4NDQ2NzQ0MDczNzA5NTUxNjE1",
        "/repos/acme/rocket/dependabot/alerts?before=Y3Vyc29yOjE4NDQ2NzQ0MDczNzA5NTUxNjE1&per_page=1",
        "/organizations?since=18446744073709551615",
        "/",
        "//",
        &long,
        &deep,
    ];
    for path in paths {
        for method in ["GET", "PUT", "DELETE"] {
            let reply = host.send(method, path, None).await;
            let status = reply.map(|reply| reply.status);
            assert!(
                status.as_ref().is_ok_and(|status| *status < 500),
                "{method} {}: {status:?}",
                &path[..path.len().min(80)]
            );
        }
    }
}
