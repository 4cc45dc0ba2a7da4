//! Queries with many root fields: a missing object fails alone, unless its type is non-null.

use serde_json::{Value, json};

use super::support::{ROCKET, ask, query, view_batch};
use crate::client::Host;

#[tokio::test]
async fn a_missing_issue_does_not_affect_the_others() {
    let host = Host::demo().await;
    let body = ask(&host, view_batch(&[1, 4242, 2])).await;
    assert_eq!(
        body["data"],
        json!({
            "a1": { "issue": { "number": 1 } },
            "a2": { "issue": null },
            "a3": { "issue": { "number": 2 } },
        })
    );
    let errors = body["errors"].as_array().unwrap();
    assert_eq!(errors.len(), 1);
    assert_eq!(errors[0]["type"], "NOT_FOUND");
    assert_eq!(errors[0]["path"], json!(["a2", "issue"]));
    assert_eq!(
        errors[0]["message"],
        "Could not resolve to an Issue with the number of 4242."
    );
    assert!(errors[0]["locations"][0]["line"].is_number());
}

#[tokio::test]
async fn a_missing_root_object_is_null_and_does_not_affect_the_others() {
    let host = Host::demo().await;
    let document = format!(
        r#"{{
            a1: {ROCKET} {{ name }}
            a2: repository(owner: "acme", name: "nope") {{ name }}
            a3: user(login: "nobody") {{ login }}
            a4: node(id: "I_nope") {{ id }}
            a5: viewer {{ login }}
        }}"#
    );
    let body = query(&host, &document).await;
    assert_eq!(
        body["data"],
        json!({
            "a1": { "name": "rocket" }, "a2": null, "a3": null, "a4": null,
            "a5": { "login": "maya-chen" },
        })
    );
    assert_eq!(
        paths(&body),
        [json!(["a2"]), json!(["a3"]), json!(["a4"])],
        "{body}"
    );
    assert!(types(&body).iter().all(|kind| kind == "NOT_FOUND"));
}

#[tokio::test]
async fn an_error_in_a_non_null_root_field_makes_the_data_null() {
    let host = Host::demo().await;
    let ids = vec!["I_nope"; 101];
    for (field, kind) in [
        (
            "search(query: \"x\", type: ISSUE, first: 101) { issueCount }".to_owned(),
            "EXCESSIVE_PAGINATION",
        ),
        (
            format!("nodes(ids: {}) {{ id }}", json!(ids)),
            "ARGUMENT_LIMIT",
        ),
    ] {
        let document = format!("{{ a1: {ROCKET} {{ name }} a2: {field} a3: viewer {{ login }} }}");
        let body = query(&host, &document).await;
        assert_eq!(body.get("data"), Some(&Value::Null), "{field}");
        assert_eq!(paths(&body), [json!(["a2"])]);
        assert_eq!(types(&body), [kind]);
    }
}

#[tokio::test]
async fn an_unknown_id_in_nodes_has_alias_and_index_as_path() {
    let host = Host::demo().await;
    let document = "{ a1: viewer { login } a2: nodes(ids: [\"I_nope\"]) { id } }";
    let body = query(&host, document).await;
    assert_eq!(body["data"]["a2"], json!([null]));
    assert_eq!(paths(&body), [json!(["a2", 0])]);
}

#[tokio::test]
async fn an_invalid_root_field_refuses_the_whole_document() {
    let host = Host::demo().await;
    let document = "query Batch { a1: viewer { login } a2: viewer { nope } }";
    let body = query(&host, document).await;
    assert!(body.get("data").is_none());
    assert_eq!(paths(&body), [json!(["query Batch", "a2", "nope"])]);
    let body = query(&host, "{ a1: viewer { login } a2: viewer { nope } }").await;
    assert_eq!(paths(&body), [json!(["query", "a2", "nope"])]);
}

#[tokio::test]
async fn the_nodes_of_all_root_fields_count_together() {
    let host = Host::demo().await;
    let field = |alias: &str| {
        format!(
            "{alias}: {ROCKET} {{ issues(first: 100) {{ nodes {{ comments(first: 100) {{ nodes {{ reactions(first: 24) {{ totalCount }} }} }} }} }} }}"
        )
    };
    let document = |aliases: &[&str]| {
        let fields: Vec<_> = aliases.iter().map(|alias| field(alias)).collect();
        format!("{{ {} }}", fields.join(" "))
    };
    // 100 + 100 * 100 + 100 * 100 * 24 each.
    let body = query(&host, &document(&["a1"])).await;
    assert!(body.get("errors").is_none(), "{body}");
    let body = query(&host, &document(&["a1", "a2"])).await;
    assert!(body.get("data").is_none());
    assert_eq!(
        body["errors"],
        json!([{
            "type": "MAX_NODE_LIMIT_EXCEEDED",
            "message": "This query requests up to 500,200 possible nodes which exceeds the maximum limit of 500,000.",
        }])
    );
}

#[tokio::test]
async fn a_batch_returns_the_same_as_separate_requests() {
    let host = Host::demo().await;
    // Issues, pull requests and numbers that do not exist, each several times.
    let numbers: Vec<u64> = (1..=100).cycle().take(250).collect();
    let batch = ask(&host, view_batch(&numbers)).await;
    let data = batch["data"].as_object().unwrap();
    assert_eq!(data.len(), numbers.len());
    let mut failed = Vec::new();
    for (number, (alias, answer)) in numbers.iter().zip(data).take(100) {
        let alone = ask(&host, view_batch(&[*number])).await;
        assert_eq!(&alone["data"]["a1"], answer, "{number}");
        if alone.get("errors").is_some() {
            assert_eq!(paths(&alone), [json!(["a1", "issue"])]);
            failed.push(json!([alias, "issue"]));
        }
    }
    assert!((1..100).contains(&failed.len()));
    assert_eq!(paths(&batch)[..failed.len()], failed);
}

fn paths(body: &Value) -> Vec<Value> {
    all(body, "path")
}

fn types(body: &Value) -> Vec<Value> {
    all(body, "type")
}

fn all(body: &Value, key: &str) -> Vec<Value> {
    let errors = body["errors"].as_array().expect("errors");
    errors.iter().map(|error| error[key].clone()).collect()
}
