//! Both revisions of the protocol, message by message.

use serde_json::{Value, json};

use crate::client::{Client, initialize, modern, text};
use crate::fake::{Step, issue};

const VIEW: &str = "issue.view";

/// Returns the capabilities that the server declares in both revisions.
fn capabilities() -> Value {
    json!({
        "extensions": {"io.modelcontextprotocol/skills": {"directoryRead": true}},
        "prompts": {},
        "resources": {},
        "tools": {}
    })
}

#[tokio::test]
async fn revision_2025_11_25_opens_with_initialize() {
    let mut client = Client::new([Step::Answer(issue(1, "Leak"))]);
    let answer = client.ask(&initialize(1, "2025-11-25")).await;
    let result = &answer["result"];
    assert_eq!(result["protocolVersion"], "2025-11-25");
    assert_eq!(result["serverInfo"]["name"], "capstan");
    assert_eq!(result["capabilities"], capabilities());
    assert!(
        result["instructions"]
            .as_str()
            .unwrap()
            .contains("execute runs lines")
    );
    client
        .send(&json!({"jsonrpc": "2.0", "method": "notifications/initialized"}))
        .await;

    let list = client
        .ask(&json!({"jsonrpc": "2.0", "id": 2, "method": "tools/list"}))
        .await;
    let names: Vec<_> = list["result"]["tools"]
        .as_array()
        .unwrap()
        .iter()
        .map(|tool| tool["name"].as_str().unwrap())
        .collect();
    assert_eq!(names, ["execute", "explain", "search"]);
    // This revision does not have the fields of the later one.
    for later in ["resultType", "ttlMs", "cacheScope"] {
        assert!(list["result"].get(later).is_none(), "{later}");
    }

    let called = client
        .call("execute", json!({"capability": VIEW, "input": {"owner": "acme", "repo": "rocket", "issue_number": 1}}))
        .await;
    assert_eq!(called["isError"], false);
    assert_eq!(called["structuredContent"]["data"]["title"], "Leak");
    assert!(called.get("resultType").is_none());
}

#[tokio::test]
async fn revision_2026_07_28_needs_no_initialize() {
    let mut client = Client::new([Step::Answer(issue(1, "Leak"))]);
    let discovered = client.ask(&modern(1, "server/discover", json!({}))).await;
    let result = &discovered["result"];
    let versions = result["supportedVersions"].as_array().unwrap();
    assert!(versions.contains(&json!("2026-07-28")), "{result}");
    assert!(versions.contains(&json!("2025-11-25")), "{result}");
    assert_eq!(result["resultType"], "complete");
    assert_eq!(result["capabilities"], capabilities());
    assert!(
        result["instructions"]
            .as_str()
            .unwrap()
            .contains("execute runs lines")
    );
    assert_eq!(
        result["_meta"]["io.modelcontextprotocol/serverInfo"]["name"],
        "capstan"
    );
    assert!(result["ttlMs"].as_u64().unwrap() > 0);
    assert_eq!(result["cacheScope"], "public");

    let list = client.ask(&modern(2, "tools/list", json!({}))).await;
    let result = &list["result"];
    assert_eq!(result["resultType"], "complete");
    assert!(result["ttlMs"].as_u64().unwrap() > 0);
    assert_eq!(result["cacheScope"], "public");
    assert_eq!(result["tools"][0]["name"], "execute");

    let call = json!({"name": "execute", "arguments": {"capability": VIEW, "input": {"owner": "acme", "repo": "rocket", "issue_number": 1}}});
    let called = client.ask(&modern(3, "tools/call", call)).await;
    assert_eq!(called["result"]["resultType"], "complete");
    assert_eq!(called["result"]["structuredContent"]["ok"], true);
}

#[tokio::test]
async fn any_request_can_be_the_first_of_2026_07_28() {
    let mut client = Client::new([]);
    let answer = client
        .ask(&modern(
            1,
            "tools/call",
            json!({"name": "search", "arguments": {}}),
        ))
        .await;
    assert_eq!(answer["result"]["isError"], false);
}

