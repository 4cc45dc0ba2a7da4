//! Calls that an answer offers: likely next calls, and the call that would mend a failure.

use serde_json::{Map, Value, json};

use capstan_core::card::{Card, FollowUp};
use capstan_core::expr::Scope;
use capstan_core::{ErrorCode, NextCall};

pub const MOST_OFFERED: usize = 3;

/// Returns ready-to-send calls after a success.
pub(crate) fn next(card: &Card, input: &Value, data: &Value) -> Vec<NextCall> {
    let calls = card
        .next
        .iter()
        .filter_map(|follow_up| call(follow_up, input, data));
    calls.take(MOST_OFFERED).collect()
}

/// Returns the call that would mend a failure, in the form of `details.mend`.
pub(crate) fn mend(card: &Card, input: &Value, code: ErrorCode) -> Option<Value> {
    if let Some(follow_up) = card.mend.get(&code) {
        return mending(follow_up, input);
    }
    match code {
        ErrorCode::Validation => Some(explain_call(card.id.as_str())),
        ErrorCode::Auth => Some(json!({"command": "capstan doctor"})),
        _ => None,
    }
}

/// Renders a follow-up in the form of `details.mend`.
pub(crate) fn mending(follow_up: &FollowUp, input: &Value) -> Option<Value> {
    let NextCall { capability, input } = call(follow_up, input, &Value::Null)?;
    Some(json!({"tool": "execute", "arguments": {"capability": capability, "input": input}}))
}

pub fn explain_call(capability: &str) -> Value {
    json!({"tool": "explain", "arguments": {"capability": capability}})
}

fn call(follow_up: &FollowUp, input: &Value, data: &Value) -> Option<NextCall> {
    let mut variables = Map::new();
    variables.insert("input".to_owned(), input.clone());
    let scope = Scope::new(data, &variables);
    if !follow_up
        .when
        .as_ref()
        .is_none_or(|when| when.holds(&scope))
    {
        return None;
    }
    Some(NextCall {
        capability: follow_up.capability.to_string(),
        input: follow_up.input.render(&scope)?,
    })
}
