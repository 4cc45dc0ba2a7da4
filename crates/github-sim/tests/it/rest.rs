//! The REST API, resource by resource, on the demonstration's world.

use github_sim::world::{IssueRef, Permission, Viewer, World};
use github_sim::{Fault, FaultKind, Sim};
use serde_json::{Value, json};

use crate::client::Host;

const ROCKET: &str = "/repos/acme/rocket";

fn at(path: &str) -> String {
    format!("{ROCKET}{path}")
}

fn all<'v>(list: &'v Value, field: &str) -> Vec<&'v Value> {
    list.as_array()
        .expect("a list")
        .iter()
        .map(|item| &item[field])
        .collect()
}

#[tokio::test]
async fn a_repository_shows_what_it_is_and_what_the_viewer_may_do() {
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
async fn a_repository_is_changed_by_its_admins_alone() {
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
        .send_with("GET", &at("/pulls/27"), &accept, None)
        .await
        .unwrap();
    assert_eq!(diff.status, 415);
}

#[tokio::test]
async fn an_issue_counts_what_blocks_it() {
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
async fn an_issue_has_github_s_shape() {
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
    // An empty body is null, a deleted author is the ghost.
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
async fn issue_lists_filter_sort_and_hold_pull_requests() {
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
    // More than a hundred is a hundred; a page after the last is empty.
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
async fn an_issue_lives_from_creation_to_reopening() {
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
async fn issues_may_be_turned_off_and_repositories_archived() {
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
async fn readers_may_open_and_comment_but_not_change() {
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
async fn comments_are_listed_written_changed_and_deleted() {
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
async fn labels_are_defined_and_put_on_issues() {
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
async fn assignees_come_and_go_and_strangers_are_passed_over() {
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
async fn milestones_are_listed_by_date() {
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
async fn a_pull_request_shows_its_mergeability() {
    let host = Host::demo().await;
    let clean = host.get(&at("/pulls/27")).await.json();
    assert_eq!(
        (&clean["mergeable"], &clean["mergeable_state"]),
        (&json!(true), &json!("clean"))
    );
    assert_eq!(
        (
            &clean["additions"],
            &clean["changed_files"],
            &clean["commits"]
        ),
        (&json!(208), &json!(2), &json!(2))
    );
    assert_eq!(clean["head"]["ref"], "engine-vote");
    assert_eq!(clean["base"]["ref"], "main");
    assert_eq!(clean["review_comments"], 2);
    let states = [
        (33, json!(true), "unstable"),
        (38, json!(true), "draft"),
        (44, json!(false), "dirty"),
        (7, Value::Null, "unknown"),
    ];
    for (number, mergeable, state) in states {
        let pull = host.get(&at(&format!("/pulls/{number}"))).await.json();
        assert_eq!(
            (&pull["mergeable"], &pull["mergeable_state"]),
            (&mergeable, &json!(state)),
            "{number}"
        );
    }
    let merged = host.get(&at("/pulls/7")).await.json();
    assert_eq!(
        (&merged["state"], &merged["merged"]),
        (&json!("closed"), &json!(true))
    );
    assert_eq!(
        host.get(&at("/pulls/1")).await.status,
        404,
        "an issue is no pull request"
    );
    assert_eq!(
        all(&host.get(&at("/pulls")).await.json(), "number"),
        [49, 44, 38, 33, 27]
    );
    assert_eq!(
        all(
            &host
                .get(&at("/pulls?head=acme:cbor&state=all"))
                .await
                .json(),
            "number"
        ),
        [33]
    );
    assert_eq!(
        all(&host.get(&at("/pulls/33/files")).await.json(), "filename"),
        ["telemetry/src/cbor.rs", "telemetry/src/main.rs"]
    );
}

#[tokio::test]
async fn merging_closes_what_was_promised_and_happens_once() {
    let host = Host::demo().await;
    let path = at("/pulls/27/merge");
    assert_eq!(host.get(&path).await.status, 404);
    let stale = host
        .call("PUT", &path, json!({ "sha": "0".repeat(40) }))
        .await;
    assert_eq!(
        (stale.status, &stale.json()["message"]),
        (
            409,
            &json!("Head branch was modified. Review and try the merge again.")
        )
    );
    let merged = host
        .call(
            "PUT",
            &path,
            json!({ "merge_method": "squash", "commit_title": "Vote" }),
        )
        .await;
    assert_eq!(
        (merged.status, &merged.json()["merged"]),
        (200, &json!(true))
    );
    let sha = merged.json()["sha"].as_str().unwrap().to_owned();
    assert_eq!(host.get(&path).await.status, 204);
    assert_eq!(
        host.get(&at("/pulls/27")).await.json()["merge_commit_sha"],
        sha
    );
    assert_eq!(
        host.get(&at("/commits/main")).await.json()["commit"]["message"],
        "Vote"
    );
    assert_eq!(
        host.get(&at("/issues/1")).await.json()["state"],
        "closed",
        "the body says: Fixes #1"
    );
    let again = host.call("PUT", &path, json!({})).await;
    assert_eq!(
        (again.status, &again.json()["message"]),
        (405, &json!("Pull Request is not mergeable"))
    );
    assert_eq!(
        host.call("PUT", &at("/pulls/44/merge"), json!({}))
            .await
            .status,
        405
    );
    let draft = host.call("PUT", &at("/pulls/38/merge"), json!({})).await;
    assert_eq!(
        (draft.status, &draft.json()["message"]),
        (405, &json!("Pull Request is still a draft"))
    );
}

#[tokio::test]
async fn a_pull_request_is_opened_from_a_branch_with_commits() {
    let host = Host::demo().await;
    host.sim.world(|world| {
        let repo = world.find_repo("acme", "rocket").unwrap();
        world.push_commit(repo, "topic", "maya-chen", "Work", Vec::new());
        world.add_branch(repo, "empty");
    });
    let open = |head: &str| json!({ "title": "Work", "head": head, "base": "main", "draft": true });
    let created = host.call("POST", &at("/pulls"), open("topic")).await;
    assert_eq!(created.status, 201);
    assert_eq!(
        (&created.json()["number"], &created.json()["draft"]),
        (&json!(50), &json!(true))
    );
    let twice = host.call("POST", &at("/pulls"), open("topic")).await;
    assert_eq!(twice.status, 422);
    assert_eq!(
        twice.json()["errors"][0]["message"],
        "A pull request already exists for acme:topic."
    );
    for head in ["empty", "missing"] {
        assert_eq!(
            host.call("POST", &at("/pulls"), open(head)).await.status,
            422,
            "{head}"
        );
    }
}

#[tokio::test]
async fn reviews_and_their_threads() {
    let host = Host::demo().await;
    let reviews = host.get(&at("/pulls/27/reviews")).await.json();
    assert!(all(&reviews, "state").contains(&&json!("APPROVED")));
    let review = host
        .call(
            "POST",
            &at("/pulls/27/reviews"),
            json!({ "event": "APPROVE", "body": "Go" }),
        )
        .await;
    assert_eq!(
        (review.status, &review.json()["state"]),
        (200, &json!("APPROVED"))
    );
    host.sim
        .world(|world| world.default_viewer = "jonas-weber".to_owned());
    let own = host
        .call(
            "POST",
            &at("/pulls/27/reviews"),
            json!({ "event": "APPROVE" }),
        )
        .await;
    assert_eq!(
        (own.status, &own.json()["message"]),
        (422, &json!("Unprocessable Entity"))
    );
    assert!(
        own.json()["errors"][0]
            .as_str()
            .unwrap()
            .contains("your own pull request")
    );

    let comments = host.get(&at("/pulls/49/comments")).await.json();
    assert_eq!(comments.as_array().unwrap().len(), 3);
    assert_eq!(comments[0]["path"], "uplink/src/command.rs");
    let reply = format!("/pulls/49/comments/{}/replies", comments[0]["id"]);
    let answered = host
        .call("POST", &at(&reply), json!({ "body": "Done" }))
        .await;
    assert_eq!(answered.status, 201);
    assert_eq!(answered.json()["in_reply_to_id"], comments[0]["id"]);
    let opened = json!({ "path": "uplink/src/command.rs", "line": 3, "body": "Why?" });
    assert_eq!(
        host.call("POST", &at("/pulls/49/comments"), opened)
            .await
            .status,
        201
    );
    assert_eq!(
        host.get(&at("/pulls/49/comments"))
            .await
            .json()
            .as_array()
            .unwrap()
            .len(),
        5
    );
}

#[tokio::test]
async fn checks_and_statuses_of_a_commit() {
    let host = Host::demo().await;
    let runs = host.get(&at("/commits/cbor/check-runs")).await.json();
    assert_eq!(runs["total_count"], 4);
    assert_eq!(
        all(&runs["check_runs"], "conclusion"),
        [
            &json!("success"),
            &json!("failure"),
            &json!("success"),
            &Value::Null
        ]
    );
    assert_eq!(runs["check_runs"][3]["status"], "in_progress");
    let sha = runs["check_runs"][0]["head_sha"]
        .as_str()
        .unwrap()
        .to_owned();
    host.sim.world(|world| {
        let repo = world.find_repo("acme", "rocket").unwrap();
        world.add_status(
            repo,
            &sha,
            "ci/external",
            github_sim::world::CommitStatus::Success,
            "ok",
        );
    });
    let status = host
        .get(&at(&format!("/commits/{sha}/status")))
        .await
        .json();
    assert_eq!(
        (&status["state"], &status["total_count"]),
        (&json!("success"), &json!(1))
    );
    assert_eq!(
        host.get(&at(&format!("/commits/{sha}/statuses")))
            .await
            .json()[0]["context"],
        "ci/external"
    );
    assert_eq!(host.get(&at("/commits/missing/status")).await.status, 422);
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
    let missing = host.get("/search/issues").await;
    assert_eq!(
        (missing.status, &missing.json()["errors"][0]["field"]),
        (422, &json!("q"))
    );
    assert_eq!(missing.header("x-ratelimit-resource"), Some("search"));
}

#[tokio::test]
async fn people_and_the_api_itself() {
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
async fn two_demonstrations_are_alike() {
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
