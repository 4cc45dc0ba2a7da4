//! Shows a failure: its code and message, and what to send instead.

use capstan_core::{ErrorCode, ResultError};
use serde_json::Value;

use crate::clean::single_line;
use crate::value;

/// Returns `CODE: message`, followed by advice.
pub(crate) fn lines(error: &ResultError) -> Vec<String> {
    let mut lines = vec![format!("{}: {}", error.code, single_line(&error.message))];
    lines.extend(advice(error));
    lines
}

/// Returns the message and the advice without the code: in a refused chain, every error is about the call
/// itself.
pub(crate) fn lines_without_code(error: &ResultError) -> Vec<String> {
    let mut lines = vec![single_line(&error.message)];
    lines.extend(advice(error));
    lines
}

/// Returns whether a step was not run only because another step of its chain is invalid.
pub(crate) fn is_caused_by_other_step(error: &ResultError) -> bool {
    let is_marked = error.details.get("not_run") == Some(&Value::Bool(true));
    let names_another = error.code == ErrorCode::Validation
        && error.details.contains_key("step")
        && error.message.starts_with("not run: ");
    is_marked || names_another
}

fn advice(error: &ResultError) -> Vec<String> {
    let details = &error.details;
    let mut lines = Vec::new();
    if let Some(right) = details.get("correction").filter(|it| !value::is_empty(it)) {
        lines.push(format!("Right: {}", value::inline(right)));
    }
    if let Some(near) = near(error) {
        lines.push(format!("Near: {near}"));
    }
    if let Some(seconds) = details.get("retry_after_s").and_then(Value::as_u64) {
        lines.push(format!("wait {seconds} s"));
    }
    let outcome = details.get("outcome").and_then(Value::as_str);
    let outcome = match outcome {
        Some("unknown") => Some("it may have happened: look before you repeat it"),
        Some("applied") => Some("it did happen: do not repeat it"),
        Some("partial") => Some("a part of it happened: send only the rest"),
        _ => None,
    };
    // Messages of writes often contain it already.
    let is_mentioned = |words: &str| {
        let words = words.split(':').next().unwrap_or_default();
        error.message.contains(words)
    };
    lines.extend(outcome.filter(|it| !is_mentioned(it)).map(str::to_owned));
    lines
}

/// Returns similar names, unless the message contains them all.
fn near(error: &ResultError) -> Option<String> {
    let names = error.details.get("near")?.as_array()?;
    let is_mentioned = |name: &Value| {
        name.as_str()
            .is_some_and(|name| error.message.contains(name))
    };
    if names.is_empty() || names.iter().all(is_mentioned) {
        return None;
    }
    let names: Vec<_> = names.iter().map(value::inline).collect();
    Some(names.join(", "))
}
