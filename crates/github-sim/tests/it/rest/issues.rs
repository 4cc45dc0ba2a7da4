//! Issues, their comments, labels and assignees, and pagination.

use github_sim::Sim;
use github_sim::world::{IssueRef, Permission, Viewer, World};
use serde_json::{Value, json};

use super::support::{ROCKET, all, at};
use crate::client::Host;

#[tokio::test]
async fn an_issue_counts_its_blockers() {
    let host = Host::demo().await;
    host.sim.world(|world| {
        let repo = world.find_repo("acme", "rocket").unwrap();
        let place = |number| IssueRef { repo, number };
        let viewer = Viewer::full("maya-chen");
        world.add_blocked_by(&viewer, place(25), place(1)).unwrap();
        world.add_blocked_by(&viewer, place(25), place(4)).unwrap();
    });
    let summary = &host.get(&at("/issues/25")).await.json()["issue_dependencies_summary"];
    assert_eq!(
        (&summary["blocked_by"], &summary["total_blocked_by"]),
        (&json!(1), &json!(2))
    );
    assert_eq!(
        host.get(&at("/issues/1")).await.json()["issue_dependencies_summary"]["blocking"],
        1
    );
}

#[tokio::test]
async fn an_issue_has_githubs_fields() {
    let host = Host::demo().await;
    let issue = host.get(&at("/issues/1")).await.json();
    assert_eq!(issue["number"], 1);
    assert_eq!(issue["state"], "open");
    assert_eq!(issue["state_reason"], Value::Null);
    assert_eq!(issue["user"]["login"], "priya-nair");
    assert_eq!(
        all(&issue["labels"], "name"),
        ["bug", "flight-critical", "propulsion"]
    );
    assert_eq!(issue["assignee"]["login"], "jonas-weber");
    assert_eq!(issue["milestone"]["title"], "v1.1 Hop test");
    assert_eq!(issue["comments"], 3);
    assert_eq!(issue["html_url"], "https://github.com/acme/rocket/issues/1");
    assert!(issue["node_id"].as_str().unwrap().starts_with("I_"));
    assert!(issue.get("pull_request").is_none());
    // An empty body is null; a deleted author is shown as `ghost`.
    assert_eq!(host.get(&at("/issues/5")).await.json()["body"], Value::Null);
    assert_eq!(
        host.get(&at("/issues/6")).await.json()["user"]["login"],
        "ghost"
    );
    let closed = host.get(&at("/issues/13")).await.json();
    assert_eq!(
        (&closed["state"], &closed["state_reason"]),
        (&json!("closed"), &json!("not_planned"))
    );
    assert_eq!(closed["closed_by"]["login"], "maya-chen");
    assert!(
        host.get(&at("/issues/25")).await.json()["body"]
            .as_str()
            .unwrap()
            .len()
            > 6000
    );
}

#[tokio::test]
async fn issue_lists_filter_sort_and_contain_pull_requests() {
    let host = Host::demo().await;
    let numbers = async |query: &str| {
        let list = host
            .get(&at(&format!("/issues?per_page=100{query}")))
            .await
            .json();
        all(&list, "number")
            .iter()
            .map(|n| n.as_u64().unwrap())
            .collect::<Vec<_>>()
    };
    assert_eq!(numbers("&state=all").await.len(), 49);
    assert_eq!(
        numbers("&state=all&sort=created&direction=asc").await[..3],
        [1, 2, 3]
    );
    assert_eq!(numbers("").await[0], 49);
    assert_eq!(
        numbers("&labels=bug,flight-critical,propulsion").await,
        [48, 27, 1]
    );
    assert_eq!(
        numbers("&creator=lena-koch&state=all").await,
        [30, 24, 18, 6]
    );
    assert_eq!(numbers("&assignee=akira-mori").await, [3]);
    assert_eq!(
        numbers("&milestone=3&assignee=none").await,
        [46, 45, 39, 34]
    );
    let pull = host.get(&at("/issues/27")).await.json();
    assert_eq!(
        pull["pull_request"]["html_url"],
        "https://github.com/acme/rocket/pull/27"
    );
    assert!(pull["node_id"].as_str().unwrap().starts_with("PR_"));
    assert_eq!(host.get(&at("/issues?state=odd")).await.status, 422);
}

#[tokio::test]
async fn pages_are_linked_in_both_directions() {
    let host = Host::demo().await;
    let base = format!("http://{}{ROCKET}/issues", host.address());
    let first = host.get(&at("/issues?state=all&per_page=20")).await;
    assert_eq!(first.json().as_array().unwrap().len(), 20);
    assert_eq!(
        first.header("link").unwrap(),
        format!(
            "<{base}?state=all&per_page=20&page=2>; rel=\"next\", <{base}?state=all&per_page=20&page=3>; rel=\"last\""
        )
    );
    let last = host.get(&at("/issues?state=all&per_page=20&page=3")).await;
    assert_eq!(last.json().as_array().unwrap().len(), 9);
    let link = last.header("link").unwrap();
    assert!(link.contains("page=2>; rel=\"prev\"") && link.contains("page=1>; rel=\"first\""));
    assert!(!link.contains("next"));
    // A page has at most a hundred items; a page after the last is empty.
    assert_eq!(
        host.get(&at("/issues?state=all&per_page=500"))
            .await
            .json()
            .as_array()
            .unwrap()
            .len(),
        49
    );
    assert_eq!(host.get(&at("/issues?page=9")).await.json(), json!([]));
}

