//! Media types other than JSON.

use serde_json::json;

use crate::client::{Host, Reply};

#[tokio::test]
async fn pull_requests_and_commits_are_diffs_and_patches() {
    let host = Host::demo().await;
    let pull = "/repos/acme/rocket/pulls/27";
    let files = host.get(&format!("{pull}/files")).await.json();
    let diff = get(&host, pull, "application/vnd.github.v3.diff").await;
    assert_eq!(
        diff.header("content-type"),
        Some("application/vnd.github.v3.diff; charset=utf-8")
    );
    let text = diff.text();
    for file in files.as_array().unwrap() {
        let path = file["filename"].as_str().unwrap();
        assert!(
            text.contains(&format!("diff --git a/{path} b/{path}\n")),
            "{text}"
        );
    }
    let added = text.lines().filter(|line| line.starts_with("+new")).count();
    let expected: u64 = files
        .as_array()
        .unwrap()
        .iter()
        .filter_map(|f| f["additions"].as_u64())
        .sum();
    assert_eq!(u64::try_from(added).unwrap(), expected);
    let patch = get(&host, pull, "application/vnd.github.patch")
        .await
        .text();
    assert!(patch.starts_with("From "), "{patch}");

    let commits = host.get("/repos/acme/rocket/commits").await.json();
    let sha = commits[0]["sha"].as_str().unwrap();
    let commit = format!("/repos/acme/rocket/commits/{sha}");
    assert_eq!(
        get(&host, &commit, "application/vnd.github.sha")
            .await
            .text(),
        sha
    );
    assert!(
        get(&host, &commit, "application/vnd.github.diff")
            .await
            .text()
            .starts_with("diff")
    );
    let compared = "/repos/acme/rocket/compare/main...some-branch";
    let compared = get(&host, compared, "application/vnd.github.diff").await;
    assert!(compared.text().starts_with("diff --git "));
}

#[tokio::test]
async fn texts_are_raw_or_html() {
    let host = Host::demo().await;
    let raw = get(
        &host,
        "/repos/acme/rocket/readme",
        "application/vnd.github.raw+json",
    )
    .await;
    assert!(raw.text().starts_with('#'), "{}", raw.text());
    assert!(
        raw.header("content-type")
            .unwrap()
            .starts_with("application/vnd.github.raw")
    );
    let html = get(
        &host,
        "/repos/acme/rocket/readme",
        "application/vnd.github.html",
    )
    .await;
    assert!(html.text().contains("markdown-body"));

    let issue = get(
        &host,
        "/repos/acme/rocket/issues/1",
        "application/vnd.github.full+json",
    )
    .await
    .json();
    for field in ["body", "body_text", "body_html"] {
        assert!(issue[field].is_string(), "{field}");
    }
    let issues = get(
        &host,
        "/repos/acme/rocket/issues",
        "application/vnd.github.html+json",
    )
    .await
    .json();
    assert!(issues[0]["body_html"].is_string() && issues[0]["body"].is_null());
    let template = get(
        &host,
        "/gitignore/templates/C",
        "application/vnd.github.raw+json",
    )
    .await;
    assert!(!template.text().starts_with('{'), "{}", template.text());
}

#[tokio::test]
async fn other_representations_have_their_own_shape() {
    let host = Host::demo().await;
    let stars = get(&host, "/user/starred", "application/vnd.github.star+json")
        .await
        .json();
    assert!(stars[0]["starred_at"].is_string() && stars[0]["repo"].is_object());
    let people = "/repos/acme/rocket/stargazers";
    let people = get(&host, people, "application/vnd.github.v3.star+json")
        .await
        .json();
    assert!(people[0]["starred_at"].is_string() && people[0]["user"].is_object());
    let analysis = "/repos/acme/rocket/code-scanning/analyses/1";
    let sarif = get(&host, analysis, "application/sarif+json").await;
    assert_eq!(sarif.header("content-type"), Some("application/sarif+json"));
    assert!(sarif.json()["runs"].is_array());
    assert!(host.get(analysis).await.json()["runs"].is_null());
}

#[tokio::test]
async fn a_diff_of_something_else_is_refused() {
    let host = Host::demo().await;
    for path in ["/repos/acme/rocket/hooks", "/repos/acme/rocket/issues/1"] {
        let reply = host.send_with(
            "GET",
            path,
            &[
                "authorization: Bearer x",
                "accept: application/vnd.github.diff",
            ],
            None,
        );
        assert_eq!(reply.await.unwrap().status, 415, "{path}");
    }
}

#[tokio::test]
async fn texts_of_the_api_itself_are_not_json() {
    let host = Host::demo().await;
    let zen = host.get("/zen").await;
    assert!(
        zen.header("content-type")
            .unwrap()
            .starts_with("text/plain")
    );
    assert!(host.get("/octocat").await.text().contains("MMM"));
    let rendered = host
        .call("POST", "/markdown", json!({ "text": "a <b>" }))
        .await;
    assert_eq!(
        rendered.header("content-type"),
        Some("text/html; charset=utf-8")
    );
    assert_eq!(rendered.text(), "<p>a &lt;b&gt;</p>\n");
    let headers = ["authorization: Bearer x", "content-type: text/plain"];
    let origin = host.server.url();
    let raw = host
        .send_to(&origin, "POST", "/markdown/raw", &headers, b"not {json")
        .await;
    assert_eq!(
        (raw.status, raw.text().as_str()),
        (200, "<p>not {json</p>\n")
    );
}

async fn get(host: &Host, path: &str, accept: &str) -> Reply {
    let accept = format!("accept: {accept}");
    let headers = ["authorization: Bearer x", &accept];
    let reply = host.send_with("GET", path, &headers, None).await.unwrap();
    assert_eq!(reply.status, 200, "{path}: {}", reply.text());
    reply
}
