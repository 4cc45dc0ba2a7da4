//! Synonyms of arguments, and helpful errors for bad ones.

use capstan_core::ErrorCode;
use serde_json::{Value, json};

use crate::client::{Client, modern, text};
use crate::fake::{self, Step, issue};

fn input() -> Value {
    json!({"owner": "acme", "repo": "rocket", "issue_number": 1})
}

#[tokio::test]
async fn synonyms_run_the_same_call() {
    let input = input();
    let calls = [
        json!({"capability": "issue.view", "input": input}),
        json!({"capability_id": "issue.view", "params": input}),
        json!({"task": "issue.view", "input": input}),
        json!({"capability": "issue.view", "args": input}),
        json!({"intent": "see it", "capability": "issue.view", "args": input}),
        json!({"capability": "issue.view", "input": input, "options": null, "intent": null}),
        // Models often send objects as text.
        json!({"capability": "issue.view", "input": input.to_string(), "options": "{\"trace\":false}"}),
    ];
    let steps = vec![Step::Answer(issue(1, "Leak")); calls.len()];
    let mut client = Client::initialized(fake::engine(steps).0).await;
    for call in calls {
        let result = client.call("execute", call.clone()).await;
        assert_eq!(
            result["structuredContent"]["data"]["title"], "Leak",
            "{call}"
        );
    }
}

/// Checks that each call fails. A case is the call, the field that the error must name, and a part of the
/// advice.
async fn assert_refused(tool: &str, cases: &[(Value, &str, &str)]) {
    let mut client = Client::initialized(fake::engine([]).0).await;
    for (arguments, field, advice) in cases {
        let result = client.call(tool, arguments.clone()).await;
        assert_eq!(result["isError"], true, "{arguments}");
        let envelope = &result["structuredContent"];
        assert_eq!(envelope["ok"], false);
        let error = &envelope["error"];
        assert_eq!(error["code"], ErrorCode::Validation.as_str(), "{error}");
        assert_eq!(error["retryable"], false);
        assert_eq!(error["details"]["fields"][0]["field"], *field, "{error}");
        let message = error["message"].as_str().unwrap();
        assert!(message.contains(&format!("`{field}`")), "{message}");
        assert!(message.contains(advice), "{message}");
        assert!(text(&result).contains(advice), "{}", text(&result));
    }
}

#[tokio::test]
async fn execute_reports_bad_arguments() {
    let view = |more: Value| {
        let mut call = json!({"capability": "issue.view"});
        call.as_object_mut()
            .unwrap()
            .extend(more.as_object().unwrap().clone());
        call
    };
    assert_refused(
        "execute",
        &[
            (json!({}), "capability", "is missing"),
            (
                json!({"capability": 5}),
                "capability",
                "must be a text, not a number",
            ),
            (
                view(json!({"input": [1]})),
                "input",
                "must be an object, not a list",
            ),
            (
                view(json!({"input": "owner=acme"})),
                "input",
                "must be an object, not a text",
            ),
            (view(json!({"owner": "acme"})), "owner", "goes into `input`"),
            (
                view(json!({"task": "issue.list"})),
                "task",
                "means the same as `capability`",
            ),
            (
                view(json!({"input": {}, "args": {}})),
                "args",
                "means the same as `input`",
            ),
            (view(json!({"options": 3})), "options", "must be an object"),
            (
                view(json!({"options": {"speed": 3}})),
                "options.speed",
                "expected route, trace",
            ),
            (
                view(json!({"options": {"route": "fax"}})),
                "options.route",
                "must be graphql, rest or cli, not `fax`",
            ),
            (
                view(json!({"options": {"full": "yes"}})),
                "options.full",
                "true or false",
            ),
            (
                view(json!({"options": {"fields": "title"}})),
                "options.fields",
                "a list",
            ),
            (
                view(json!({"options": {"timeout_ms": -1}})),
                "options.timeout_ms",
                "milliseconds",
            ),
        ],
    )
    .await;
}

