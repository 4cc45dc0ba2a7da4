//! Pull requests, merging, reviews and checks.

use serde_json::{Value, json};

use super::support::{all, at};
use crate::client::Host;

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
async fn merging_closes_referenced_issues_and_happens_once() {
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
