//! Repositories, labels, milestones, releases, workflow runs, search, users and the API root.

use github_sim::{Fault, FaultKind};
use serde_json::{Value, json};

use super::support::{ROCKET, all, at};
use crate::client::Host;

#[tokio::test]
async fn a_repository_shows_its_settings_and_the_viewers_permissions() {
    let host = Host::demo().await;
    let repo = host.get(ROCKET).await.json();
    assert_eq!(
        repo["description"],
        "Reusable launch vehicle flight software"
    );
    assert_eq!(repo["owner"]["type"], "Organization");
    assert_eq!(repo["license"]["spdx_id"], "Apache-2.0");
    assert_eq!(repo["permissions"]["admin"], true);
    assert_eq!(repo["default_branch"], "main");
    assert!(repo["node_id"].as_str().unwrap().starts_with("R_"));
    let private = host.get("/repos/acme/launchpad").await.json();
    assert_eq!(
        (&private["private"], &private["visibility"]),
        (&json!(true), &json!("private"))
    );
    let names = host.get("/orgs/acme/repos").await.json();
    assert_eq!(all(&names, "name"), ["rocket", "launchpad"]);
}

#[tokio::test]
async fn only_admins_can_edit_a_repository() {
    let host = Host::demo().await;
    let change = json!({ "description": "New words", "homepage": null, "has_wiki": false });
    let changed = host.call("PATCH", ROCKET, change.clone()).await;
    assert_eq!(changed.status, 200);
    let repo = host.get(ROCKET).await.json();
    assert_eq!(repo, changed.json());
    assert_eq!(
        (&repo["description"], &repo["homepage"], &repo["has_wiki"]),
        (&json!("New words"), &Value::Null, &json!(false))
    );
    let wrong = host
        .call("PATCH", ROCKET, json!({ "default_branch": "nope" }))
        .await;
    assert_eq!(wrong.status, 422);
    host.sim
        .world(|world| world.default_viewer = "tomas-silva".to_owned());
    assert_eq!(host.call("PATCH", ROCKET, change).await.status, 403);
}

#[tokio::test]
async fn a_former_name_redirects_to_the_permanent_address() {
    let host = Host::demo().await;
    host.sim.world(|world| {
        world.repositories[0]
            .former_names
            .push("acme/missile".to_owned());
    });
    let moved = host
        .get("/repos/acme/missile/issues?state=all&per_page=2")
        .await;
    assert_eq!(moved.status, 301);
    let id = host.get(ROCKET).await.json()["id"].clone();
    let path = format!("/repositories/{id}/issues?state=all&per_page=2");
    let url = format!("http://{}{path}", host.address());
    assert_eq!(moved.header("location"), Some(url.as_str()));
    assert_eq!(moved.json()["url"], url);
    assert_eq!(host.get(&path).await.json().as_array().unwrap().len(), 2);
    let write = json!({ "title": "x" });
    let moved = host
        .call("POST", "/repos/acme/missile/issues", write.clone())
        .await;
    assert_eq!(moved.status, 307);
    assert!(host.sim.requests().iter().all(|request| !request.applied));
    let written = host
        .call("POST", &format!("/repositories/{id}/issues"), write)
        .await;
    assert_eq!(written.status, 201);
    assert_eq!(host.get("/repositories/1").await.status, 404);
}

#[tokio::test]
async fn files_of_the_default_branch_can_be_read() {
    let host = Host::demo().await;
    let readme = host.get(&at("/readme")).await.json();
    assert_eq!(
        (&readme["path"], &readme["encoding"]),
        (&json!("README.md"), &json!("base64"))
    );
    assert_eq!(host.get(&at("/contents/README.md")).await.json(), readme);
    assert_eq!(host.get(&at("/contents/nope")).await.status, 404);
    let accept = [
        "authorization: token x",
        "accept: application/vnd.github.v3.diff",
    ];
    let diff = host
        .send_with("GET", &at("/issues/1"), &accept, None)
        .await
        .unwrap();
    assert_eq!(diff.status, 415);
}

#[tokio::test]
async fn labels_are_created_and_added_to_issues() {
    let host = Host::demo().await;
    let defined = host.get(&at("/labels")).await.json();
    assert_eq!(defined.as_array().unwrap().len(), 12);
    assert_eq!(
        host.get(&at("/labels/good%20first%20issue")).await.json()["color"],
        "7057ff"
    );
    let exists = host
        .call("POST", &at("/labels"), json!({ "name": "Bug" }))
        .await;
    assert_eq!(
        (exists.status, &exists.json()["errors"][0]["code"]),
        (422, &json!("already_exists"))
    );

    let added = host
        .call(
            "POST",
            &at("/issues/2/labels"),
            json!({ "labels": ["bug", "made up"] }),
        )
        .await;
    assert_eq!(added.status, 200);
    assert_eq!(
        all(&added.json(), "name"),
        ["bug", "documentation", "good first issue", "made up"]
    );
    let left = host
        .send("DELETE", &at("/issues/2/labels/good%20first%20issue"), None)
        .await
        .unwrap();
    assert_eq!(
        all(&left.json(), "name"),
        ["bug", "documentation", "made up"]
    );
    let gone = host
        .send("DELETE", &at("/issues/2/labels/good%20first%20issue"), None)
        .await
        .unwrap();
    assert_eq!(
        (gone.status, &gone.json()["message"]),
        (404, &json!("Label does not exist"))
    );
    assert_eq!(
        host.send("DELETE", &at("/labels/made%20up"), None)
            .await
            .unwrap()
            .status,
        204
    );
    assert_eq!(
        all(&host.get(&at("/issues/2/labels")).await.json(), "name"),
        ["bug", "documentation"]
    );
}

