//! `execute` with steps: results, references, options and bad calls.

use capstan_core::{ErrorCode, RouteRequest};
use serde_json::{Value, json};

use crate::client::{Client, text};
use crate::fake::{self, Event, Step, TOKEN, issue, issues};

fn view(number: impl Into<Value>) -> Value {
    json!({"task": "issue.view", "input": {"owner": "acme", "repo": "rocket", "issue_number": number.into()}})
}

async fn client(steps: impl IntoIterator<Item = Step>) -> Client {
    Client::initialized(fake::engine(steps).0).await
}

#[tokio::test]
async fn two_steps_make_one_request_and_one_envelope() {
    let (capstan, mut events) = fake::engine([Step::Answer(issues([1, 2]))]);
    let mut client = Client::initialized(capstan).await;
    let steps = json!({"steps": [view(1), view(2)]});
    let result = client.call("execute", steps).await;
    assert_eq!(result["isError"], false);
    let envelope = &result["structuredContent"];
    assert_eq!(envelope["status"], "success");
    assert_eq!(envelope["results"][1]["task"], "issue.view");
    assert_eq!(envelope["results"][1]["data"]["title"], "Leak 2");
    let meta = json!({"route_used": "graphql", "total": 2, "succeeded": 2, "failed": 0, "requests": 1, "chunks": 1});
    assert_eq!(envelope["meta"], meta);
    let said = text(&result);
    assert!(
        said.starts_with("[0] ") && said.contains("\n[1] "),
        "{said}"
    );
    assert!(matches!(events.recv().await, Some(Event::Sent(_))));
    assert!(events.try_recv().is_err(), "one request");
}

#[tokio::test]
async fn synonyms_of_fields_are_accepted() {
    let input = view(1)["input"].clone();
    let steps = [
        json!({"steps": [view(1)]}),
        json!({"tasks": [view(1)], "options": null}),
        json!({"steps": [{"capability": "issue.view", "params": input}]}),
        json!({"steps": [{"capability_id": "issue.view", "args": input, "as": null}]}),
        json!({"intent": "see it", "steps": [view(1)], "capability": null}),
        // Models often send objects and lists as text.
        json!({"steps": json!([view(1)]).to_string()}),
        json!({"steps": [view(1).to_string()], "options": "{\"full\":true}"}),
        json!({"steps": [{"task": "issue.view", "input": input.to_string()}]}),
    ];
    let answers = vec![Step::Answer(issue(1, "Leak")); steps.len()];
    let mut client = client(answers).await;
    for call in steps {
        let result = client.call("execute", call.clone()).await;
        let data = &result["structuredContent"]["results"][0]["data"];
        assert_eq!(data["title"], "Leak", "{call}: {result}");
    }
}

#[tokio::test]
async fn a_step_can_refer_to_the_result_of_an_earlier_one() {
    let (capstan, mut events) = fake::engine([
        Step::Answer(issue(7, "Leak")),
        Step::Answer(issue(8, "Drip")),
    ]);
    let mut client = Client::initialized(capstan).await;
    let mut first = view(1);
    first["as"] = "first".into();
    let call = json!({"steps": [first, view("$first.data.number")]});
    let envelope = client.call("execute", call).await["structuredContent"].clone();
    assert_eq!(envelope["results"][0]["as"], "first");
    assert_eq!(envelope["results"][1]["data"]["title"], "Drip");
    let mut numbers = Vec::new();
    for _ in 0..2 {
        let Some(Event::Sent(RouteRequest::Graphql(request))) = events.recv().await else {
            panic!("no GraphQL request");
        };
        numbers.push(request.variables["number"].clone());
    }
    assert_eq!(numbers, [json!(1), json!(7)]);
}

/// A client might hide an error result, and with it what was done.
#[tokio::test]
async fn a_partly_failed_chain_is_not_an_error_and_a_failed_one_is() {
    let mut found = issues([1, 2]);
    found["issue_view_1"] = json!({"issue": null});
    let mut client = client([
        Step::Missing(found, "issue_view_1"),
        Step::Fail(ErrorCode::Auth, "may not"),
    ])
    .await;
    let call = json!({"steps": [view(1), view(2)]});
    let result = client.call("execute", call.clone()).await;
    assert_eq!(result["isError"], false, "{result}");
    assert_eq!(result["structuredContent"]["status"], "partial");
    let error = &result["structuredContent"]["results"][1]["error"];
    assert_eq!(error["code"], "NOT_FOUND");
    assert_eq!(error["message"], "there is no such issue");

    let result = client.call("execute", call).await;
    assert_eq!(result["isError"], true, "{result}");
    assert_eq!(result["structuredContent"]["status"], "failed");
    assert_eq!(result["structuredContent"]["meta"]["failed"], 2);
    assert_eq!(text(&result), "[0] AUTH: may not\n[1] AUTH: may not");
}

#[tokio::test]
async fn a_rejected_chain_names_the_invalid_step() {
    let mut client = client([]).await;
    let call = json!({"steps": [view(1), view("one")]});
    let result = client.call("execute", call).await;
    assert_eq!(result["isError"], true);
    let envelope = &result["structuredContent"];
    let error = |step: usize| &envelope["results"][step]["error"];
    assert_eq!(error(0)["message"], "not run: step 1 failed validation");
    assert_eq!(error(0)["details"]["step"], 1);
    let fields = &error(1)["details"]["fields"];
    assert_eq!(fields[0]["field"], "issue_number", "{envelope}");
    assert_eq!(envelope["meta"]["requests"], 0);
}

