//! Mutations with many root fields: they run in order, and a refused one does not affect the others.

use github_sim::world::Token;
use serde_json::{Value, json};

use super::support::{OPEN, ask, close_batch, closed, issue, node_id, query};
use crate::client::Host;

#[tokio::test]
async fn root_fields_run_in_document_order_and_see_earlier_changes() {
    let host = Host::demo().await;
    let id = node_id(&host, 1);
    let comment = |alias: &str, text: &str| {
        format!(
            "{alias}: addComment(input: {{subjectId: {id}, body: \"{text}\"}}) {{ subject {{ ... on Issue {{ comments {{ totalCount }} }} }} }}"
        )
    };
    let before = issue(&host, 1).comments.len();
    // Neither the order of the aliases nor the position of the fragment definition matters.
    let document = format!(
        "mutation {{ {} ... on Mutation {{ {} }} ...rest }} fragment rest on Mutation {{ {} }}",
        comment("c", "one"),
        comment("b", "two"),
        comment("a", "three")
    );
    let body = query(&host, &document).await;
    let counts: Vec<_> = body["data"].as_object().unwrap().iter().collect();
    let counts: Vec<_> = counts
        .into_iter()
        .map(|(alias, payload)| {
            (
                alias.as_str(),
                payload["subject"]["comments"]["totalCount"].as_u64(),
            )
        })
        .collect();
    let count = |more: usize| Some((before + more) as u64);
    assert_eq!(
        counts,
        [("c", count(1)), ("b", count(2)), ("a", count(3))],
        "{body}"
    );
    let comments = issue(&host, 1).comments;
    let written: Vec<_> = comments[before..].iter().map(|c| c.body.as_str()).collect();
    assert_eq!(written, ["one", "two", "three"]);
}

#[tokio::test]
async fn a_refused_root_field_is_null_and_the_others_are_applied() {
    let host = Host::demo().await;
    let mut request = close_batch(&host, &OPEN);
    let document = request["query"].as_str().unwrap();
    request["query"] = Value::from(document.replace(&node_id(&host, 2).to_string(), "\"I_nope\""));
    let body = ask(&host, request).await;
    assert_eq!(
        body["data"],
        json!({
            "a1": { "issue": { "number": 1, "state": "CLOSED" } },
            "a2": null,
            "a3": { "issue": { "number": 3, "state": "CLOSED" } },
        })
    );
    assert_eq!(body["errors"].as_array().unwrap().len(), 1);
    assert_eq!(body["errors"][0]["type"], "NOT_FOUND");
    assert_eq!(body["errors"][0]["path"], json!(["a2"]));
    assert_eq!(closed(&host, &OPEN), [1, 3]);
}

#[tokio::test]
async fn a_root_field_can_fail_because_of_an_earlier_one() {
    let host = Host::demo().await;
    let id = host.get("/repos/acme/rocket").await.json()["node_id"].clone();
    let create = |alias: &str| {
        format!(
            "{alias}: createLabel(input: {{repositoryId: {id}, name: \"twice\", color: \"ededed\"}}) {{ label {{ name }} }}"
        )
    };
    let document = format!("mutation {{ {} {} }}", create("a1"), create("a2"));
    let body = query(&host, &document).await;
    assert_eq!(
        body["data"],
        json!({ "a1": { "label": { "name": "twice" } }, "a2": null })
    );
    assert_eq!(body["errors"][0]["path"], json!(["a2"]));
}

#[tokio::test]
async fn a_missing_scope_refuses_the_whole_document() {
    let host = Host::demo().await;
    host.sim.world(|world| {
        let token = Token {
            login: "maya-chen".to_owned(),
            scopes: vec!["gist".to_owned()],
        };
        world.tokens.insert("weak".to_owned(), token);
    });
    let request = close_batch(&host, &OPEN);
    let reply = host
        .send_with(
            "POST",
            "/graphql",
            &["authorization: token weak"],
            Some(request),
        )
        .await
        .unwrap();
    let body = reply.json();
    assert!(body.get("data").is_none(), "{body}");
    assert_eq!(body["errors"].as_array().unwrap().len(), 1);
    assert_eq!(body["errors"][0]["type"], "INSUFFICIENT_SCOPES");
    assert!(body["errors"][0].get("path").is_none());
    assert!(closed(&host, &OPEN).is_empty());
}

#[tokio::test]
async fn an_invalid_root_field_prevents_all_changes() {
    let host = Host::demo().await;
    let mut request = close_batch(&host, &OPEN);
    let document = request["query"].as_str().unwrap();
    request["query"] = Value::from(document.replacen("state", "nope", 3));
    let body = ask(&host, request).await;
    assert!(body.get("data").is_none());
    assert_eq!(body["errors"].as_array().unwrap().len(), 3);
    assert!(closed(&host, &OPEN).is_empty());
    assert!(!host.sim.requests()[0].applied);
}
