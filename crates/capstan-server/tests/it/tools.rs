//! What the three tools answer.

use capstan_catalog::Catalog;
use capstan_core::{ErrorCode, Route, RouteRequest};
use capstan_engine::from_toon;
use serde_json::{Value, json};

use crate::client::{Client, text};
use crate::fake::{self, Event, Step, issue};

async fn client(steps: impl IntoIterator<Item = Step>) -> Client {
    Client::initialized(fake::engine(steps).0).await
}

fn view() -> Value {
    json!({"capability": "issue.view", "input": {"owner": "acme", "repo": "rocket", "issue_number": 1}})
}

#[tokio::test]
async fn execute_answers_with_the_envelope_as_json_and_as_toon() {
    let mut client = client([Step::Answer(issue(1, "Leak"))]).await;
    let result = client.call("execute", view()).await;
    let envelope = &result["structuredContent"];
    assert_eq!(result["isError"], false);
    assert_eq!(envelope["ok"], true);
    assert_eq!(envelope["data"]["title"], "Leak");
    assert_eq!(envelope["meta"]["capability_id"], "issue.view");
    assert_eq!(envelope["meta"]["route_used"], "graphql");
    assert_eq!(&from_toon(text(&result)).unwrap(), envelope);
}

#[tokio::test]
async fn the_format_option_chooses_the_text() {
    let mut client = client([Step::Answer(issue(1, "Leak"))]).await;
    let mut call = view();
    call["options"] = json!({"format": "json", "fields": ["number", "title"]});
    let result = client.call("execute", call).await;
    let json: Value = serde_json::from_str(text(&result)).unwrap();
    assert_eq!(json, result["structuredContent"]);
    assert_eq!(json["data"], json!({"number": 1, "title": "Leak"}));
}

#[tokio::test]
async fn a_failed_run_is_an_error_with_the_envelope() {
    let fails = || Step::Fail(ErrorCode::NotFound, "no issue 1 in acme/rocket");
    let mut client = client([fails()]).await;
    let result = client.call("execute", view()).await;
    assert_eq!(result["isError"], true);
    let envelope = &result["structuredContent"];
    assert_eq!(envelope["ok"], false);
    assert_eq!(envelope["error"]["code"], "NOT_FOUND");
    assert_eq!(&from_toon(text(&result)).unwrap(), envelope);
}

#[tokio::test]
async fn what_is_sent_is_what_was_asked_for() {
    let (capstan, mut events) = fake::engine([Step::Answer(issue(1, "Leak"))]);
    let mut client = Client::initialized(capstan).await;
    client.call("execute", view()).await;
    let Some(Event::Sent(RouteRequest::Graphql(request))) = events.recv().await else {
        panic!("no GraphQL request");
    };
    assert_eq!(
        Value::Object(request.variables),
        json!({"owner": "acme", "name": "rocket", "number": 1})
    );
}

#[tokio::test]
async fn explain_says_enough_for_a_right_first_call() {
    let mut client = client([]).await;
    let result = client
        .call("explain", json!({"capability": "issue.view"}))
        .await;
    assert_eq!(result["isError"], false);
    let text = text(&result);
    for part in [
        "issue.view (read)",
        "required: owner string, repo string, issue_number integer",
        "example input: {\"owner\":\"acme\"",
        "routes: graphql",
    ] {
        assert!(text.contains(part), "{part}: {text}");
    }
    let json = &result["structuredContent"];
    assert_eq!(json["capability_id"], "issue.view");
    assert_eq!(json["required"]["issue_number"], "integer");
}

#[tokio::test]
async fn an_unknown_capability_gets_near_matches_from_explain_and_execute() {
    let mut client = client([]).await;
    for (tool, arguments) in [
        ("explain", json!({"capability": "issue.veiw"})),
        ("execute", json!({"capability": "issue.veiw", "input": {}})),
    ] {
        let result = client.call(tool, arguments).await;
        assert_eq!(result["isError"], true);
        let error = &result["structuredContent"]["error"];
        assert_eq!(error["code"], "NOT_FOUND");
        assert_eq!(error["details"]["near"][0], "issue.view");
        assert!(text(&result).contains("issue.view"));
    }
}

#[tokio::test]
async fn search_without_intent_lists_everything() {
    let mut client = client([]).await;
    let catalog = Catalog::new(capstan_cards::CARDS);
    let all: Vec<_> = catalog.iter().map(|card| card.id).collect();
    for tool in ["search", "list_capabilities"] {
        let result = client.call(tool, json!({"kind": "card"})).await;
        let rows = result["structuredContent"]["capabilities"]
            .as_array()
            .unwrap();
        let ids: Vec<_> = rows.iter().map(|row| row["id"].as_str().unwrap()).collect();
        assert_eq!(ids, all);
        assert_eq!(text(&result).lines().count(), all.len());
        assert_eq!(result["structuredContent"]["total"], all.len());
        let result = client.call(tool, json!({})).await;
        let said = text(&result);
        for id in all.iter().copied().chain(["cap.list", "trace.show"]) {
            assert!(said.contains(&format!("{id}: ")), "{id}");
        }
    }
}

#[tokio::test]
async fn search_ranks_filters_and_limits() {
    let mut client = client([]).await;
    let result = client
        .call(
            "search",
            json!({"intent": "close the ticket", "kind": "card"}),
        )
        .await;
    assert_eq!(
        result["structuredContent"]["capabilities"][0]["id"],
        "issue.close"
    );

    let result = client
        .call("search", json!({"domain": "issue", "limit": 1}))
        .await;
    assert_eq!(
        result["structuredContent"]["capabilities"]
            .as_array()
            .unwrap()
            .len(),
        1
    );
    let total = result["structuredContent"]["total"].as_u64().unwrap();
    assert!(total > 1);
    let last = text(&result).lines().last().unwrap();
    assert_eq!(last, format!("1 of {total}; limit={total} shows all"));
}

#[tokio::test]
async fn an_empty_search_says_what_was_searched() {
    let mut client = client([]).await;
    let cases = [
        (json!({"intent": "xyzzy"}), "`xyzzy`"),
        (
            json!({"intent": "xyzzy", "domain": "issue"}),
            "in domain `issue`",
        ),
        (
            json!({"domain": "kitchen"}),
            "the domains are cap, dep, graph, issue, pr",
        ),
    ];
    for (arguments, said) in cases {
        let result = client.call("search", arguments).await;
        assert_eq!(result["isError"], false);
        assert_eq!(result["structuredContent"]["total"], 0);
        assert!(text(&result).contains(said), "{}", text(&result));
    }
}

#[tokio::test]
async fn a_route_that_does_not_exist_here_is_an_envelope_too() {
    let mut client = client([]).await;
    let mut call = view();
    call["options"] = json!({"route": Route::Rest});
    let result = client.call("execute", call).await;
    assert_eq!(result["isError"], true);
    assert_eq!(result["structuredContent"]["ok"], false);
}
