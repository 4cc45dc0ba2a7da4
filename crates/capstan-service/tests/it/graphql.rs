//! GraphQL: batches of one service, and what errors mean.

use serde_json::{Value, json};

use crate::server::{Received, Reply, Server};
use crate::support::{Bench, service};

/// Answers every field of a document by its alias or name, as far as these tests need it.
fn answer(request: &Received) -> Value {
    let sent = request.json();
    let document = sent["query"].as_str().unwrap();
    let is_mutation = document.trim_start().starts_with("mutation");
    let field = if is_mutation { "renameThing" } else { "thing" };
    let value = if is_mutation {
        json!({"thing": {"name": "n"}})
    } else {
        json!({"name": "n"})
    };
    let mut data = serde_json::Map::new();
    for (at, _) in document.match_indices(&format!("{field}(")) {
        let before = document[..at].trim_end();
        let alias = before.strip_suffix(':').map(|before| {
            let word = before.trim_end().rsplit([' ', '\n', '{', ',']).next();
            word.unwrap().to_owned()
        });
        data.insert(alias.unwrap_or_else(|| field.to_owned()), value.clone());
    }
    json!({"data": data})
}

#[tokio::test]
async fn steps_of_one_service_share_a_request_and_those_of_another_do_not() {
    let gitlab = Server::start(|_, request| Reply::ok(answer(request))).await;
    let shop = Server::start(|_, request| Reply::ok(answer(request))).await;
    let bench = Bench::new([service("gitlab", &gitlab), service("shop", &shop)]);
    let chain = bench
        .chain([
            ("gitlab.thing.view", json!({"id": "1"})),
            ("shop.thing.view", json!({"id": "1"})),
            ("gitlab.thing.view", json!({"id": "2"})),
            ("shop.thing.view", json!({"id": "2"})),
            ("gitlab.thing.rename", json!({"id": "1", "name": "n"})),
            ("shop.thing.rename", json!({"id": "1", "name": "n"})),
            ("gitlab.thing.rename", json!({"id": "2", "name": "n"})),
        ])
        .await;
    assert_eq!(chain["status"], "success", "{chain}");
    for (server, reads, writes) in [(&gitlab, 2, 2), (&shop, 2, 1)] {
        let documents: Vec<_> = server
            .received()
            .iter()
            .map(|it| it.json()["query"].to_string())
            .collect();
        assert_eq!(server.targets(), ["/graphql", "/graphql"], "{documents:?}");
        let count = |field: &str| {
            documents
                .iter()
                .map(|it| it.matches(field).count())
                .sum::<usize>()
        };
        assert_eq!(
            (count(" thing("), count(" renameThing(")),
            (reads, writes),
            "{documents:?}"
        );
    }
}

#[tokio::test]
async fn errors_mean_what_their_structure_says() {
    let with_code = |code: &str| json!({"errors": [{"message": "no", "extensions": {"code": code}, "path": ["renameThing"]}]});
    for (status, body, code, outcome) in [
        (200, with_code("FORBIDDEN"), "AUTH", "not_applied"),
        (
            200,
            with_code("BAD_USER_INPUT"),
            "VALIDATION",
            "not_applied",
        ),
        (200, with_code("INTERNAL_SERVER_ERROR"), "SERVER", "unknown"),
        (200, with_code("OWN_CODE"), "UNKNOWN", "unknown"),
        (
            200,
            json!({"errors": [{"message": "no field `x`", "locations": [{"line": 1, "column": 1}]}]}),
            "VALIDATION",
            "not_applied",
        ),
        (
            200,
            json!({"data": {"renameThing": null}, "errors": [{"message": "no", "path": ["renameThing", "thing"]}]}),
            "UNKNOWN",
            "unknown",
        ),
        (200, json!({"neither": 1}), "SERVER", "unknown"),
        (
            400,
            json!({"errors": [{"message": "syntax"}]}),
            "VALIDATION",
            "not_applied",
        ),
        (502, json!({}), "SERVER", "unknown"),
    ] {
        let said = body.clone();
        let server = Server::start(move |_, _| Reply::json(status, body.clone())).await;
        let bench = Bench::new([service("gitlab", &server)]);
        let envelope = bench
            .run("gitlab.thing.rename", json!({"id": "1", "name": "n"}))
            .await;
        assert_eq!(envelope["error"]["code"], code, "{said} {envelope}");
        assert_eq!(
            envelope["error"]["details"]["outcome"], outcome,
            "{said} {envelope}"
        );
        assert_eq!(server.received().len(), 1, "{said}");
    }
}

#[tokio::test]
async fn a_service_without_graphql_says_which_key_is_missing() {
    let server = Server::start(|_, _| Reply::Lost).await;
    let mut settings = service("gitlab", &server);
    settings.graphql_url = None;
    // The adapter exists, as if the configuration had been changed meanwhile.
    let envelope = Bench::new([settings])
        .run("gitlab.thing.view", json!({"id": "1"}))
        .await;
    let message = envelope["error"]["message"].as_str().unwrap();
    assert!(message.contains("`graphql_url`"), "{message}");
}
