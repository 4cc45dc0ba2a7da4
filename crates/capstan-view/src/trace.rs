//! How a result came about, for who asked for a trace.

use capstan_core::code::TraceId;
use capstan_core::{AttemptMeta, AttemptStatus, Cost, Timings};
use serde_json::json;

use crate::clean::flat;
use crate::told::Told;
use crate::value::inline;

pub(crate) fn lines(told: &Told<'_>) -> Vec<String> {
    let mut lines = Vec::new();
    if let Some(attempts) = told.attempts {
        lines.extend(attempts.iter().map(attempt));
        lines.extend(
            told.reason
                .map(|it| format!("reason: {}", inline(&json!(it)))),
        );
        lines.extend(told.timings.map(took));
        lines.extend(told.trace_id.map(remembered));
    }
    lines.extend(told.cost.and_then(cost));
    lines
}

/// `tried graphql: error NETWORK, 120 ms, the connection was refused`.
fn attempt(attempt: &AttemptMeta) -> String {
    let status = match attempt.status {
        AttemptStatus::Success => "success",
        AttemptStatus::Error => "error",
        AttemptStatus::Skipped => "skipped",
    };
    let code = attempt.error_code.map(|code| format!(" {code}"));
    let mut line = format!(
        "tried {}: {status}{}",
        attempt.route,
        code.unwrap_or_default()
    );
    if let Some(ms) = attempt.duration_ms {
        line.push_str(&format!(", {ms} ms"));
    }
    if let Some(detail) = &attempt.detail {
        line.push_str(&format!(", {}", flat(detail)));
    }
    line
}

pub(crate) fn took(timings: Timings) -> String {
    let Timings {
        total_ms,
        adapter_ms,
    } = timings;
    format!("took {total_ms} ms, {adapter_ms} ms of it waiting")
}

pub(crate) fn remembered(id: &TraceId) -> String {
    format!("trace: {}", flat(&id.to_string()))
}

/// Only there when the caller asked for it.
pub(crate) fn cost(cost: Cost) -> Option<String> {
    let sent = cost.tokens_in.map(|tokens| format!("{tokens} in"));
    let given = cost.tokens_out.map(|tokens| format!("{tokens} out"));
    let parts: Vec<_> = sent.into_iter().chain(given).collect();
    (!parts.is_empty()).then(|| format!("tokens: {}", parts.join(", ")))
}
