//! Short forms for running raw calls.

use capstan_core::{
    ChainRequest, ChainResultEnvelope, ChainStep, Options, ResultEnvelope, TaskRequest,
};
use serde_json::Value;

use crate::support::Bench;

pub(super) const REST: &str = "github.rest";
pub(super) const GRAPHQL: &str = "github.graphql";

pub(super) async fn rest(bench: &Bench, input: Value) -> ResultEnvelope {
    bench.run(REST, &input, Options::default()).await
}

pub(super) async fn graphql(bench: &Bench, input: Value) -> ResultEnvelope {
    bench.run(GRAPHQL, &input, Options::default()).await
}

pub(super) fn step(name: &str, capability: &str, input: &Value) -> ChainStep {
    ChainStep {
        name: (!name.is_empty()).then(|| name.to_owned()),
        request: TaskRequest {
            capability: capability.to_owned(),
            input: input.as_object().cloned().unwrap(),
            ..TaskRequest::default()
        },
        ..ChainStep::default()
    }
}

pub(super) async fn chain(bench: &Bench, steps: Vec<ChainStep>) -> ChainResultEnvelope {
    let request = ChainRequest {
        steps,
        ..ChainRequest::default()
    };
    bench.capstan.execute_tasks(&request).await
}

/// Returns the data of a success.
pub(super) fn data(envelope: ResultEnvelope) -> Value {
    assert!(envelope.ok, "{:?}", envelope.error);
    envelope.data.unwrap_or_default()
}

/// Returns the message of a failure.
pub(super) fn message(envelope: ResultEnvelope) -> String {
    assert!(!envelope.ok, "{:?}", envelope.data);
    envelope.error.unwrap().message
}
