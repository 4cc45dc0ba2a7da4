//! A failure: an error, and every fact that code decides on as a typed field.
//!
//! Callers see an error's `details` as JSON. The facts below are written to it here; other details
//! are added where the error is made. The executor and the engine never read them; only what shows
//! an error to people does.

use std::time::Duration;

use serde_json::Value;

use crate::card::Operation;
use crate::{Outcome, Redactor, ResultError};

/// Why there is no usable answer.
#[derive(Clone, Debug, PartialEq)]
pub struct Failure {
    /// The error that callers see.
    pub error: ResultError,
    /// Whether a write may have happened. Reads change nothing: a step that only reads ends with
    /// [`Outcome::NotApplied`].
    pub outcome: Outcome,
    /// The HTTP status of the answer, if there was one.
    pub status: Option<u16>,
    /// How long GitHub asks to wait.
    pub retry_after: Option<Duration>,
    /// Whether the wait applies to everything that goes to this host with this login, and not to
    /// one API. Another route would be refused too, or count against the login.
    pub limits_login: bool,
    /// Whether the answer to a read is still being prepared: the same request will have it later.
    pub is_pending: bool,
    /// Whether it took too long or was too large: a smaller request may work.
    pub too_much: bool,
    /// Whether the answer to a write was lost, and a later read did not show that it happened.
    pub was_not_seen: bool,
    /// Whether a composite that failed had written something, or may have.
    pub has_written: bool,
    /// The errors of a GraphQL answer without data, with their paths.
    pub errors: Vec<PartialError>,
}

/// An error of a GraphQL answer with its path.
#[derive(Clone, Debug, PartialEq)]
pub struct PartialError {
    /// The error by itself: its code, its message, whether its root field may have run (for a
    /// write), and how long to wait.
    pub failure: Box<Failure>,
    /// The response path, with numbers as text; empty if GitHub gave none.
    pub path: Vec<String>,
}

/// A fact of a failure that callers see in `details`.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Fact {
    Outcome,
    RetryAfter,
    Status,
    Verified,
}

impl Failure {
    pub fn new(error: ResultError, outcome: Outcome) -> Self {
        Self {
            error,
            outcome,
            status: None,
            retry_after: None,
            limits_login: false,
            is_pending: false,
            too_much: false,
            was_not_seen: false,
            has_written: false,
            errors: Vec::new(),
        }
    }

    /// Returns the failure of a request that was never sent.
    pub fn not_sent(error: ResultError) -> Self {
        Self::new(error, Outcome::NotApplied)
    }

    /// Returns whether certainly nothing was changed.
    pub fn changed_nothing(&self) -> bool {
        self.outcome == Outcome::NotApplied && !self.has_written
    }

    /// Returns whether the failed operation may be sent again, on the same route or on another: a read always, a
    /// write only if it certainly changed nothing. Whoever repeats anything asks this.
    pub fn permits_repeating(&self, operation: Operation) -> bool {
        operation == Operation::Read || self.changed_nothing()
    }

    /// Writes a fact to the details that callers see, or removes it if there is none. This is the
    /// only place where these facts become JSON.
    pub fn write_detail(&mut self, fact: Fact) {
        let (key, value) = match fact {
            Fact::Outcome => ("outcome", Some(Value::from(self.outcome.as_str()))),
            Fact::RetryAfter => (
                "retry_after_s",
                self.retry_after.map(|wait| wait.as_secs().into()),
            ),
            Fact::Status => ("status", self.status.map(Value::from)),
            Fact::Verified => ("verified", self.was_not_seen.then(|| "not_seen".into())),
        };
        match value {
            Some(value) => {
                self.error.details.insert(key.to_owned(), value);
            }
            None => {
                self.error.details.shift_remove(key);
            }
        }
    }

    /// Like [`Failure::write_detail`], for building a failure.
    #[must_use]
    pub fn with_detail_of(mut self, fact: Fact) -> Self {
        self.write_detail(fact);
        self
    }

    /// Removes the outcome of a part from the details, because it is not the outcome of the whole.
    pub fn remove_outcome_detail(&mut self) {
        self.error.details.shift_remove("outcome");
    }

    /// Masks secrets in the error and in the errors of the parts.
    pub fn redact(&mut self, redactor: &Redactor) {
        self.error.redact(redactor);
        for partial in &mut self.errors {
            partial.failure.redact(redactor);
        }
    }

    /// Changes the error and keeps the facts.
    #[must_use]
    pub fn map_error(self, change: impl FnOnce(ResultError) -> ResultError) -> Self {
        Self {
            error: change(self.error),
            ..self
        }
    }
}

impl From<ResultError> for Failure {
    /// Converts an error that occurred before anything was sent.
    fn from(error: ResultError) -> Self {
        Self::not_sent(error)
    }
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;
    use crate::ErrorCode;

    #[test]
    fn what_is_told_follows_the_facts() {
        let error = ResultError::new(ErrorCode::Network, "reset").with_detail("near", "x");
        let mut failure = Failure {
            status: Some(502),
            retry_after: Some(Duration::from_millis(1500)),
            was_not_seen: true,
            ..Failure::new(error, Outcome::Unknown)
        };
        for fact in [
            Fact::Status,
            Fact::RetryAfter,
            Fact::Verified,
            Fact::Outcome,
        ] {
            failure.write_detail(fact);
        }
        let told = json!({
            "near": "x",
            "status": 502,
            "retry_after_s": 1,
            "verified": "not_seen",
            "outcome": "unknown",
        });
        assert_eq!(Value::Object(failure.error.details.clone()), told);
        failure.retry_after = None;
        failure.outcome = Outcome::Applied;
        failure.write_detail(Fact::RetryAfter);
        failure.write_detail(Fact::Outcome);
        assert_eq!(failure.error.details.get("retry_after_s"), None);
        assert_eq!(failure.error.details["outcome"], "applied");
    }
}
