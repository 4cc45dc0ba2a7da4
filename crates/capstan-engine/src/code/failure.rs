//! What the caller is told when code does not end with a result.

use std::time::Duration;

use serde_json::{Value, json};

use capstan_core::code::{ScriptError, ScriptErrorKind, Stopped};
use capstan_core::{ErrorCode, ResultError};

/// What is said when the time is over. Of the whole execution: that is what the caller can change.
pub(super) fn out_of_time(whole: Duration) -> String {
    format!(
        "the code was not done when the time for it was over, {} ms after the start, waiting for \
         calls included; ask for a longer time-out, or let it do less at a time",
        whole.as_millis()
    )
}

/// What is said when all of that time passed before the code could begin.
pub(super) fn busy_until(whole: Duration) -> String {
    format!(
        "the code did not begin: other code was running until the time for it was over, {} ms after the \
         start; try again later, ask for a longer time-out, or run less at once",
        whole.as_millis()
    )
}

/// The error of a run, with the place in the TypeScript.
pub(crate) fn failure(error: ScriptError) -> ResultError {
    let ScriptError {
        kind,
        message,
        place,
        stack,
    } = error;
    // What a call says is about something else than the code; where it was made stands beside it.
    let own = !matches!(kind, ScriptErrorKind::Call(_));
    let at = place.filter(|_| own);
    let at = at.map(|place| format!(" (line {}, column {})", place.line, place.column));
    let message = format!("{message}{}", at.unwrap_or_default());
    let mut failed = match kind {
        ScriptErrorKind::Syntax => {
            ResultError::new(ErrorCode::Validation, message).with_detail("kind", "syntax")
        }
        ScriptErrorKind::Unsupported => {
            ResultError::new(ErrorCode::Validation, message).with_detail("kind", "unsupported")
        }
        ScriptErrorKind::Thrown { name } => ResultError::new(ErrorCode::Unknown, message)
            .with_detail("kind", "thrown")
            .with_detail("name", name),
        ScriptErrorKind::Call(error) => ResultError { message, ..*error },
        ScriptErrorKind::Limit(limit) => {
            let code = match limit {
                // Budgets of time.
                Stopped::Wall | Stopped::Cpu => ErrorCode::Timeout,
                // More time would not help: the code asks for more than a run is given.
                Stopped::Memory
                | Stopped::Stack
                | Stopped::Output
                | Stopped::Calls
                | Stopped::Source => ErrorCode::Validation,
            };
            let limit = serde_json::to_value(limit).unwrap_or(Value::Null);
            ResultError::new(code, message).with_detail("limit", limit)
        }
        ScriptErrorKind::NotJson => {
            ResultError::new(ErrorCode::Validation, message).with_detail("kind", "not_json")
        }
        ScriptErrorKind::Busy => {
            let mut busy = ResultError::new(ErrorCode::RateLimit, message);
            busy.retryable = true;
            busy.with_detail("kind", "busy")
        }
        ScriptErrorKind::Broken => {
            ResultError::new(ErrorCode::Unknown, message).with_detail("kind", "sandbox")
        }
    };
    if let Some(place) = place {
        failed = failed
            .with_detail("line", place.line)
            .with_detail("column", place.column);
    }
    if stack.len() > 1 {
        let frames: Vec<_> = stack
            .iter()
            .map(|frame| {
                let place = format!("{}:{}", frame.place.line, frame.place.column);
                json!(format!("{} {place}", frame.function))
            })
            .collect();
        failed = failed.with_detail("stack", frames);
    }
    failed
}
