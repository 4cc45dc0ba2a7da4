//! The results of the tools.

use capstan_catalog::Catalog;
use capstan_core::{ErrorCode, Route, RouteRequest};
use capstan_server::mcp::McpOptions;
use serde_json::{Value, json};

use crate::client::{Client, modern, text};
use crate::fake::{self, Event, Step, issue};

async fn client(steps: impl IntoIterator<Item = Step>) -> Client {
    Client::initialized(fake::engine(steps).0).await
}

fn view() -> Value {
    json!({"capability": "issue.view", "input": {"owner": "acme", "repo": "rocket", "issue_number": 1}})
}

#[tokio::test]
async fn execute_returns_text_and_the_structured_envelope() {
    let mut client = client([Step::Answer(issue(1, "Leak"))]).await;
    let result = client.call("execute", view()).await;
    let envelope = &result["structuredContent"];
    assert_eq!(result["isError"], false);
    assert_eq!(envelope["ok"], true);
    assert_eq!(envelope["data"]["title"], "Leak");
    assert_eq!(envelope["meta"]["capability_id"], "issue.view");
    assert_eq!(envelope["meta"]["route_used"], "graphql");
    let said = text(&result);
    assert!(said.contains("title: Leak"), "{said}");
    assert!(!said.contains("graphql") && !said.contains("ok"), "{said}");
}

