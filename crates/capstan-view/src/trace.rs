//! Shows how a result came about, if the caller asked for a trace.

use capstan_core::code::TraceId;
use capstan_core::{AttemptMeta, AttemptStatus, Cost, Timings};
use serde_json::json;

use crate::clean::single_line;
use crate::parts::ResultParts;
use crate::value::inline;

pub(crate) fn lines(parts: &ResultParts<'_>) -> Vec<String> {
    let mut lines = Vec::new();
    if let Some(attempts) = parts.attempts {
        lines.extend(attempts.iter().map(attempt));
        lines.extend(
            parts
                .reason
                .map(|it| format!("reason: {}", inline(&json!(it)))),
        );
        lines.extend(parts.timings.map(timing_line));
        lines.extend(parts.trace_id.map(trace_line));
    }
    lines.extend(parts.cost.and_then(cost_line));
    lines
}

/// Returns a line such as `tried graphql: error NETWORK, 120 ms, the connection was refused`.
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
        line.push_str(&format!(", {}", single_line(detail)));
    }
    line
}

pub(crate) fn timing_line(timings: Timings) -> String {
    let Timings {
        total_ms,
        adapter_ms,
    } = timings;
    format!("took {total_ms} ms, {adapter_ms} ms of it waiting")
}

pub(crate) fn trace_line(id: &TraceId) -> String {
    format!("trace: {}", single_line(&id.to_string()))
}

/// Returns the line about tokens, if the caller asked for the cost.
pub(crate) fn cost_line(cost: Cost) -> Option<String> {
    let sent = cost.tokens_in.map(|tokens| format!("{tokens} in"));
    let given = cost.tokens_out.map(|tokens| format!("{tokens} out"));
    let parts: Vec<_> = sent.into_iter().chain(given).collect();
    (!parts.is_empty()).then(|| format!("tokens: {}", parts.join(", ")))
}
