//! Steps to put into chains, and what came of them in few words.

use capstan_core::{ChainResultEnvelope, ChainStep, ChainStepResult, Options, TaskRequest};
use serde_json::{Value, json};

/// A step in the demo's repository.
pub(super) fn step(capability: &str, mut input: Value) -> ChainStep {
    let fields = input.as_object_mut().unwrap();
    for (name, value) in [("owner", "acme"), ("repo", "rocket")] {
        fields.entry(name).or_insert_with(|| value.into());
    }
    exactly(capability, &input)
}

/// A step with this input and no other.
pub(super) fn exactly(capability: &str, input: &Value) -> ChainStep {
    ChainStep {
        name: None,
        request: TaskRequest {
            capability: capability.to_owned(),
            input: input.as_object().cloned().unwrap(),
            options: Options::default(),
            intent: None,
        },
        ..ChainStep::default()
    }
}

/// A step that others can refer to by this name.
pub(super) fn named(name: &str, step: ChainStep) -> ChainStep {
    ChainStep {
        name: Some(name.to_owned()),
        ..step
    }
}

pub(super) fn view(issue: u64) -> ChainStep {
    step("issue.view", json!({"issue_number": issue}))
}

pub(super) fn close(issue: u64) -> ChainStep {
    step("issue.close", json!({"issue_number": issue}))
}

pub(super) fn reopen(issue: u64) -> ChainStep {
    step("issue.reopen", json!({"issue_number": issue}))
}

pub(super) fn comment(issue: u64, body: &str) -> ChainStep {
    let input = json!({"issue_number": issue, "body": body});
    step("issue.comments.create", input)
}

pub(super) fn retitle(issue: u64, title: &str) -> ChainStep {
    let input = json!({"issue_number": issue, "title": title});
    step("issue.update", input)
}

pub(super) fn label(issue: u64, labels: &[&str]) -> ChainStep {
    let input = json!({"issue_number": issue, "labels": labels});
    step("issue.labels.add", input)
}

pub(super) fn unlabel(issue: u64, label: &str) -> ChainStep {
    let input = json!({"issue_number": issue, "label": label});
    step("issue.labels.remove", input)
}

pub(super) fn create(title: &str) -> ChainStep {
    step("issue.create", json!({"title": title}))
}

/// `ok`, or the code of the error.
pub(super) fn code(result: &ChainStepResult) -> String {
    match &result.error {
        None => "ok".to_owned(),
        Some(error) => error.code.to_string(),
    }
}

/// By step: `ok`, or the code of its error.
pub(super) fn codes(envelope: &ChainResultEnvelope) -> Vec<String> {
    envelope.results.iter().map(code).collect()
}

/// What the error of a step says.
pub(super) fn message(result: &ChainStepResult) -> &str {
    result.error.as_ref().map_or("", |error| &error.message)
}

/// What is known of a write that failed.
pub(super) fn outcome(result: &ChainStepResult) -> &str {
    let error = result.error.as_ref();
    let outcome = error.and_then(|error| error.details.get("outcome"));
    outcome.and_then(Value::as_str).unwrap_or("-")
}

/// Fails unless every step is ok.
pub(super) fn assert_all_ok(envelope: &ChainResultEnvelope) {
    let failed: Vec<_> = envelope
        .results
        .iter()
        .filter(|result| !result.ok)
        .collect();
    assert!(failed.is_empty(), "{failed:#?}");
}
