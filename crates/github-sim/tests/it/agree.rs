//! REST and GraphQL are two views of one world: their reads agree, and their writes have the same effect.

use github_sim::world::World;
use serde_json::{Value, json};

use crate::client::Host;

const ISSUES: &str = r#"{ repository(owner: "acme", name: "rocket") { issues(first: 100, orderBy: {field: CREATED_AT, direction: ASC}) { nodes {
    id databaseId number title body state stateReason(enableDuplicate: true) url locked createdAt updatedAt closedAt authorAssociation
    author { login } assignees(first: 10) { nodes { login } } labels(first: 30) { nodes { id name color description } }
    milestone { number title dueOn } comments(first: 50) { totalCount nodes { id databaseId body author { login } createdAt url } }
    issueType { name } } } } }"#;

const PULLS: &str = r#"{ repository(owner: "acme", name: "rocket") { pullRequests(first: 100, orderBy: {field: CREATED_AT, direction: ASC}) { nodes {
    id number title body state isDraft merged mergeable url headRefName headRefOid baseRefName additions deletions changedFiles
    createdAt updatedAt closedAt mergedAt mergeCommit { oid } mergedBy { login } author { login }
    reviewRequests(first: 10) { nodes { requestedReviewer { ... on User { login } } } }
    reviews(first: 30) { nodes { id state body author { login } submittedAt } }
    reviewThreads(first: 30) { nodes { comments(first: 30) { nodes { id body path author { login } } } } }
    commits(last: 1) { totalCount nodes { commit { oid statusCheckRollup { contexts(first: 30) { nodes { ... on CheckRun { name status conclusion } } } } } } } } } } }"#;

#[tokio::test]
async fn every_issue_is_the_same_in_both() {
    let host = Host::demo().await;
    let nodes = nodes(&host, ISSUES, "issues").await;
    assert_eq!(nodes.len(), 40);
    for node in nodes {
        let path = format!("/repos/acme/rocket/issues/{}", node["number"]);
        let rest = host.get(&path).await.json();
        let comments = host.get(&format!("{path}/comments")).await.json();
        let from_rest = json!({
            "id": rest["node_id"], "databaseId": rest["id"], "number": rest["number"], "title": rest["title"],
            "body": rest["body"].as_str().unwrap_or_default(), "state": upper(&rest["state"]),
            "stateReason": upper(&rest["state_reason"]), "url": rest["html_url"], "locked": rest["locked"],
            "createdAt": rest["created_at"], "updatedAt": rest["updated_at"], "closedAt": rest["closed_at"],
            "authorAssociation": rest["author_association"],
            "author": login_or_null(&rest["user"]),
            "assignees": { "nodes": each(&rest["assignees"], |user| json!({ "login": user["login"] })) },
            "labels": { "nodes": each(&rest["labels"], |label| json!({
                "id": label["node_id"], "name": label["name"], "color": label["color"], "description": label["description"],
            })) },
            "milestone": object(&rest["milestone"], |milestone| json!({
                "number": milestone["number"], "title": milestone["title"], "dueOn": milestone["due_on"],
            })),
            "comments": { "totalCount": rest["comments"], "nodes": each(&comments, |comment| json!({
                "id": comment["node_id"], "databaseId": comment["id"], "body": comment["body"],
                "author": login_or_null(&comment["user"]), "createdAt": comment["created_at"], "url": comment["html_url"],
            })) },
            "issueType": object(&rest["type"], |kind| json!({ "name": kind["name"] })),
        });
        assert_eq!(node, from_rest);
    }
}