#[tokio::test]
async fn milestones_are_listed_by_due_date() {
    let host = Host::demo().await;
    assert_eq!(
        all(&host.get(&at("/milestones")).await.json(), "number"),
        [2, 3]
    );
    assert_eq!(
        all(
            &host.get(&at("/milestones?state=all")).await.json(),
            "number"
        ),
        [1, 2, 3]
    );
    let hop = host.get(&at("/milestones/2")).await.json();
    assert_eq!(
        (&hop["state"], &hop["due_on"]),
        (&json!("open"), &json!("2026-06-04T08:30:00Z"))
    );
    let closed = host
        .call("PATCH", &at("/milestones/2"), json!({ "state": "closed" }))
        .await
        .json();
    assert_eq!(closed["state"], "closed");
}

#[tokio::test]
async fn releases_and_workflow_runs() {
    let host = Host::demo().await;
    let releases = host.get(&at("/releases")).await.json();
    assert_eq!(
        all(&releases, "tag_name"),
        ["v1.1.0-rc.1", "v1.0.0", "v0.9.0"]
    );
    assert_eq!(
        host.get(&at("/releases/latest")).await.json()["tag_name"],
        "v1.0.0"
    );
    assert_eq!(host.get(&at("/releases/tags/v9")).await.status, 404);

    let runs = host.get(&at("/actions/runs")).await.json();
    assert_eq!(runs["total_count"], 12);
    assert_eq!(runs["workflow_runs"][0]["status"], "in_progress");
    let count = async |query: &str| {
        host.get(&at(&format!("/actions/runs?{query}")))
            .await
            .json()["total_count"]
            .clone()
    };
    assert_eq!(count("status=failure").await, 2);
    assert_eq!(count("status=completed&branch=cbor").await, 2);
    assert_eq!(count("event=schedule").await, 3);
    assert_eq!(
        host.get(&at("/actions/workflows")).await.json()["total_count"],
        3
    );
    assert_eq!(
        host.get(&at("/actions/workflows/hil.yml/runs"))
            .await
            .json()["total_count"],
        3
    );
}

#[tokio::test]
async fn search_understands_qualifiers() {
    let host = Host::demo().await;
    let search = async |query: &str| {
        let reply = host
            .get(&format!("/search/issues?per_page=100&q={query}"))
            .await
            .json();
        all(&reply["items"], "number")
            .iter()
            .map(|n| n.as_u64().unwrap())
            .collect::<Vec<_>>()
    };
    assert_eq!(
        search("repo:acme/rocket+is:pr+is:merged").await,
        [23, 12, 7]
    );
    assert_eq!(
        search(
            "repo:acme/rocket+is:issue+is:open+label:bug+label:gnc+milestone:%22v1.1+Hop+test%22"
        )
        .await,
        [20, 5]
    );
    assert_eq!(
        search("org:acme+engine+in:title+is:issue&sort=created&order=asc").await,
        [1, 14, 31]
    );
    assert_eq!(search("repo:acme/rocket+is:pr+draft:true").await, [38]);
    // Searches title, body and comments, unless `in` limits it. Words are whole, and phrases keep their order.
    for (query, found) in [
        ("%22ice+warning%22", vec![1]),
        ("(warning+masked)", vec![1]),
        ("%22warning+ice%22", vec![]),
        ("%22ice+warning%22+in:title,body", vec![]),
        ("warnin", vec![]),
        ("%22static+fire%22+-masked", vec![]),
    ] {
        let all = search(&format!("repo:acme/rocket+{query}")).await;
        assert!(found.iter().all(|it| all.contains(it)), "{query}: {all:?}");
        assert!(!found.is_empty() || !all.contains(&1), "{query}: {all:?}");
    }
    let missing = host.get("/search/issues").await;
    assert_eq!(
        (missing.status, &missing.json()["errors"][0]["field"]),
        (422, &json!("q"))
    );
    assert_eq!(missing.header("x-ratelimit-resource"), Some("search"));
}

#[tokio::test]
async fn users_and_the_api_root() {
    let host = Host::demo().await;
    assert_eq!(host.get("/user").await.json()["login"], "maya-chen");
    assert_eq!(host.get("/users/akira-mori").await.json()["name"], "森 明");
    assert_eq!(host.get("/users/lena-koch").await.status, 404, "deleted");
    assert_eq!(
        host.get("/orgs/acme").await.json()["name"],
        "Acme Launch Systems"
    );
    let root = host.get("/").await.json();
    assert_eq!(
        root["current_user_url"],
        format!("http://{}/user", host.address())
    );
    assert_eq!(host.get("/meta").await.status, 200);
}

#[tokio::test]
async fn the_demonstration_is_deterministic() {
    let (one, other) = (Host::demo().await, Host::demo().await);
    for path in [
        "/issues?state=all&per_page=100",
        "/pulls?state=all",
        "/actions/runs",
        "/labels",
    ] {
        let text =
            |host: &Host, reply: crate::client::Reply| reply.text().replace(&host.address(), "sim");
        let (first, second) = (one.get(&at(path)).await, other.get(&at(path)).await);
        assert_eq!(text(&one, first), text(&other, second), "{path}");
    }
    one.sim.inject(Fault::once(FaultKind::Status500));
    assert_eq!(
        other.get("/user").await.status,
        200,
        "simulators share nothing"
    );
}
