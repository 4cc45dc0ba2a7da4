//! Error messages for code that does not end with a result.

use std::time::Duration;

use serde_json::{Value, json};

use capstan_core::code::{ScriptError, ScriptErrorKind, Stopped};
use capstan_core::{ErrorCode, ResultError};

/// Returns the message for code that ran out of time. `time_limit` is that of the whole execution, because that
/// is what the caller can change.
pub(super) fn timeout_message(time_limit: Duration) -> String {
    format!(
        "the code did not finish within {} ms, waiting for calls included; ask for a longer \
         time-out, or do less in one run",
        time_limit.as_millis()
    )
}

/// Returns the message for code that could not begin in its time.
pub(super) fn busy_message(time_limit: Duration) -> String {
    format!(
        "the code did not start within {} ms, because other code was running; try again later, ask \
         for a longer time-out, or run less at once",
        time_limit.as_millis()
    )
}

/// Converts an error of the sandbox to one for the caller, with the place in the TypeScript source.
pub(crate) fn script_error(error: ScriptError) -> ResultError {
    let ScriptError {
        kind,
        message,
        place,
        stack,
    } = error;
    // The error of a call is not about a place in the code; the place of the call is in the details.
    let is_about_code = !matches!(kind, ScriptErrorKind::Call(_));
    let message = match &place {
        Some(place) if is_about_code => {
            format!("{message} (line {}, column {})", place.line, place.column)
        }
        _ => message,
    };
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
                // Limits of time: more time would help.
                Stopped::Wall | Stopped::Cpu => ErrorCode::Timeout,
                // More time would not help: the code needs more than any run may use.
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
