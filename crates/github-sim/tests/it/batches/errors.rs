//! Faults that add errors to parts of a batch's response.

use github_sim::{Fault, FaultKind};
use serde_json::{Value, json};

use super::support::{OPEN, ROCKET, ask, close_batch, closed, query, view_batch};
use crate::client::Host;

#[tokio::test]
async fn a_chosen_root_field_of_a_query_is_null() {
    let host = Host::demo().await;
    host.sim.inject(Fault::once(error(&json!(["a2"]))));
    let body = ask(&host, view_batch(&OPEN)).await;
    assert_eq!(body["data"], expected_views(&[1, 0, 3]));
    assert_eq!(
        body["errors"],
        json!([{
            "type": "SERVICE_UNAVAILABLE",
            "path": ["a2"],
            "locations": body["errors"][0]["locations"],
            "message": "try later",
        }])
    );
    let body = ask(&host, view_batch(&OPEN)).await;
    assert!(body.get("errors").is_none(), "it strikes once");
}

#[tokio::test]
async fn a_chosen_root_field_of_a_mutation_fails_and_is_executed_only_if_applied() {
    for (applied, left) in [(false, vec![1, 3]), (true, vec![1, 2, 3])] {
        let host = Host::demo().await;
        let mut fault = Fault::once(error(&json!(["a2"])));
        fault.applied = applied;
        host.sim.inject(fault);
        let body = ask(&host, close_batch(&host, &OPEN)).await;
        assert_eq!(body["data"]["a2"], Value::Null);
        assert_eq!(body["data"]["a3"]["issue"]["state"], "CLOSED");
        assert_eq!(body["errors"][0]["path"], json!(["a2"]));
        assert_eq!(closed(&host, &OPEN), left);
        let seen = &host.sim.requests()[0];
        assert_eq!(seen.applied_fields.contains(&"a2".to_owned()), applied);
    }
}

#[tokio::test]
async fn an_error_inside_a_payload_leaves_the_mutation_applied() {
    let host = Host::demo().await;
    host.sim
        .inject(Fault::once(error(&json!(["a2", "issue", "state"]))));
    let body = ask(&host, close_batch(&host, &OPEN)).await;
    // The state cannot be null, so the issue is.
    assert_eq!(body["data"]["a2"], json!({ "issue": null }));
    assert_eq!(body["errors"][0]["path"], json!(["a2", "issue", "state"]));
    assert_eq!(closed(&host, &OPEN), OPEN);
}

#[tokio::test]
async fn errors_report_the_given_path_and_null_the_value_at_it() {
    let host = Host::demo().await;
    let document = format!(
        "{{ a1: {ROCKET} {{ name issues(first: 2) {{ nodes {{ title author {{ login }} }} }} }} a2: viewer {{ login }} }}"
    );
    let whole = query(&host, &document).await["data"].clone();
    let lost = |pointer: &str| {
        let mut data = whole.clone();
        *data.pointer_mut(pointer).unwrap() = Value::Null;
        data
    };
    for (path, expected) in [
        // A heading before the alias.
        (json!(["query", "a1"]), lost("/a1")),
        (json!(["query Batch", "a1"]), lost("/a1")),
        // A list index in the middle, and at the end.
        (
            json!(["a1", "issues", "nodes", 1, "author"]),
            lost("/a1/issues/nodes/1/author"),
        ),
        (
            json!(["a1", "issues", "nodes", 1]),
            lost("/a1/issues/nodes/1"),
        ),
        // A non-null value makes its parent null.
        (
            json!(["a1", "issues", "nodes", 1, "title"]),
            lost("/a1/issues/nodes/1"),
        ),
        (json!(["a1", "issues"]), lost("/a1")),
        (json!(["a2"]), Value::Null),
        (json!(["a2", "login"]), Value::Null),
        // The path does not exist.
        (json!([0]), whole.clone()),
        (json!(["a7", 0]), whole.clone()),
        (json!(["a7"]), whole.clone()),
        (json!(["query"]), whole.clone()),
        (json!([]), whole.clone()),
    ] {
        host.sim.inject(Fault::once(error(&path)));
        let body = query(&host, &document).await;
        assert_eq!(body["data"], expected, "{path}");
        assert_eq!(body["errors"].as_array().unwrap().len(), 1, "{path}");
        assert_eq!(body["errors"][0]["path"], path);
    }
}

#[tokio::test]
async fn an_error_without_a_path_keeps_the_data() {
    let host = Host::demo().await;
    let pathless = |name: Option<&str>| FaultKind::PathlessError {
        error_type: "INTERNAL".to_owned(),
        message: "no idea where".to_owned(),
        name: name.map(str::to_owned),
    };
    host.sim.inject(Fault::once(pathless(None)));
    let body = ask(&host, view_batch(&OPEN)).await;
    assert_eq!(body["data"], expected_views(&[1, 2, 3]));
    assert_eq!(body["errors"][0]["message"], "no idea where");
    assert!(body["errors"][0].get("path").is_none());

    host.sim.inject(Fault::once(pathless(Some("a3"))));
    let body = ask(&host, close_batch(&host, &OPEN)).await;
    assert_eq!(body["data"]["a3"], Value::Null);
    assert!(body["errors"][0].get("path").is_none());
    assert_eq!(closed(&host, &OPEN), [1, 2]);
}