#[tokio::test]
async fn an_issue_is_created_edited_closed_and_reopened() {
    let host = Host::demo().await;
    let body = json!({ "title": "New", "body": "text", "labels": ["bug", "brand new"], "assignees": ["tomas-silva"], "milestone": 2 });
    let created = host.call("POST", &at("/issues"), body).await;
    assert_eq!(created.status, 201);
    let issue = created.json();
    assert_eq!(created.header("location"), issue["url"].as_str());
    assert_eq!(
        (&issue["number"], &issue["user"]["login"]),
        (&json!(50), &json!("maya-chen"))
    );
    assert_eq!(all(&issue["labels"], "name"), ["bug", "brand new"]);
    assert_eq!(issue["milestone"]["number"], 2);

    let path = at("/issues/50");
    let edited = host
        .call(
            "PATCH",
            &path,
            json!({ "title": "Newer", "body": null, "milestone": null, "labels": [] }),
        )
        .await
        .json();
    assert_eq!(edited["title"], "Newer");
    assert_eq!(
        (&edited["body"], &edited["milestone"], &edited["labels"]),
        (&Value::Null, &Value::Null, &json!([]))
    );
    assert!(edited["updated_at"].as_str() > issue["updated_at"].as_str());

    let closed = host
        .call(
            "PATCH",
            &path,
            json!({ "state": "closed", "state_reason": "not_planned" }),
        )
        .await
        .json();
    assert_eq!(
        (&closed["state"], &closed["state_reason"]),
        (&json!("closed"), &json!("not_planned"))
    );
    let again = host
        .call("PATCH", &path, json!({ "state": "closed" }))
        .await
        .json();
    assert_eq!(again, closed, "closing the closed changes nothing");
    let open = host
        .call("PATCH", &path, json!({ "state": "open" }))
        .await
        .json();
    assert_eq!(
        (&open["state"], &open["state_reason"]),
        (&json!("open"), &json!("reopened"))
    );
    assert_eq!(open["closed_at"], Value::Null);
    assert_eq!(host.get(&path).await.json(), open);
}

#[tokio::test]
async fn wrong_issue_bodies_are_refused_as_github_does() {
    let host = Host::demo().await;
    let cases = [
        (json!({}), "title", "missing_field"),
        (json!({ "title": " " }), "title", "missing_field"),
        (json!({ "title": 3 }), "title", "invalid"),
        (
            json!({ "title": "x", "milestone": 99 }),
            "milestone",
            "invalid",
        ),
        (
            json!({ "title": "x", "assignees": ["nobody"] }),
            "assignees",
            "invalid",
        ),
        (
            json!({ "title": "x", "labels": "bug" }),
            "labels",
            "invalid",
        ),
    ];
    for (body, field, code) in cases {
        let reply = host.call("POST", &at("/issues"), body.clone()).await;
        assert_eq!(reply.status, 422, "{body}");
        let error = &reply.json()["errors"][0];
        assert_eq!(reply.json()["message"], "Validation Failed");
        assert_eq!(
            (&error["resource"], &error["field"], &error["code"]),
            (&json!("Issue"), &json!(field), &json!(code)),
            "{body}"
        );
    }
    assert!(host.sim.requests().iter().all(|request| !request.applied));
    let reply = host.get(&at("/issues/999")).await;
    assert_eq!(reply.status, 404);
    assert_eq!(
        reply.json(),
        json!({ "message": "Not Found", "documentation_url": "https://docs.github.com/rest", "status": "404" })
    );
    let reply = host
        .send_with("POST", &at("/issues"), &["authorization: token x"], None)
        .await
        .unwrap();
    assert_eq!(reply.status, 422);
    for path in [
        "/nope",
        "/repos/acme/nope",
        "/repos/acme/rocket/nope",
        "/repos/acme/rocket/issues/x",
        "/users/nobody",
    ] {
        assert_eq!(host.get(path).await.status, 404, "{path}");
    }
}

#[tokio::test]
async fn disabled_issues_and_archived_repositories_refuse_writes() {
    let host = Host::demo().await;
    let set = |change: fn(&mut github_sim::world::Repository)| {
        host.sim.world(|world| change(&mut world.repositories[0]));
    };
    set(|repo| repo.has_issues = false);
    let reply = host
        .call("POST", &at("/issues"), json!({ "title": "x" }))
        .await;
    assert_eq!(reply.status, 410);
    set(|repo| repo.archived = true);
    let reply = host
        .call("PATCH", &at("/issues/1"), json!({ "title": "x" }))
        .await;
    assert_eq!(reply.status, 403);
    assert_eq!(
        reply.json()["message"],
        "Repository was archived so is read-only."
    );
}

