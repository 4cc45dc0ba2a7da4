//! Every documented operation answers with its status and the shape of its example.

use std::collections::BTreeSet;

use github_sim::Sim;
use github_sim::world::{Issue, IssueRef, NewReview, SECRETS_KEY_ID, Viewer};
use serde_json::{Value, json};

use super::data::{operations, sample};
use crate::client::{Host, Reply};

#[tokio::test]
async fn every_operation_answers_as_documented() {
    let operations = operations();
    assert_eq!(operations.len(), 1223);
    let mut wrong = Vec::new();
    let mut examples = 0;
    for operation in &operations {
        let host = Host::demo().await;
        let reply = call(&host, operation).await;
        if reply.header("x-sim-answer").is_some() {
            examples += 1;
        }
        if let Some(problem) = problem(operation, &reply) {
            wrong.push(format!("{}: {problem}", operation["id"]));
        }
    }
    assert!(
        wrong.is_empty(),
        "{} wrong:\n{}",
        wrong.len(),
        wrong.join("\n")
    );
    assert!(examples > 1000, "{examples}");
}

/// Sends the smallest valid request of an operation, to things that the demo world has.
async fn call(host: &Host, operation: &Value) -> Reply {
    let id = operation["id"].as_str().unwrap();
    let known = DemoValues::of(&host.sim, id);
    let mut path = operation["path"].as_str().unwrap().to_owned();
    for (name, kind) in operation["params"].as_object().into_iter().flatten() {
        let value = known.path_value(id, name, kind.as_str().unwrap());
        path = path.replace(&format!("{{{name}}}"), &value);
    }
    let query: Vec<String> = operation["query"]
        .as_object()
        .into_iter()
        .flatten()
        .map(|(name, schema)| format!("{name}={}", sample(schema).to_string().trim_matches('"')))
        .collect();
    if !query.is_empty() {
        path = format!("{path}?{}", query.join("&"));
    }
    let body = match (demo_body(id), &operation["body"]) {
        (Some(body), _) => body.to_string(),
        (None, Value::Null) => String::new(),
        (None, schema) if schema["properties"]["encrypted_value"].is_object() => {
            sealed(sample(schema)).to_string()
        }
        (None, schema) => sample(schema).to_string(),
    };
    let method = operation["method"].as_str().unwrap();
    let mut headers = vec!["authorization: Bearer x"];
    let mut origin = host.server.url();
    match id {
        "markdown/render-raw" => headers.push("content-type: text/plain"),
        "repos/upload-release-asset" => {
            headers.push("content-type: application/octet-stream");
            origin = host.server.storage_url();
        }
        "teams/check-permissions-for-repo-in-org" => {
            headers.push("accept: application/vnd.github.v3.repository+json");
        }
        "users/check-following-for-user" => {
            host.send("PUT", "/user/following/value", None)
                .await
                .unwrap();
        }
        _ if method == "GET" && operation["status"] == 204 => {
            host.send("PUT", &path, None).await.unwrap();
        }
        _ => {}
    }
    let ask = || host.send_to(&origin, method, &path, &headers, body.as_bytes());
    let reply = ask().await;
    // What is computed later is ready when it is asked for again.
    if method == "GET" && reply.status == 202 && operation["status"] != 202 {
        return ask().await;
    }
    reply
}

/// Puts a value that looks like a sealed box into the body of a secret.
fn sealed(mut body: Value) -> Value {
    body["encrypted_value"] = json!("A".repeat(64));
    body["key_id"] = json!(SECRETS_KEY_ID);
    body
}

/// Ids of the demo world.
struct DemoValues {
    comment: u64,
    review: u64,
    pending_review: u64,
    review_comment: u64,
    merged: u64,
    run: u64,
    workflow: u64,
    release: u64,
}

impl DemoValues {
    fn of(sim: &Sim, operation: &str) -> Self {
        sim.world(|world| {
            let id = world.find_repo("acme", "rocket").unwrap();
            let viewer = Viewer::full("maya-chen");
            let at = |number| IssueRef { repo: id, number };
            let pending_review = if operation == "pulls/submit-review" {
                let pending = NewReview {
                    body: "not sent yet".to_owned(),
                    ..NewReview::default()
                };
                world.add_review(&viewer, at(27), pending).unwrap()
            } else {
                0
            };
            let repo = world.repo(id).unwrap();
            let pull = |number| world.issue_at(at(number)).unwrap().pull.as_ref().unwrap();
            let is_merged = |issue: &&Issue| {
                let pull = issue.pull.as_ref();
                pull.is_some_and(|pull| pull.merged.is_some())
            };
            Self {
                comment: repo.issues[&1].comments[0].id,
                review: pull(27).reviews[0].id,
                pending_review,
                review_comment: pull(49).threads[0].comments[0].id,
                merged: repo.issues.values().find(is_merged).unwrap().number,
                run: repo.runs[0].id,
                workflow: repo.workflows[0].id,
                release: repo.releases[0].id,
            }
        })
    }