#[tokio::test]
async fn a_call_may_ask_for_only_one_thing() {
    const TOGETHER: &str = "cannot be sent together with `capability`";
    assert_refused(
        "execute",
        &[
            (
                json!({"capability": "issue.view", "code": "1"}),
                "code",
                TOGETHER,
            ),
            (
                json!({"task": "issue.view", "steps": []}),
                "steps",
                TOGETHER,
            ),
            (
                json!({"capability_id": "issue.view", "tasks": [{"task": "issue.view"}]}),
                "tasks",
                TOGETHER,
            ),
            (
                json!({"steps": [], "code": "return 1"}),
                "code",
                "cannot be sent together with `steps`",
            ),
            (
                json!({"lines": ["issue.view 1"], "code": "return 1"}),
                "code",
                "exactly one thing",
            ),
            (json!({"lines": []}), "lines", "list of lines"),
            (json!({"lines": [1]}), "lines", "list of lines"),
            (
                json!({"intent": "x", "code": "1", "options": {"timeout": 0}}),
                "options.timeout",
                "expected 1 to 600000 milliseconds",
            ),
            (
                json!({"intent": "x", "code": "1", "options": {"timeout": 9, "timeout_ms": 9}}),
                "options.timeout_ms",
                "means the same as `timeout`",
            ),
        ],
    )
    .await;
}

#[tokio::test]
async fn an_intent_alone_gets_ready_to_send_suggestions() {
    let mut client = Client::initialized(fake::engine([]).0).await;
    let result = client
        .call("execute", json!({"intent": "close an issue"}))
        .await;
    let answer = &result["structuredContent"];
    assert_eq!(answer["meta"]["mode"], "suggestion");
    let best = &answer["data"]["suggestions"][0];
    assert_eq!(best["capability"], "issue.close");
    let suggestions = answer["data"]["suggestions"].as_array().unwrap();
    let scores: Vec<_> = suggestions.iter().map(|it| it["score"].as_f64()).collect();
    assert!(scores.is_sorted_by(|one, two| one >= two), "{scores:?}");
    assert_eq!(
        (&best["score"], &best["reliability"]),
        (&best["relevance"], &json!(1.0))
    );
    // Input that the intent does not contain is listed as missing, and not taken from an example.
    assert_eq!(best["input"], json!({}), "{best}");
    assert_eq!(best["missing"], json!(["owner", "repo", "issue_number"]));
    let result = client
        .call("execute", json!({"intent": "close issue 3 in octo/cat"}))
        .await;
    let best = &result["structuredContent"]["data"]["suggestions"][0];
    assert_eq!(best["input"]["issue_number"], 3, "{best}");
    assert_eq!(best["input"]["owner"], "octo", "{best}");
}

#[tokio::test]
async fn code_is_refused_without_a_sandbox() {
    let mut client = Client::initialized(fake::engine([]).0).await;
    let result = client
        .call("execute", json!({"intent": "one", "code": "1"}))
        .await;
    let error = &result["structuredContent"]["error"];
    assert_eq!(error["code"], "ADAPTER_UNSUPPORTED");
    assert_eq!(
        error["message"],
        "code cannot be run here: there is no sandbox"
    );
}

#[tokio::test]
async fn explain_and_search_report_bad_arguments() {
    assert_refused(
        "explain",
        &[
            (json!({}), "capability", "is missing"),
            (json!({"capability": [1]}), "capability", "a list of ids"),
            (
                json!({"capability": "issue.view", "verbose": true}),
                "verbose",
                "is not an argument of explain",
            ),
        ],
    )
    .await;
    assert_refused(
        "search",
        &[
            (json!({"intent": 5}), "intent", "must be a text"),
            (json!({"kind": "wish"}), "kind", "card"),
            (json!({"limit": 0}), "limit", "above 0"),
            (json!({"limit": 1.5}), "limit", "above 0"),
            (
                json!({"query": "x"}),
                "query",
                "expected intent, domain, kind, limit, deps",
            ),
        ],
    )
    .await;
}

#[tokio::test]
async fn arguments_that_are_not_an_object_are_an_error_result() {
    let mut client = Client::new([]);
    for arguments in [json!("text"), json!([1]), json!(5)] {
        let call = json!({"name": "execute", "arguments": arguments});
        let answer = client.ask(&modern(1, "tools/call", call)).await;
        let result = &answer["result"];
        assert_eq!(result["isError"], true, "{answer}");
        assert_eq!(result["resultType"], "complete");
        let error = &result["structuredContent"]["error"];
        assert_eq!(error["code"], "VALIDATION");
        assert_eq!(error["details"]["fields"][0]["field"], "arguments");
    }
}
