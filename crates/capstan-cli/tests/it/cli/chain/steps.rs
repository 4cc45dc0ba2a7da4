//! Chains that the tests run.

use serde_json::{Map, Value, json};

/// What the steps of a test begin with.
pub(super) fn step(task: &str, input: Value) -> Value {
    let mut all = Map::from_iter([
        ("owner".to_owned(), "acme".into()),
        ("repo".to_owned(), "rocket".into()),
    ]);
    if let Value::Object(given) = input {
        all.extend(given);
    }
    json!({"task": task, "input": all})
}

pub(super) fn view(number: u64) -> Value {
    step("issue.view", json!({"issue_number": number}))
}

pub(super) fn named(name: &str, mut step: Value) -> Value {
    step["as"] = name.into();
    step
}

/// All ok, with references.
pub(super) fn success() -> Value {
    json!([
        named("issue", view(1)),
        step(
            "issue.labels.add",
            json!({"issue_number": "$issue.data.number", "labels": ["gnc"]})
        ),
        step(
            "issue.comments.create",
            json!({"issue_number": "$0.data.number", "body": "$issue.data.title"})
        ),
        step("issue.close", json!({"issue_number": 2})),
        step("issue.reopen", json!({"issue_number": 3})),
        step("issue.list", json!({"first": 2})),
        step("issue.list", json!({"label": "no-such-label"})),
        step("pr.checks.list", json!({"pr_number": 33})),
        step("workflow.runs.list", json!({"first": 4})),
        step("repo.view", json!({})),
    ])
}

/// A step fails, and with it those that refer to it.
pub(super) fn partial() -> Value {
    json!([
        view(1),
        named("lost", view(4242)),
        named(
            "closed",
            step("issue.close", json!({"issue_number": "$lost.data.number"}))
        ),
        step(
            "issue.comments.create",
            json!({"issue_number": "$closed.data.number", "body": "Done"})
        ),
    ])
}

pub(super) fn failed() -> Value {
    json!([
        view(4242),
        step("issue.close", json!({"issue_number": 4243})),
    ])
}

/// Two steps are wrong, the others would be right.
pub(super) fn rejected() -> Value {
    json!([
        view(1),
        step("issue.veiw", json!({})),
        named("the pr", step("pr.view", json!({"pr_number": 27}))),
        step("issue.close", json!({"issue_number": "$0.data.title"})),
    ])
}