#[tokio::test]
async fn a_request_without_a_revision_is_refused_and_the_next_one_works() {
    let mut client = Client::new([]);
    let refused = client
        .ask(&json!({"jsonrpc": "2.0", "id": 1, "method": "tools/list"}))
        .await;
    assert_eq!(refused["error"]["code"], -32602);
    assert!(
        refused["error"]["message"]
            .as_str()
            .unwrap()
            .contains("`initialize`")
    );

    let mut half = modern(2, "tools/list", json!({}));
    half["params"]["_meta"]
        .as_object_mut()
        .unwrap()
        .remove("io.modelcontextprotocol/clientCapabilities");
    let refused = client.ask(&half).await;
    assert_eq!(refused["error"]["code"], -32602);
    assert!(
        refused["error"]["message"]
            .as_str()
            .unwrap()
            .contains("clientCapabilities")
    );

    let answer = client.ask(&initialize(3, "2025-11-25")).await;
    assert_eq!(answer["result"]["protocolVersion"], "2025-11-25");
}

#[tokio::test]
async fn unknown_revisions_are_negotiated_or_refused() {
    let mut client = Client::new([]);
    let mut future = modern(1, "tools/list", json!({}));
    future["params"]["_meta"]["io.modelcontextprotocol/protocolVersion"] = json!("2031-01-01");
    let refused = client.ask(&future).await;
    assert_eq!(refused["error"]["code"], -32022);
    assert!(
        refused["error"]["data"]["supported"]
            .as_array()
            .unwrap()
            .contains(&json!("2026-07-28")),
        "{refused}"
    );
    // 2026-07-28 has no handshake, so `initialize` negotiates the newest revision that has one.
    let answer = client.ask(&initialize(2, "2026-07-28")).await;
    assert_eq!(answer["result"]["protocolVersion"], "2025-11-25");
    // The session then uses that revision.
    let list = client
        .ask(&json!({"jsonrpc": "2.0", "id": 3, "method": "tools/list"}))
        .await;
    assert!(list["result"].get("ttlMs").is_none(), "{list}");
}

#[tokio::test]
async fn notifications_before_the_first_request_do_no_harm() {
    let mut client = Client::new([]);
    for method in [
        "notifications/initialized",
        "notifications/cancelled",
        "$/lsp",
    ] {
        client
            .send(&json!({"jsonrpc": "2.0", "method": method, "params": {"requestId": 9}}))
            .await;
    }
    let answer = client
        .ask(&json!({"jsonrpc": "2.0", "id": 1, "method": "ping"}))
        .await;
    assert_eq!(answer["result"], json!({}));
    let answer = client.ask(&initialize(2, "2025-06-18")).await;
    assert_eq!(answer["result"]["protocolVersion"], "2025-06-18");
}

#[tokio::test]
async fn the_main_skill_is_also_a_prompt() {
    let mut client = Client::new([]);
    let list = client.ask(&modern(1, "prompts/list", json!({}))).await;
    assert_eq!(list["result"]["prompts"][0]["name"], "capstan");
    assert_eq!(list["result"]["cacheScope"], "public");
    let got = client
        .ask(&modern(2, "prompts/get", json!({"name": "capstan"})))
        .await;
    let message = &got["result"]["messages"][0];
    assert_eq!(message["role"], "user");
    assert_eq!(message["content"]["text"], capstan_server::mcp::MAIN_SKILL);
    let missing = client
        .ask(&modern(3, "prompts/get", json!({"name": "other"})))
        .await;
    assert_eq!(missing["error"]["code"], -32602);
    assert!(
        missing["error"]["message"]
            .as_str()
            .unwrap()
            .contains("`capstan`")
    );
}

#[tokio::test]
async fn equal_requests_get_equal_bytes() {
    let mut answers = Vec::new();
    for _ in 0..2 {
        let mut client = Client::new([Step::Answer(issue(1, "Leak"))]);
        let tools = client.ask(&modern(1, "tools/list", json!({}))).await;
        let call = json!({"name": "execute", "arguments": {"capability": VIEW, "input": {"owner": "acme", "repo": "rocket", "issue_number": 1}}});
        let called = client.ask(&modern(2, "tools/call", call)).await;
        answers.push((
            tools.to_string(),
            text(&called["result"]).to_owned(),
            called.to_string(),
        ));
    }
    assert_eq!(answers[0], answers[1]);
}

#[tokio::test]
async fn in_flight_responses_are_sent_when_the_input_ends() {
    let mut client = Client::new([]);
    client
        .send_raw(modern(1, "tools/list", json!({})).to_string().as_bytes())
        .await;
    // The line end was not sent.
    let rest = client.hang_up().await;
    assert_eq!(rest.len(), 1, "{rest:?}");
    assert!(rest[0].contains("\"execute\""));
}
