//! Examples are adapted to the request.

use github_sim::Operation;
use serde_json::{Value, json};

use crate::client::Host;

#[tokio::test]
async fn values_of_the_path_are_reflected() {
    let host = Host::demo().await;
    let reply = host.get("/repos/acme/rocket/code-scanning/alerts/7").await;
    assert_eq!(reply.header("x-sim-answer"), Some("example"));
    let alert = reply.json();
    assert_eq!(alert["number"], 7);
    assert_eq!(
        alert["url"],
        "https://api.github.com/repos/acme/rocket/code-scanning/alerts/7"
    );
    assert_eq!(
        alert["html_url"],
        "https://github.com/acme/rocket/code-scanning/7"
    );

    let team = host.get("/orgs/acme/teams/core").await.json();
    assert_eq!(team["slug"], "core");
    assert_eq!(team["html_url"], "https://github.com/orgs/acme/teams/core");
    assert_eq!(team["organization"]["login"], "acme");

    let reference = host
        .get("/repos/acme/rocket/git/ref/heads/main")
        .await
        .json();
    assert_eq!(reference["ref"], "refs/heads/main");
    assert_eq!(
        reference["url"],
        "https://api.github.com/repos/acme/rocket/git/refs/heads/main"
    );

    let gist = host.get("/gists/abc123").await.json();
    assert_eq!(gist["id"], "abc123");
    assert_eq!(
        gist["comments_url"],
        "https://api.github.com/gists/abc123/comments"
    );
}

#[tokio::test]
async fn rows_of_a_list_keep_their_own_identity() {
    let host = Host::demo().await;
    let followers = host.get("/users/jonas-weber/followers").await.json();
    assert_eq!(followers[0]["login"], "octocat");
    assert_eq!(followers[0]["url"], "https://api.github.com/users/octocat");
    let parts = host
        .get("/repos/acme/rocket/issues/2/sub_issues")
        .await
        .json();
    let number = parts[0]["number"].as_u64().unwrap();
    assert_eq!(
        parts[0]["url"],
        format!("https://api.github.com/repos/acme/rocket/issues/{number}")
    );
}

#[tokio::test]
async fn sent_values_are_reflected_in_the_shape_of_the_answer() {
    let host = Host::demo().await;
    let hook =
        json!({ "config": { "url": "https://x.example" }, "events": ["issues"], "active": false });
    let made = host.call("POST", "/repos/acme/rocket/hooks", hook).await;
    assert_eq!(made.status, 201);
    let made = made.json();
    assert_eq!(made["active"], false);
    assert_eq!(made["events"], json!(["issues"]));
    assert_eq!(made["config"]["url"], "https://x.example");
    assert_eq!(made["config"]["content_type"], "json");

    let team = json!({ "name": "Core Team" });
    let team = host.call("POST", "/orgs/acme/teams", team).await.json();
    assert_eq!(
        (&team["name"], &team["slug"]),
        (&json!("Core Team"), &json!("core-team"))
    );

    let file = json!({ "message": "add", "content": "aGk=" });
    let path = "/repos/acme/rocket/contents/docs/a.txt";
    let file = host.call("PUT", path, file).await.json();
    assert_eq!(file["content"]["path"], "docs/a.txt");
    assert_eq!(file["content"]["name"], "a.txt");
}

#[tokio::test]
async fn a_new_repository_has_the_sent_name_and_the_right_owner() {
    let host = Host::demo().await;
    let check = |repo: &Value, owner: &str, name: &str| {
        assert_eq!(repo["full_name"], format!("{owner}/{name}"));
        assert_eq!(repo["name"], name);
        assert_eq!(repo["owner"]["login"], owner);
        assert_eq!(
            repo["html_url"],
            format!("https://github.com/{owner}/{name}")
        );
        assert_eq!(
            repo["url"],
            format!("https://api.github.com/repos/{owner}/{name}")
        );
    };
    let body = json!({ "name": "tools", "private": true });
    let own = host.call("POST", "/user/repos", body.clone()).await.json();
    check(&own, "maya-chen", "tools");
    assert_eq!(own["private"], true);
    let shared = host.call("POST", "/orgs/acme/repos", body).await.json();
    check(&shared, "acme", "tools");
    let fork = json!({ "organization": "jonas-weber" });
    let fork = host.call("POST", "/repos/acme/rocket/forks", fork).await;
    assert_eq!(fork.status, 202);
    check(&fork.json(), "jonas-weber", "rocket");
}

#[tokio::test]
async fn writes_are_logged_as_applied_and_reads_are_not() {
    let host = Host::demo().await;
    let team = json!({ "name": "Core" });
    host.call("POST", "/orgs/acme/teams", team.clone()).await;
    host.call("POST", "/markdown", json!({ "text": "*hi*" }))
        .await;
    host.get("/orgs/acme/teams").await;
    host.call("POST", "/orgs/acme/teams", json!({})).await;
    let seen = host.sim.requests();
    let facts: Vec<_> = seen.iter().map(|r| (r.status, r.applied)).collect();
    assert_eq!(
        facts,
        [
            (Some(201), true),
            (Some(200), false),
            (Some(200), false),
            (Some(422), false)
        ]
    );
    assert_eq!(seen[1].operation, Operation::Read);
}
