//! Cancellation stops running calls, and long calls are reported.

use std::time::Duration;

use capstan_core::card::Operation;
use serde_json::{Value, json};

use crate::client::{Client, modern};
use crate::fake::{self, Event, Step, issue};

fn view(id: u64, progress_token: Option<Value>) -> Value {
    let call = json!({"name": "execute", "arguments": {"capability": "issue.view", "input": {"owner": "acme", "repo": "rocket", "issue_number": 1}}});
    let mut request = modern(id, "tools/call", call);
    if let Some(token) = progress_token {
        request["params"]["_meta"]["progressToken"] = token;
    }
    request
}

fn cancelled(id: u64) -> Value {
    json!({"jsonrpc": "2.0", "method": "notifications/cancelled", "params": {"requestId": id, "reason": "bored"}})
}

#[tokio::test]
async fn a_cancelled_call_stops_its_request_and_gets_no_response() {
    let (capstan, mut events) = fake::engine([Step::Hang]);
    let mut client = Client::structured(capstan);
    client.send(&view(5, None)).await;
    assert!(matches!(events.recv().await, Some(Event::Sent(_))));
    client.send(&cancelled(5)).await;
    assert_eq!(events.recv().await, Some(Event::Dropped));
    // The next response belongs to the next request.
    let next = client.ask(&modern(6, "tools/list", json!({}))).await;
    assert_eq!(next["id"], 6);
    assert_eq!(client.hang_up().await, Vec::<String>::new());
}

#[tokio::test]
async fn cancellation_in_a_session_stops_only_its_call() {
    let (capstan, mut events) = fake::engine([Step::Hang, Step::Hang]);
    let mut client = Client::initialized(capstan).await;
    for id in [5, 6] {
        let call = json!({
            "jsonrpc": "2.0", "id": id, "method": "tools/call",
            "params": {"name": "execute", "arguments": {"capability": "issue.view", "input": {"owner": "acme", "repo": "rocket", "issue_number": id}}}
        });
        client.send(&call).await;
        assert!(matches!(events.recv().await, Some(Event::Sent(_))));
    }
    client.send(&cancelled(99)).await;
    client.send(&cancelled(5)).await;
    assert_eq!(events.recv().await, Some(Event::Dropped));
    assert!(events.try_recv().is_err(), "the other call keeps running");
    client.send(&cancelled(6)).await;
    assert_eq!(events.recv().await, Some(Event::Dropped));
}

/// The request in flight is dropped, and no further one is sent.
#[tokio::test]
async fn a_cancelled_chain_stops_its_requests_and_starts_no_more() {
    let found = json!({"issue_close_issue_0": {"issue": closable(1)}, "issue_close_issue_1": {"issue": closable(2)}});
    let (capstan, mut events) = fake::engine([Step::Answer(found), Step::Hang]);
    let mut client = Client::structured(capstan);
    let close = |number: u64| json!({"task": "issue.close", "input": {"owner": "acme", "repo": "rocket", "issue_number": number}});
    let call = json!({"name": "execute", "arguments": {"steps": [close(1), close(2)]}});
    client.send(&modern(5, "tools/call", call)).await;
    for operation in [Operation::Read, Operation::Write] {
        let Some(Event::Sent(request)) = events.recv().await else {
            panic!("nothing was sent");
        };
        assert_eq!(request.operation(), operation);
    }
    client.send(&cancelled(5)).await;
    assert_eq!(events.recv().await, Some(Event::Dropped));
    let next = client.ask(&modern(6, "tools/list", json!({}))).await;
    assert_eq!(next["id"], 6);
    assert_eq!(client.hang_up().await, Vec::<String>::new());
    assert!(events.try_recv().is_err(), "nothing else was sent");
}

fn closable(number: u64) -> Value {
    let url = format!("https://github.com/acme/rocket/issues/{number}");
    json!({"id": format!("I_{number}"), "number": number, "title": "Leak", "state": "OPEN", "stateReason": null, "url": url})
}

#[tokio::test]
async fn stopping_the_server_cancels_running_calls() {
    let (capstan, mut events) = fake::engine([Step::Hang]);
    let mut client = Client::structured(capstan);
    client.send(&view(1, None)).await;
    assert!(matches!(events.recv().await, Some(Event::Sent(_))));
    client.stop().await;
    assert_eq!(events.recv().await, Some(Event::Dropped));
}

#[tokio::test(start_paused = true)]
async fn closing_the_input_cancels_running_calls() {
    let (capstan, mut events) = fake::engine([Step::Hang]);
    let mut client = Client::structured(capstan);
    client.send(&view(1, None)).await;
    assert!(matches!(events.recv().await, Some(Event::Sent(_))));
    client.hang_up().await;
    assert_eq!(events.recv().await, Some(Event::Dropped));
}

#[tokio::test(start_paused = true)]
async fn long_calls_are_reported_until_they_finish() {
    let slow = Step::Slow(Duration::from_millis(6_500), issue(1, "Leak"));
    let (capstan, _events) = fake::engine([slow]);
    let mut client = Client::structured(capstan);
    client.send(&view(3, Some(json!("mine")))).await;
    let mut reports = Vec::new();
    let answer = loop {
        let message = client.receive().await;
        if message["id"] == 3 {
            break message;
        }
        assert_eq!(message["method"], "notifications/progress");
        reports.push(message["params"].clone());
    };
    assert_eq!(answer["result"]["structuredContent"]["ok"], true);
    assert_eq!(reports.len(), 3, "{reports:?}");
    let mut last = 0.0;
    for report in &reports {
        assert_eq!(report["progressToken"], "mine");
        assert!(report["message"].as_str().unwrap().contains("issue.view"));
        let progress = report["progress"].as_f64().unwrap();
        assert!(progress > last);
        last = progress;
    }
    assert_eq!(client.hang_up().await, Vec::<String>::new());
}

#[tokio::test(start_paused = true)]
async fn quick_calls_and_calls_without_a_token_are_not_reported() {
    let quick = Step::Slow(Duration::from_millis(1_900), issue(1, "Leak"));
    let slow = Step::Slow(Duration::from_secs(9), issue(2, "Leak"));
    let (capstan, _events) = fake::engine([quick, slow]);
    let mut client = Client::structured(capstan);
    let answer = client.ask(&view(1, Some(json!(77)))).await;
    assert_eq!(answer["result"]["isError"], false);
    let answer = client.ask(&view(2, None)).await;
    assert_eq!(answer["result"]["isError"], false);
}