#[tokio::test]
async fn every_pull_request_is_the_same_in_both() {
    let host = Host::demo().await;
    let nodes = nodes(&host, PULLS, "pullRequests").await;
    assert_eq!(nodes.len(), 9);
    for mut node in nodes {
        let path = format!("/repos/acme/rocket/pulls/{}", node["number"]);
        let rest = host.get(&path).await.json();
        let reviews = host.get(&format!("{path}/reviews")).await.json();
        let comments = host.get(&format!("{path}/comments")).await.json();
        let head = rest["head"]["sha"].as_str().unwrap();
        let checks = host
            .get(&format!("/repos/acme/rocket/commits/{head}/check-runs"))
            .await
            .json();
        let merged = rest["merged"] == true;
        // REST has no merged state, and a merged pull request has no mergeability.
        let state = if merged {
            json!("MERGED")
        } else {
            upper(&rest["state"])
        };
        let mergeable = match &rest["mergeable"] {
            Value::Bool(true) => "MERGEABLE",
            Value::Bool(false) => "CONFLICTING",
            _ => "UNKNOWN",
        };
        if merged {
            node["mergeable"] = json!("UNKNOWN");
        }
        // GraphQL groups comments by thread; REST lists them in chronological order.
        let mut threads: Vec<Value> = node["reviewThreads"]["nodes"]
            .as_array()
            .unwrap()
            .iter()
            .flat_map(|thread| thread["comments"]["nodes"].as_array().unwrap().clone())
            .collect();
        threads.sort_by_key(|comment| comment["id"].to_string());
        node["reviewThreads"] = json!(threads);
        let mut listed = each(&comments, |comment| {
            json!({
                "id": comment["node_id"], "body": comment["body"], "path": comment["path"], "author": login_or_null(&comment["user"]),
            })
        });
        listed.sort_by_key(|comment| comment["id"].to_string());
        let from_rest = json!({
            "id": rest["node_id"], "number": rest["number"], "title": rest["title"],
            "body": rest["body"].as_str().unwrap_or_default(), "state": state, "isDraft": rest["draft"],
            "merged": rest["merged"], "mergeable": mergeable, "url": rest["html_url"],
            "headRefName": rest["head"]["ref"], "headRefOid": rest["head"]["sha"], "baseRefName": rest["base"]["ref"],
            "additions": rest["additions"], "deletions": rest["deletions"], "changedFiles": rest["changed_files"],
            "createdAt": rest["created_at"], "updatedAt": rest["updated_at"], "closedAt": rest["closed_at"],
            "mergedAt": rest["merged_at"],
            "mergeCommit": object(&rest["merge_commit_sha"], |sha| json!({ "oid": sha })),
            "mergedBy": object(&rest["merged_by"], |user| json!({ "login": user["login"] })),
            "author": login_or_null(&rest["user"]),
            "reviewRequests": { "nodes": each(&rest["requested_reviewers"], |user| json!({
                "requestedReviewer": { "login": user["login"] },
            })) },
            "reviews": { "nodes": each(&reviews, |review| json!({
                "id": review["node_id"], "state": review["state"], "body": review["body"],
                "author": login_or_null(&review["user"]), "submittedAt": review["submitted_at"],
            })) },
            "reviewThreads": listed,
            "commits": { "totalCount": rest["commits"], "nodes": [{ "commit": {
                "oid": head,
                "statusCheckRollup": { "contexts": { "nodes": each(&checks["check_runs"], |check| json!({
                    "name": check["name"], "status": upper(&check["status"]), "conclusion": upper(&check["conclusion"]),
                })) } },
            } }] },
        });
        assert_eq!(node, from_rest);
    }
}

/// A write over REST, and the same as a mutation with `$n` for the node id of an issue and `$label:name` for a label's.
struct WritePair {
    rest: (&'static str, &'static str, Value),
    mutation: &'static str,
}