#[tokio::test]
async fn readers_can_open_and_comment_but_not_edit() {
    let sim = Sim::new(World::empty());
    sim.world(|world| {
        world.add_user("owner", None);
        let repo = world.add_repository("owner", "lib");
        world.repositories[repo.0].collaborators.clear();
        assert_eq!(world.permission("octocat", repo), Permission::Read);
        world.add_label(repo, "bug", "d73a4a", "");
    });
    let host = Host::of(sim).await;
    let issue = host
        .call(
            "POST",
            "/repos/owner/lib/issues",
            json!({ "title": "Mine", "labels": ["bug"] }),
        )
        .await;
    assert_eq!(issue.status, 201);
    assert_eq!(
        issue.json()["labels"],
        json!([]),
        "a reader's labels are passed over"
    );
    assert_eq!(
        host.call(
            "POST",
            "/repos/owner/lib/issues/1/comments",
            json!({ "body": "hi" })
        )
        .await
        .status,
        201
    );
    let refused = host
        .call(
            "POST",
            "/repos/owner/lib/issues/1/labels",
            json!({ "labels": ["bug"] }),
        )
        .await;
    assert_eq!(refused.status, 403);
    assert_eq!(
        refused.json()["message"],
        "Must have admin rights to Repository."
    );
}

#[tokio::test]
async fn comments_are_listed_created_edited_and_deleted() {
    let host = Host::demo().await;
    let list = host.get(&at("/issues/1/comments?per_page=2")).await;
    assert_eq!(list.json().as_array().unwrap().len(), 2);
    assert!(list.header("link").unwrap().contains("rel=\"next\""));
    let created = host
        .call(
            "POST",
            &at("/issues/1/comments"),
            json!({ "body": "Fixed in #27" }),
        )
        .await;
    assert_eq!(created.status, 201);
    let comment = created.json();
    assert_eq!(comment["user"]["login"], "maya-chen");
    assert!(
        comment["html_url"]
            .as_str()
            .unwrap()
            .starts_with("https://github.com/acme/rocket/issues/1#issuecomment-")
    );
    let path = at(&format!("/issues/comments/{}", comment["id"]));
    let changed = host
        .call("PATCH", &path, json!({ "body": "Fixed by #27" }))
        .await
        .json();
    assert_eq!(host.get(&path).await.json()["body"], "Fixed by #27");
    assert_eq!(changed["id"], comment["id"]);
    assert_eq!(host.send("DELETE", &path, None).await.unwrap().status, 204);
    assert_eq!(host.get(&path).await.status, 404);
    assert_eq!(
        host.call("POST", &at("/issues/1/comments"), json!({ "body": "" }))
            .await
            .status,
        422
    );
}

#[tokio::test]
async fn assignees_are_added_and_removed_and_strangers_ignored() {
    let host = Host::demo().await;
    let body = json!({ "assignees": ["tomas-silva", "nobody"] });
    let added = host.call("POST", &at("/issues/1/assignees"), body).await;
    assert_eq!(added.status, 201);
    assert_eq!(
        all(&added.json()["assignees"], "login"),
        ["jonas-weber", "tomas-silva"]
    );
    let removed = host
        .call(
            "DELETE",
            &at("/issues/1/assignees"),
            json!({ "assignees": ["jonas-weber"] }),
        )
        .await;
    assert_eq!(all(&removed.json()["assignees"], "login"), ["tomas-silva"]);
    assert_eq!(host.get(&at("/assignees/maya-chen")).await.status, 204);
    assert_eq!(host.get(&at("/assignees/lena-koch")).await.status, 404);
}

#[tokio::test]
async fn search_returns_text_matches_on_request() {
    let host = Host::demo().await;
    let search = async |words: &str, accept: &str| {
        let path = format!("/search/issues?q=repo:acme/rocket+{words}");
        let accept = format!("accept: {accept}");
        let headers = ["authorization: Bearer x", accept.as_str()];
        let found = host.send_with("GET", &path, &headers, None).await;
        found.unwrap().json()["items"][0].clone()
    };
    let text_match = "application/vnd.github.text-match+json";
    let found = search("%22ice+warning%22+ENGINE", text_match).await;
    assert_eq!(found["number"], 1);
    let matches = &found["text_matches"];
    assert_eq!(
        all(matches, "object_type"),
        ["Issue", "Issue", "IssueComment", "IssueComment"]
    );
    assert_eq!(all(matches, "property"), ["title", "body", "body", "body"]);
    assert_eq!(
        matches[0]["matches"][0],
        json!({"text": "Engine", "indices": [0, 6]})
    );
    assert_eq!(
        matches[3]["matches"][0],
        json!({"text": "ice warning", "indices": [0, 11]})
    );
    let address = matches[3]["object_url"].as_str().unwrap();
    assert!(
        address.contains("/repos/acme/rocket/issues/comments/"),
        "{address}"
    );
    assert_eq!(
        search("engine+in:title", text_match).await["text_matches"]
            .as_array()
            .unwrap()
            .len(),
        1
    );
    let plain = search("engine", "application/vnd.github+json").await;
    assert_eq!(plain.get("text_matches"), None);
}