#[tokio::test]
async fn options_of_a_chain_apply_to_steps_without_their_own() {
    let mut client = client([Step::Answer(issues([1, 2]))]).await;
    let mut second = view(2);
    second["options"] = json!({"fields": ["title"], "trace": true});
    let options = json!({"fields": ["number"], "format": "json"});
    let call = json!({"steps": [view(1), second], "options": options});
    let result = client.call("execute", call).await;
    let envelope = &result["structuredContent"];
    assert_eq!(envelope["results"][0]["data"], json!({"number": 1}));
    assert_eq!(envelope["results"][1]["data"], json!({"title": "Leak 2"}));
    assert!(envelope["results"][0].get("meta").is_none(), "{envelope}");
    assert!(envelope["results"][1]["meta"]["attempts"].is_array());
    let json: Value = serde_json::from_str(text(&result)).unwrap();
    assert_eq!(&json, envelope);
}

#[tokio::test]
async fn secrets_in_step_names_are_masked() {
    let mut client = client([Step::Answer(issues([1, 2]))]).await;
    let mut named = view(1);
    named["as"] = TOKEN.into();
    let call = json!({"steps": [named, view(2)]});
    let result = client.call("execute", call).await;
    assert_eq!(result["structuredContent"]["status"], "success");
    assert_eq!(
        result["structuredContent"]["results"][0]["as"],
        "[redacted]"
    );
    assert!(!result.to_string().contains(TOKEN), "{result}");
}

#[tokio::test]
async fn bad_steps_are_reported() {
    let as_fourth = |step: Value| json!({"steps": [view(1), view(2), view(3), step]});
    let with = |more: Value| {
        let mut step = view(4);
        let more = more.as_object().unwrap().clone();
        step.as_object_mut().unwrap().extend(more);
        as_fourth(step)
    };
    // The call, the field that the error must name, and a part of the advice.
    let cases = [
        (
            json!({"steps": []}),
            "steps",
            "is empty: expected at least one step",
        ),
        (json!({"tasks": []}), "steps", "is empty"),
        (
            json!({"steps": {}}),
            "steps",
            "must be a list, not an object",
        ),
        (
            json!({"steps": "issue.view"}),
            "steps",
            "must be a list, not a text",
        ),
        (
            json!({"steps": [view(1)], "tasks": [view(1)]}),
            "tasks",
            "means the same as `steps`",
        ),
        (
            json!({"steps": vec![view(1); 1001]}),
            "steps",
            "at most 1000",
        ),
        (
            json!({"steps": [view(1)], "input": {}}),
            "input",
            "every step has its own `input`",
        ),
        (
            json!({"steps": [view(1)], "option": {}}),
            "option",
            "did you mean `options`?",
        ),
        (
            json!({"steps": [view(1)], "options": {"speed": 1}}),
            "options.speed",
            "expected route",
        ),
        (
            as_fourth(json!("issue.view")),
            "steps[3]",
            "must be an object, not a text",
        ),
        (
            as_fourth(json!(null)),
            "steps[3]",
            "must be an object, not null",
        ),
        (
            as_fourth(json!({"input": {}})),
            "steps[3].task",
            "is missing: expected the id",
        ),
        (
            as_fourth(json!({"task": 5})),
            "steps[3].task",
            "must be a text, not a number",
        ),
        (
            with(json!({"capability": "x"})),
            "steps[3].capability",
            "means the same as `task`",
        ),
        (
            with(json!({"input": [1]})),
            "steps[3].input",
            "must be an object, not a list",
        ),
        (with(json!({"as": 1})), "steps[3].as", "must be a text"),
        (
            with(json!({"owner": "acme"})),
            "steps[3].owner",
            "goes into `input`",
        ),
        (
            with(json!({"imput": {}})),
            "steps[3].imput",
            "did you mean `input`?",
        ),
        (
            with(json!({"options": 1})),
            "steps[3].options",
            "must be an object",
        ),
        (
            with(json!({"options": {"route": "fax"}})),
            "steps[3].options.route",
            "not `fax`",
        ),
        (
            with(json!({"options": {"format": "json"}})),
            "steps[3].options.format",
            "whole chain",
        ),
        (
            with(json!({"options": {"timeout_ms": 1}})),
            "steps[3].options.timeout_ms",
            "whole chain",
        ),
    ];
    let mut client = client([]).await;
    for (call, field, advice) in cases {
        let result = client.call("execute", call.clone()).await;
        assert_eq!(result["isError"], true, "{call}");
        let error = &result["structuredContent"]["error"];
        assert_eq!(error["code"], "VALIDATION", "{result}");
        assert_eq!(error["details"]["fields"][0]["field"], field, "{error}");
        let message = error["message"].as_str().unwrap();
        let named = format!("bad arguments for execute: `{field}` ");
        assert!(message.starts_with(&named), "{message}");
        assert!(message.contains(advice), "{message}");
        let mend = &error["details"]["mend"];
        let known = field.starts_with("steps[3].") && field != "steps[3].task";
        let tool = if known && field != "steps[3].capability" {
            "explain"
        } else {
            "search"
        };
        assert_eq!(mend["tool"], tool, "{error}");
    }
}