#[tokio::test]
async fn a_root_field_fails_with_an_internal_error_by_name_or_alias() {
    let host = Host::demo().await;
    let fail = |name: &str| FaultKind::RootFailure {
        name: name.to_owned(),
    };
    host.sim.inject(Fault::once(fail("a1")));
    let body = ask(&host, view_batch(&OPEN)).await;
    assert_eq!(body["data"], expected_views(&[0, 2, 3]));
    let error = &body["errors"][0];
    assert!(
        error["message"]
            .as_str()
            .unwrap()
            .starts_with("Something went wrong while executing your query")
    );
    assert_eq!(error["path"], json!(["a1"]));
    assert!(error.get("type").is_none());

    // All fields with the name, and no other request.
    host.sim.inject(Fault::once(fail("repository")));
    let body = query(&host, "{ viewer { login } }").await;
    assert!(body.get("errors").is_none());
    let body = ask(&host, view_batch(&OPEN)).await;
    assert_eq!(body["data"], expected_views(&[0, 0, 0]));
    assert_eq!(body["errors"].as_array().unwrap().len(), 3);

    host.sim.inject(Fault::once(fail("closeIssue")));
    ask(&host, close_batch(&host, &OPEN)).await;
    assert!(closed(&host, &OPEN).is_empty());
}

#[tokio::test]
async fn a_failing_non_null_root_field_makes_the_data_null() {
    let host = Host::demo().await;
    for field in [
        "viewer { login }",
        "meta { gitHubServicesSha }",
        "licenses { key }",
        "nodes(ids: []) { id }",
        "search(query: \"is:open\", type: ISSUE, first: 1) { issueCount }",
    ] {
        let document = format!("{{ a1: {ROCKET} {{ name }} a2: {field} }}");
        assert!(query(&host, &document).await.get("errors").is_none());
        let name = "a2".to_owned();
        host.sim
            .inject(Fault::once(FaultKind::RootFailure { name }));
        let body = query(&host, &document).await;
        assert_eq!(body.get("data"), Some(&Value::Null), "{field}");
        assert_eq!(body["errors"].as_array().unwrap().len(), 1, "{field}");
        assert_eq!(body["errors"][0]["path"], json!(["a2"]), "{field}");
    }
}

#[tokio::test]
async fn errors_combine_with_each_other_and_with_other_faults() {
    let host = Host::demo().await;
    let name = "a1".to_owned();
    host.sim
        .inject(Fault::once(FaultKind::RootFailure { name }));
    host.sim.inject(Fault::once(error(&json!(["a3", "issue"]))));
    let body = ask(&host, view_batch(&OPEN)).await;
    assert_eq!(
        body["data"],
        json!({ "a1": null, "a2": { "issue": { "number": 2 } }, "a3": { "issue": null } })
    );
    let errors = body["errors"].as_array().unwrap().iter();
    let paths: Vec<_> = errors.map(|error| error["path"].clone()).collect();
    assert_eq!(paths, [json!(["a1"]), json!(["a3", "issue"])]);

    host.sim.inject(Fault::once(error(&json!(["a2"]))));
    host.sim.inject(Fault::once(FaultKind::ResetAfter));
    let answer = host
        .send("POST", "/graphql", Some(close_batch(&host, &OPEN)))
        .await;
    assert!(answer.is_err());
    assert_eq!(closed(&host, &OPEN), [1, 3]);
}

#[tokio::test]
async fn a_missing_scope_refuses_and_reverts_the_whole_document() {
    let host = Host::demo().await;
    host.sim.inject(Fault::once(FaultKind::GraphqlError {
        error_type: "INSUFFICIENT_SCOPES".to_owned(),
        message: "Your token has not been granted the required scopes".to_owned(),
        path: Some(vec![json!("a3")]),
    }));
    let before = host.sim.world(|world| world.revision());
    let body = ask(&host, close_batch(&host, &OPEN)).await;
    assert!(body.get("data").is_none() && body["errors"][0].get("path").is_none());
    assert_eq!(host.sim.world(|world| world.revision()), before);
    assert!(closed(&host, &OPEN).is_empty());
    assert!(!host.sim.requests()[0].applied);

    host.sim.inject(Fault::once(FaultKind::Status403Scope));
    let body = ask(&host, view_batch(&OPEN)).await;
    assert!(body.get("data").is_none() && body["errors"][0].get("path").is_none());
}

fn error(path: &Value) -> FaultKind {
    FaultKind::GraphqlError {
        error_type: "SERVICE_UNAVAILABLE".to_owned(),
        message: "try later".to_owned(),
        path: path.as_array().cloned(),
    }
}

/// The expected data of a batch of views; 0 is a root field that is null.
fn expected_views(numbers: &[u64]) -> Value {
    let fields = numbers.iter().enumerate().map(|(index, number)| {
        let value = match number {
            0 => Value::Null,
            number => json!({ "issue": { "number": number } }),
        };
        (format!("a{}", index + 1), value)
    });
    Value::Object(fields.collect())
}