#[tokio::test]
async fn every_write_has_the_same_effect() {
    let deed = |method, path, body, mutation| WritePair {
        rest: (method, path, body),
        mutation,
    };
    let deeds = [
        deed(
            "POST",
            "/issues",
            json!({ "title": "T", "body": "B" }),
            r#"createIssue(input: {repositoryId: "$repo", title: "T", body: "B"})"#,
        ),
        deed(
            "POST",
            "/issues",
            json!({ "title": "T", "labels": ["bug"], "milestone": 2 }),
            r#"createIssue(input: {repositoryId: "$repo", title: "T", labelIds: ["$label:bug"], milestoneId: "$milestone:2"})"#,
        ),
        deed(
            "PATCH",
            "/issues/1",
            json!({ "title": "New", "body": "Text" }),
            r#"updateIssue(input: {id: "$1", title: "New", body: "Text"})"#,
        ),
        deed(
            "PATCH",
            "/issues/1",
            json!({ "milestone": null }),
            r#"updateIssue(input: {id: "$1", milestoneId: null})"#,
        ),
        deed(
            "PATCH",
            "/issues/1",
            json!({ "milestone": 3 }),
            r#"updateIssue(input: {id: "$1", milestoneId: "$milestone:3"})"#,
        ),
        deed(
            "PATCH",
            "/issues/1",
            json!({ "state": "closed" }),
            r#"closeIssue(input: {issueId: "$1"})"#,
        ),
        deed(
            "PATCH",
            "/issues/1",
            json!({ "state": "closed", "state_reason": "not_planned" }),
            r#"closeIssue(input: {issueId: "$1", stateReason: NOT_PLANNED})"#,
        ),
        deed(
            "PATCH",
            "/issues/13",
            json!({ "state": "closed" }),
            r#"closeIssue(input: {issueId: "$13"})"#,
        ),
        deed(
            "PATCH",
            "/issues/4",
            json!({ "state": "open" }),
            r#"reopenIssue(input: {issueId: "$4"})"#,
        ),
        deed(
            "PATCH",
            "/issues/1",
            json!({ "state": "open" }),
            r#"reopenIssue(input: {issueId: "$1"})"#,
        ),
        deed(
            "POST",
            "/issues/1/comments",
            json!({ "body": "hi" }),
            r#"addComment(input: {subjectId: "$1", body: "hi"})"#,
        ),
        deed(
            "POST",
            "/issues/1/labels",
            json!({ "labels": ["gnc"] }),
            r#"addLabelsToLabelable(input: {labelableId: "$1", labelIds: ["$label:gnc"]})"#,
        ),
        deed(
            "DELETE",
            "/issues/1/labels/bug",
            Value::Null,
            r#"removeLabelsFromLabelable(input: {labelableId: "$1", labelIds: ["$label:bug"]})"#,
        ),
        deed(
            "POST",
            "/issues/1/assignees",
            json!({ "assignees": ["tomas-silva"] }),
            r#"addAssigneesToAssignable(input: {assignableId: "$1", assigneeIds: ["$user:tomas-silva"]})"#,
        ),
        deed(
            "POST",
            "/pulls",
            json!({ "title": "P", "body": "B", "head": "count-dropped-frames", "base": "main" }),
            r#"createPullRequest(input: {repositoryId: "$repo", title: "P", body: "B", headRefName: "count-dropped-frames", baseRefName: "main"})"#,
        ),
        deed(
            "PUT",
            "/pulls/27/merge",
            json!({}),
            r#"mergePullRequest(input: {pullRequestId: "$27"})"#,
        ),
        deed(
            "PUT",
            "/pulls/27/merge",
            json!({ "merge_method": "squash", "commit_title": "S" }),
            r#"mergePullRequest(input: {pullRequestId: "$27", mergeMethod: SQUASH, commitHeadline: "S"})"#,
        ),
        deed(
            "PUT",
            "/pulls/44/merge",
            json!({}),
            r#"mergePullRequest(input: {pullRequestId: "$44"})"#,
        ),
        deed(
            "POST",
            "/pulls/33/reviews",
            json!({ "event": "REQUEST_CHANGES", "body": "no" }),
            r#"addPullRequestReview(input: {pullRequestId: "$33", event: REQUEST_CHANGES, body: "no"})"#,
        ),
        deed(
            "POST",
            "/issues/27/comments",
            json!({ "body": "on a pull" }),
            r#"addComment(input: {subjectId: "$27", body: "on a pull"})"#,
        ),
    ];
    for WritePair {
        rest: (method, path, body),
        mutation,
    } in deeds
    {
        let (by_rest, by_graphql) = (Host::demo().await, Host::demo().await);
        let start = world(&by_rest);
        by_rest
            .call(method, &format!("/repos/acme/rocket{path}"), body)
            .await;
        let mutation = with_ids(&by_graphql, mutation).await;
        by_graphql.sim.clear_requests();
        let answer = by_graphql
            .graphql(&format!("mutation {{ {mutation} {{ clientMutationId }} }}"))
            .await;
        assert!(
            world(&by_rest) == world(&by_graphql),
            "{mutation}: {}",
            answer.text()
        );
        let changed = world(&by_rest) != start;
        let applied = |host: &Host| host.sim.requests().iter().any(|request| request.applied);
        assert_eq!(
            (applied(&by_rest), applied(&by_graphql)),
            (changed, changed),
            "{mutation}"
        );
    }
}

/// Returns the world without the rate limit, which counts requests.
fn world(host: &Host) -> World {
    let mut world = host.sim.world(|world| world.clone());
    world.rate_limit = World::empty().rate_limit;
    world
}

/// Replaces `$…` with the node ids that REST returns.
async fn with_ids(host: &Host, mutation: &str) -> String {
    let mut parts = mutation.split("\"$");
    let mut text = parts.next().unwrap_or_default().to_owned();
    for part in parts {
        let (name, rest) = part.split_once('"').expect("a closing quote");
        let path = match name.split_once(':') {
            Some(("label", label)) => format!("/repos/acme/rocket/labels/{label}"),
            Some(("milestone", number)) => format!("/repos/acme/rocket/milestones/{number}"),
            Some((_, login)) => format!("/users/{login}"),
            None if name == "repo" => "/repos/acme/rocket".to_owned(),
            None => format!("/repos/acme/rocket/issues/{name}"),
        };
        let id = host.get(&path).await.json()["node_id"].clone();
        text.push_str(&format!("{id}{rest}"));
    }
    text
}

async fn nodes(host: &Host, query: &str, field: &str) -> Vec<Value> {
    let answer = host.graphql(query).await.json();
    assert!(answer.get("errors").is_none(), "{answer}");
    answer["data"]["repository"][field]["nodes"]
        .as_array()
        .unwrap()
        .clone()
}

/// Returns the login, or null for `ghost`: GraphQL shows a deleted author as null.
fn login_or_null(user: &Value) -> Value {
    if user["login"] == "ghost" {
        Value::Null
    } else {
        json!({ "login": user["login"] })
    }
}

fn upper(text: &Value) -> Value {
    text.as_str().map(str::to_uppercase).into()
}

fn each(list: &Value, present: impl FnMut(&Value) -> Value) -> Vec<Value> {
    list.as_array().unwrap().iter().map(present).collect()
}

fn object(value: &Value, present: impl FnOnce(&Value) -> Value) -> Value {
    if value.is_null() {
        Value::Null
    } else {
        present(value)
    }
}