/// Clients that get both text and JSON show the model the JSON, which costs more tokens.
#[tokio::test]
async fn structured_content_is_sent_only_on_request() {
    let (capstan, _events) = fake::engine([
        Step::Answer(issue(1, "Leak")),
        Step::Answer(issue(1, "Leak")),
    ]);
    let mut client = Client::with_options(capstan, McpOptions::default());
    let params = |arguments: Value| json!({"name": "execute", "arguments": arguments});
    let asked = client.ask(&modern(1, "tools/call", params(view()))).await;
    let result = &asked["result"];
    assert!(result.get("structuredContent").is_none(), "{result}");
    assert!(text(result).contains("title: Leak"));
    let mut call = view();
    call["options"] = json!({"format": "json"});
    let asked = client.ask(&modern(2, "tools/call", params(call))).await;
    assert_eq!(
        asked["result"]["structuredContent"]["data"]["title"],
        "Leak"
    );
    for (number, tool, arguments) in [
        (
            3,
            "explain",
            json!({"capability": ["issue.view", "pr.view"]}),
        ),
        (4, "search", json!({"intent": "close an issue"})),
        (5, "execute", json!({"lines": ["issue.vew 1"]})),
    ] {
        let params = json!({"name": tool, "arguments": arguments});
        let asked = client.ask(&modern(number, "tools/call", params)).await;
        let result = &asked["result"];
        assert!(result.get("structuredContent").is_none(), "{result}");
        assert!(!text(result).is_empty());
    }
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
async fn a_failed_run_is_an_error_result_with_the_envelope() {
    let fails = || Step::Fail(ErrorCode::NotFound, "no issue 1 in acme/rocket");
    let mut client = client([fails()]).await;
    let result = client.call("execute", view()).await;
    assert_eq!(result["isError"], true);
    let envelope = &result["structuredContent"];
    assert_eq!(envelope["ok"], false);
    assert_eq!(envelope["error"]["code"], "NOT_FOUND");
    assert_eq!(text(&result), "NOT_FOUND: no issue 1 in acme/rocket");
}

#[tokio::test]
async fn execute_sends_the_input_as_variables() {
    let (capstan, mut events) = fake::engine([Step::Answer(issue(1, "Leak"))]);
    let mut client = Client::initialized(capstan).await;
    client.call("execute", view()).await;
    let Some(Event::Sent(RouteRequest::Graphql(request))) = events.recv().await else {
        panic!("no GraphQL request");
    };
    assert_eq!(
        Value::Object(request.variables),
        json!({"owner": "acme", "name": "rocket", "number": 1, "comments": false})
    );
}

#[tokio::test]
async fn explain_shows_what_a_first_call_needs() {
    let mut client = client([]).await;
    let result = client
        .call("explain", json!({"capability": "issue.view"}))
        .await;
    assert_eq!(result["isError"], false);
    let text = text(&result);
    for part in [
        "issue.view NUMBER",
        "read: Show one issue",
        "output: id, number, title",
        "example: issue.view 1 --repo acme/rocket",
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
async fn search_without_intent_lists_capabilities_or_domains() {
    let mut client = client([]).await;
    let catalog = Catalog::new(&capstan_cards::CARDS);
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
        assert!(said.starts_with("github 2, issue "), "{said}");
        let issues = all.iter().filter(|id| id.starts_with("issue.")).count();
        assert_eq!(result["structuredContent"]["domains"]["issue"], issues);
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
async fn a_search_without_matches_says_what_was_searched() {
    let mut client = client([]).await;
    let cases = [
        (json!({"intent": "xyzzy"}), "`xyzzy`"),
        (
            json!({"intent": "xyzzy", "domain": "issue"}),
            "in domain `issue`",
        ),
        (
            json!({"domain": "kitchen"}),
            "the domains are cap, dep, github, graph, issue, pr",
        ),
    ];
    for (arguments, expected) in cases {
        let result = client.call("search", arguments).await;
        assert_eq!(result["isError"], false);
        assert_eq!(result["structuredContent"]["total"], 0);
        assert!(text(&result).contains(expected), "{}", text(&result));
    }
}

#[tokio::test]
async fn an_unavailable_route_is_an_error_envelope() {
    let mut client = client([]).await;
    let mut call = view();
    call["options"] = json!({"route": Route::Rest});
    let result = client.call("execute", call).await;
    assert_eq!(result["isError"], true);
    assert_eq!(result["structuredContent"]["ok"], false);
}

#[tokio::test]
async fn the_split_option_adds_a_read_tool() {
    let (capstan, _events) = fake::engine([Step::Answer(issue(1, "Leak"))]);
    let options = McpOptions {
        split: true,
        ..McpOptions::default()
    };
    let mut client = Client::with_options(capstan, options);
    let list = client.ask(&modern(1, "tools/list", json!({}))).await;
    let tools = list["result"]["tools"].as_array().unwrap();
    let names: Vec<_> = tools
        .iter()
        .map(|tool| tool["name"].as_str().unwrap())
        .collect();
    assert_eq!(names, ["read", "execute", "explain", "search"]);
    assert_eq!(tools[0]["annotations"]["readOnlyHint"], true);
    assert!(tools[1].get("annotations").is_none());
    let call = |number: u64, arguments: Value| {
        modern(
            number,
            "tools/call",
            json!({"name": "read", "arguments": arguments}),
        )
    };
    let read = client
        .ask(&call(
            2,
            json!({"lines": ["issue.view 1 --repo acme/rocket"]}),
        ))
        .await;
    assert!(text(&read["result"]).contains("title: Leak"), "{read}");
    for refused in [
        json!({"lines": ["issue.view 1 --repo acme/rocket", "issue.close 1 --repo acme/rocket"]}),
        json!({"capability": "issue.close", "input": {"owner": "acme", "repo": "rocket", "issue_number": 1}}),
        json!({"code": "return 1"}),
    ] {
        let answer = client.ask(&call(3, refused.clone())).await;
        assert_eq!(answer["result"]["isError"], true, "{refused}");
        assert!(text(&answer["result"]).starts_with("POLICY: "), "{answer}");
    }
}

#[tokio::test]
async fn a_read_only_server_marks_all_tools_as_read_only() {
    let (capstan, _events) = fake::engine([]);
    let options = McpOptions {
        read_only: true,
        ..McpOptions::default()
    };
    let mut client = Client::with_options(capstan, options);
    let list = client.ask(&modern(1, "tools/list", json!({}))).await;
    let tools = list["result"]["tools"].as_array().unwrap();
    assert!(
        tools
            .iter()
            .all(|tool| tool["annotations"]["readOnlyHint"] == true)
    );
}

#[tokio::test]
async fn invalid_lines_are_reported_with_their_forms_and_valid_ones_are_not() {
    let (capstan, mut events) = fake::engine([]);
    let mut client = Client::with_options(capstan, McpOptions::default());
    let lines = json!({"lines": ["issue.view 1 --repo acme/rocket", "issue.close --reason done", "issue.lst"]});
    let params = json!({"name": "execute", "arguments": lines});
    let answer = client.ask(&modern(1, "tools/call", params)).await;
    let said = text(&answer["result"]);
    assert_eq!(answer["result"]["isError"], true);
    assert!(said.starts_with("nothing was run\n[1] "), "{said}");
    assert!(
        said.contains("Right: issue.close NUMBER [--reason completed|not_planned]"),
        "{said}"
    );
    assert!(
        said.contains("[2] there is no `issue.lst`. Did you mean:\n  issue.list "),
        "{said}"
    );
    assert!(!said.contains("[0]"), "{said}");
    assert!(events.try_recv().is_err(), "nothing was sent");
}

/// A single line has no other line to refer to. What looks like a reference must not be sent with other content.
#[tokio::test]
async fn a_dollar_reference_in_a_single_line_is_refused() {
    let (capstan, mut events) = fake::engine([]);
    let mut client = Client::with_options(capstan, McpOptions::default());
    for (number, body) in [(1, "$HOME.path"), (2, "'$HOME.path'"), (3, "$0.title")] {
        let line = format!("issue.comments.create 1 --repo acme/rocket --body {body}");
        let params = json!({"name": "execute", "arguments": {"lines": [line]}});
        let answer = client.ask(&modern(number, "tools/call", params)).await;
        assert_eq!(answer["result"]["isError"], true, "{body}: {answer}");
        assert!(text(&answer["result"]).contains("refers to"), "{answer}");
    }
    assert!(events.try_recv().is_err(), "nothing was sent");
}