    fn path_value(&self, operation: &str, name: &str, kind: &str) -> String {
        match (operation, name) {
            ("pulls/get-review-comment", "comment_id") => self.review_comment.to_string(),
            ("pulls/create-reply-for-review-comment", "comment_id") => {
                self.review_comment.to_string()
            }
            ("pulls/create-reply-for-review-comment", "pull_number") => "49".to_owned(),
            ("pulls/check-if-merged", "pull_number") => self.merged.to_string(),
            ("pulls/submit-review", "review_id") => self.pending_review.to_string(),
            ("repos/get-content", "path") => "README.md".to_owned(),
            ("users/check-following-for-user", "target_user") => "value".to_owned(),
            (_, "owner" | "template_owner" | "org") => "acme".to_owned(),
            (_, "repo" | "template_repo") => "rocket".to_owned(),
            (_, "username" | "assignee") => "maya-chen".to_owned(),
            (_, "pull_number") => "27".to_owned(),
            (_, "comment_id") => self.comment.to_string(),
            (_, "review_id") => self.review.to_string(),
            (_, "job_id") => (self.run * 100 + 1).to_string(),
            (_, "run_id") => self.run.to_string(),
            (_, "workflow_id") => self.workflow.to_string(),
            (_, "release_id") => self.release.to_string(),
            (
                "issues/get-label"
                | "issues/update-label"
                | "issues/delete-label"
                | "issues/remove-label",
                "name",
            ) => "bug".to_owned(),
            _ if kind == "integer" => "1".to_owned(),
            _ if kind == "segments" => "some/place".to_owned(),
            _ => "value".to_owned(),
        }
    }
}

/// Returns a body for operations that are modelled: they refuse values that mean nothing in the world.
fn demo_body(operation: &str) -> Option<Value> {
    Some(match operation {
        "issues/add-assignees" => json!({ "assignees": ["maya-chen"] }),
        "issues/add-labels" | "issues/set-labels" => json!({ "labels": ["bug"] }),
        "issues/update-milestone" => json!({ "state": "open" }),
        "pulls/create" => json!({ "title": "Title", "head": "particle-filter", "base": "main" }),
        "pulls/create-review-comment" => {
            json!({ "body": "Why?", "path": "propulsion/src/vote.rs", "line": 1, "commit_id": "x" })
        }
        "pulls/request-reviewers" => json!({ "reviewers": ["priya-nair"] }),
        "pulls/submit-review" => json!({ "event": "COMMENT", "body": "Seen" }),
        _ => return None,
    })
}

fn problem(operation: &Value, reply: &Reply) -> Option<String> {
    if u64::from(reply.status) != operation["status"].as_u64()? {
        return Some(format!(
            "answers {} {}",
            reply.status,
            String::from_utf8_lossy(&reply.body)
        ));
    }
    let Some(expected) = operation["answer"].get("value") else {
        return (!reply.body.is_empty()).then(|| format!("has a body: {}", reply.text()));
    };
    if operation["type"].is_string() {
        return (reply.text().is_empty()).then(|| "has no text".to_owned());
    }
    let found = reply.json();
    match (expected, &found) {
        (Value::Object(expected), Value::Object(found)) => {
            let names: BTreeSet<_> = found.keys().collect();
            let missing: Vec<_> = expected
                .keys()
                .filter(|name| !names.contains(name))
                .collect();
            let is_modelled = reply.header("x-sim-answer").is_none();
            (!missing.is_empty() && !is_modelled).then(|| format!("lacks {missing:?}"))
        }
        (Value::Array(_), Value::Array(_)) => None,
        (expected, found) if std::mem::discriminant(expected) == std::mem::discriminant(found) => {
            None
        }
        (expected, found) => Some(format!("is {found} instead of {expected}")),
    }
}
