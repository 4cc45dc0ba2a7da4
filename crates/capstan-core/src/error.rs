//! The error taxonomy: every failure that a caller can see is one of these codes.

use std::borrow::Cow;
use std::fmt;

use serde::{Deserialize, Serialize};
use serde_json::{Map, Value};

use crate::Redactor;
use crate::brief::brief;

/// The longest message, in characters.
const LONGEST_MESSAGE: usize = 4_000;

/// The key of the detail with the call that would repair an error.
const MEND: &str = "mend";

/// The kind of a failure; callers branch only on this.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(rename_all = "SCREAMING_SNAKE_CASE")]
pub enum ErrorCode {
    /// Not logged in, or the token lacks permission.
    Auth,
    /// The object does not exist, or is hidden from this token.
    NotFound,
    /// The input, or GitHub's own rules, refuse the request.
    Validation,
    /// GitHub asks to slow down.
    RateLimit,
    /// The answer did not arrive: refused, reset, timed out or truncated.
    Network,
    /// GitHub's answer is not in the documented format.
    Server,
    /// This route cannot do it; another may.
    AdapterUnsupported,
    Unknown,
    /// The caller stopped the work.
    Cancelled,
    /// A budget of the sandbox or a workflow ran out.
    Timeout,
    /// Refused by the local policy.
    Policy,
    /// A name or a state collides with an existing one.
    Conflict,
}

impl ErrorCode {
    pub fn as_str(self) -> &'static str {
        match self {
            ErrorCode::Auth => "AUTH",
            ErrorCode::NotFound => "NOT_FOUND",
            ErrorCode::Validation => "VALIDATION",
            ErrorCode::RateLimit => "RATE_LIMIT",
            ErrorCode::Network => "NETWORK",
            ErrorCode::Server => "SERVER",
            ErrorCode::AdapterUnsupported => "ADAPTER_UNSUPPORTED",
            ErrorCode::Unknown => "UNKNOWN",
            ErrorCode::Cancelled => "CANCELLED",
            ErrorCode::Timeout => "TIMEOUT",
            ErrorCode::Policy => "POLICY",
            ErrorCode::Conflict => "CONFLICT",
        }
    }

    /// Returns whether the same request may succeed later without any change.
    pub fn is_transient(self) -> bool {
        matches!(
            self,
            ErrorCode::RateLimit | ErrorCode::Network | ErrorCode::Server
        )
    }
}

impl fmt::Display for ErrorCode {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.as_str())
    }
}

/// What is known about a failed request. It decides whether a write may be tried again.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Outcome {
    /// It certainly did not happen: it was not sent, or GitHub refused it.
    NotApplied,
    /// It may have happened.
    Unknown,
    /// It happened, although its answer could not be used.
    Applied,
    /// A part of it happened.
    Partial,
}

impl Outcome {
    pub fn as_str(self) -> &'static str {
        match self {
            Outcome::NotApplied => "not_applied",
            Outcome::Unknown => "unknown",
            Outcome::Applied => "applied",
            Outcome::Partial => "partial",
        }
    }
}

/// The `error` of an envelope.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct ResultError {
    pub code: ErrorCode,
    pub message: String,
    pub retryable: bool,
    #[serde(default, skip_serializing_if = "Map::is_empty")]
    pub details: Map<String, Value>,
}

impl ResultError {
    /// Returns an error that is retryable exactly if its code is transient.
    pub fn new(code: ErrorCode, message: impl Into<String>) -> Self {
        Self {
            code,
            message: message.into(),
            retryable: code.is_transient(),
            details: Map::new(),
        }
    }

    #[must_use]
    pub fn with_detail(mut self, key: &str, value: impl Into<Value>) -> Self {
        self.set_detail(key, value);
        self
    }

    pub fn set_detail(&mut self, key: &str, value: impl Into<Value>) {
        self.details.insert(key.to_owned(), value.into());
    }

    /// Adds the call that would repair it, unless it has one already.
    #[must_use]
    pub fn or_mend(mut self, mend: Option<Value>) -> Self {
        if let Some(mend) = mend {
            self.details.entry(MEND).or_insert(mend);
        }
        self
    }

    /// Masks every secret in the message and in the details.
    pub fn redact(&mut self, redactor: &Redactor) {
        if let Cow::Owned(masked) = redactor.text(&self.message) {
            self.message = masked;
        }
        for detail in self.details.values_mut() {
            redactor.value(detail);
        }
    }

    /// Truncates a message that is too long to be useful. Messages repeat what was sent, which may
    /// have any length. Code that adds details bounds them itself.
    #[must_use]
    pub fn bounded(mut self) -> Self {
        if let Cow::Owned(cut) = brief(&self.message, LONGEST_MESSAGE) {
            self.message = cut;
        }
        self
    }

    #[must_use]
    pub fn not_retryable(mut self) -> Self {
        self.retryable = false;
        self
    }
}
