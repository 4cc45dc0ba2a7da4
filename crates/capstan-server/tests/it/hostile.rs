//! Malformed and hostile lines: each gets an error or no reply, and the server keeps working.

use serde_json::{Value, json};

use crate::client::{Client, modern};
use crate::fake::TOKEN;

async fn assert_still_works(client: &mut Client) {
    let answer = client.ask(&modern(4_000, "tools/list", json!({}))).await;
    assert_eq!(answer["result"]["tools"][0]["name"], "execute");
}

#[tokio::test]
async fn lines_that_are_not_json_are_parse_errors() {
    let mut client = Client::new([]);
    let deep = format!("{}{}", "[".repeat(100_000), "]".repeat(100_000));
    let lines: [&[u8]; 6] = [
        b"hello",
        b"{\"jsonrpc\":\"2.0\",",
        b"{\"a\":}",
        b"\xff\xfe\x00",
        b"Content-Length: 12\r",
        deep.as_bytes(),
    ];
    for line in lines {
        client.send_raw(line).await;
        client.send_raw(b"\n").await;
        let answer = client.receive().await;
        assert_eq!(answer["error"]["code"], -32700, "{answer}");
        assert!(answer.get("id").is_none(), "{answer}");
    }
    assert_still_works(&mut client).await;
}

/// Otherwise one of the two values would be lost silently.
#[tokio::test]
async fn duplicate_keys_are_refused_with_their_location() {
    let mut client = Client::new([]);
    let call = |arguments: &str| {
        format!(
            r#"{{"jsonrpc":"2.0","id":7,"method":"tools/call","params":{{"name":"execute","arguments":{arguments}}}}}"#
        )
    };
    for (line, expected) in [
        (
            call(r#"{"capability":"issue.close","input":{"issue_number":1,"issue_number":2}}"#),
            "the key `issue_number` is given twice in `params.arguments.input`",
        ),
        (
            call(r#"{"capability":"issue.view","capability":"issue.close"}"#),
            "the key `capability` is given twice in `params.arguments`",
        ),
        (
            call(r#"{"steps":[{"task":"issue.view","input":{"a":1,"a":1}}]}"#),
            "the key `a` is given twice in `params.arguments.steps[0].input`",
        ),
        (
            r#"{"jsonrpc":"2.0","id":7,"method":"tools/list","method":"ping"}"#.to_owned(),
            "the key `method` is given twice",
        ),
    ] {
        client.send_raw(line.as_bytes()).await;
        client.send_raw(b"\n").await;
        let answer = client.receive().await;
        assert_eq!(answer["error"]["code"], -32602, "{answer}");
        assert_eq!(answer["id"], 7, "{answer}");
        let message = answer["error"]["message"].as_str().unwrap();
        assert!(message.starts_with(expected), "{message}");
    }
    // The same holds if a model sends an object as a text.
    let arguments = json!({
        "capability": "issue.view",
        "input": r#"{"issue_number":1,"issue_number":2}"#,
    });
    let params = json!({"name": "execute", "arguments": arguments});
    let answer = client
        .ask(&modern(8, "tools/call", params))
        .await
        .to_string();
    assert!(
        answer.contains("the key `issue_number` is given twice"),
        "{answer}"
    );
    assert_still_works(&mut client).await;
}

#[tokio::test]
async fn json_that_is_not_a_message_is_an_invalid_request() {
    let mut client = Client::new([]);
    let cases = [
        (json!(5), Value::Null),
        (json!("x"), Value::Null),
        (
            json!([{"jsonrpc": "2.0", "id": 1, "method": "ping"}]),
            Value::Null,
        ),
        (json!({}), Value::Null),
        (json!({"jsonrpc": "2.0", "id": 3}), json!(3)),
        (
            json!({"jsonrpc": "1.0", "id": 4, "method": "ping"}),
            json!(4),
        ),
        (json!({"id": "five", "method": "ping"}), json!("five")),
        (json!({"jsonrpc": "2.0", "id": 6, "method": 6}), json!(6)),
        (
            json!({"jsonrpc": "2.0", "id": {"a": 1}, "method": "ping"}),
            Value::Null,
        ),
        (
            json!({"jsonrpc": "2.0", "id": 7, "method": "tools/call", "params": [1]}),
            json!(7),
        ),
    ];
    for (line, id) in cases {
        client.send(&line).await;
        let answer = client.receive().await;
        assert_eq!(answer["error"]["code"], -32600, "{line} → {answer}");
        assert_eq!(answer["id"], id, "{line} → {answer}");
    }
    assert_still_works(&mut client).await;
}

#[tokio::test]
async fn responses_notifications_and_blank_lines_get_no_reply() {
    let mut client = Client::new([]);
    client.send_raw(b"\n\r\n   \n\xEF\xBB\xBF\n").await;
    for line in [
        json!({"jsonrpc": "2.0", "id": 12, "result": {}}),
        json!({"jsonrpc": "2.0", "id": 12, "error": {"code": -1, "message": "no"}}),
        json!({"jsonrpc": "2.0", "error": "odd"}),
        json!({"jsonrpc": "2.0", "method": "notifications/nobody/knows", "params": {}}),
        json!({"jsonrpc": "2.0", "method": "notifications/cancelled", "params": {"requestId": {}}}),
        json!({"jsonrpc": "2.0", "method": "notifications/progress", "params": 5}),
    ] {
        client.send(&line).await;
    }
    // The next line must be the response to this request.
    assert_still_works(&mut client).await;
}

#[tokio::test]
async fn a_line_that_is_too_long_is_dropped_with_an_error() {
    let mut client = Client::new([]);
    let chunk = vec![b'x'; 64 * 1024];
    for _ in 0..160 {
        client.send_raw(&chunk).await;
    }
    client.send_raw(b"\n").await;
    let answer = client.receive().await;
    assert_eq!(answer["error"]["code"], -32600);
    assert!(
        answer["error"]["message"]
            .as_str()
            .unwrap()
            .contains("8388608 bytes")
    );
    assert_still_works(&mut client).await;
}

#[tokio::test]
async fn unknown_methods_and_bad_params_are_errors_with_the_request_id() {
    let mut client = Client::new([]);
    let cases = [
        ("no/such/method", json!({}), -32601),
        ("logging/setLevel", json!({"level": "debug"}), -32601),
        (
            "resources/read",
            json!({"uri": "file:///etc/passwd"}),
            -32602,
        ),
        ("resources/read", json!({"uri": 5}), -32602),
        ("resources/list", json!({"cursor": "nobody's"}), -32602),
        ("skills/list", json!({"cursor": 5}), -32602),
        ("skills/get", json!({}), -32602),
        ("skills/get", json!({"uri": []}), -32602),
        ("skills/delete", json!({}), -32601),
        ("tasks/get", json!({"taskId": "x"}), -32601),
        ("ping", json!({}), -32601),
        ("tools/call", json!({}), -32602),
        ("tools/call", json!({"name": 5}), -32602),
        ("prompts/get", json!({"name": []}), -32602),
        (
            "initialize",
            json!({"protocolVersion": "2026-07-28"}),
            -32601,
        ),
        (
            "tools/call",
            json!({"name": "delete_everything", "arguments": {}}),
            -32602,
        ),
    ];
    for (id, (method, params, code)) in (1_u64..).zip(cases) {
        let answer = client.ask(&modern(id, method, params)).await;
        assert_eq!(answer["error"]["code"], code, "{method} → {answer}");
    }
    let half = json!({"jsonrpc": "2.0", "id": 99, "method": "initialize", "params": {"protocolVersion": 1}});
    let answer = client.ask(&half).await;
    assert_eq!(answer["error"]["code"], -32602, "{answer}");
    assert_still_works(&mut client).await;
}

#[tokio::test]
async fn the_error_for_an_unknown_tool_lists_the_tools() {
    let mut client = Client::new([]);
    let call = json!({"name": "delete_everything", "arguments": {}});
    let answer = client.ask(&modern(1, "tools/call", call)).await;
    let message = answer["error"]["message"].as_str().unwrap();
    assert!(message.contains("execute, explain, search"), "{message}");
}

#[tokio::test]
async fn a_request_whose_id_is_in_use_is_refused() {
    let (capstan, mut events) = crate::fake::engine([crate::fake::Step::Hang]);
    let mut client = Client::structured(capstan);
    let call = json!({"name": "execute", "arguments": {"capability": "issue.view", "input": {"owner": "acme", "repo": "rocket", "issue_number": 1}}});
    client.send(&modern(1, "tools/call", call)).await;
    events.recv().await;
    let answer = client.ask(&modern(1, "tools/list", json!({}))).await;
    assert_eq!(answer["error"]["code"], -32600, "{answer}");
    // The first request can still be cancelled, which frees its id.
    client
        .send(&json!({"jsonrpc": "2.0", "method": "notifications/cancelled", "params": {"requestId": 1}}))
        .await;
    assert_eq!(events.recv().await, Some(crate::fake::Event::Dropped));
    let answer = client.ask(&modern(1, "tools/list", json!({}))).await;
    assert_eq!(answer["result"]["tools"][0]["name"], "execute");
}

#[tokio::test]
async fn errors_do_not_repeat_secrets() {
    let mut client = Client::new([]);
    let calls = [
        json!({"name": "execute", "arguments": {TOKEN: 1}}),
        json!({"name": "execute", "arguments": {"capability": TOKEN, "input": {}}}),
        json!({"name": "execute", "arguments": {"capability": "issue.view", "options": {TOKEN: 1}}}),
        json!({"name": "execute", "arguments": {"capability": "issue.view", "options": {"route": TOKEN}}}),
        json!({"name": "execute", "arguments": {"intent": TOKEN}}),
        json!({"name": "execute", "arguments": {"steps": [{"task": TOKEN}, {"task": "repo.view"}]}}),
        json!({"name": "execute", "arguments": {"steps": [{"task": "repo.view", "as": TOKEN}]}}),
        json!({"name": "execute", "arguments": {"steps": [{"task": "repo.view", TOKEN: 1}]}}),
        json!({"name": "execute", "arguments": {"steps": [{"task": "repo.view", "input": {TOKEN: 1}}]}}),
        json!({"name": "execute", "arguments": {"steps": [{"task": "repo.view", "options": {"route": TOKEN}}]}}),
        json!({"name": "execute", "arguments": {"steps": TOKEN}}),
        json!({"name": "execute", "arguments": {"steps": [TOKEN], TOKEN: 1}}),
        json!({"name": "explain", "arguments": {"capability": TOKEN}}),
        json!({"name": "search", "arguments": {"intent": TOKEN, "domain": TOKEN}}),
        json!({"name": "search", "arguments": {"intent": TOKEN}}),
        json!({"name": "search", "arguments": {"kind": TOKEN}}),
        json!({"name": TOKEN, "arguments": {}}),
    ];
    for (id, call) in (1_u64..).zip(calls) {
        let answer = client
            .ask(&modern(id, "tools/call", call))
            .await
            .to_string();
        assert!(!answer.contains(TOKEN), "{answer}");
    }
    for (id, method) in
        (100_u64..).zip(["skills/get", "resources/read", "resources/directory/read"])
    {
        let params = json!({"uri": format!("skill://{TOKEN}/SKILL.md")});
        let answer = client.ask(&modern(id, method, params)).await.to_string();
        assert!(!answer.contains(TOKEN), "{answer}");
    }
    client.send_raw(format!("{TOKEN}\n").as_bytes()).await;
    let answer = client.receive().await.to_string();
    assert!(!answer.contains(TOKEN), "{answer}");
}
