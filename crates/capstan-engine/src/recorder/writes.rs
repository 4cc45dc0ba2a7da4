//! What became of the writes of an execution.

use serde_json::json;

use capstan_core::Outcome;
use capstan_core::port::Failure;

/// What became of the writes of a run.
#[derive(Debug, Default, PartialEq, Eq)]
pub(crate) struct Writes {
    pub(crate) done: usize,
    /// Of which nobody knows whether they happened.
    pub(crate) unknown: Vec<String>,
}

impl Writes {
    /// Nothing was written, and nothing may have been.
    pub(crate) fn is_nothing(&self) -> bool {
        self.done == 0 && self.unknown.is_empty()
    }

    /// Adds to a failure what became of the writes before it: told, because they stay done.
    pub(crate) fn added_to(self, mut failure: Failure) -> Failure {
        failure.outcome = match (self.unknown.is_empty(), self.done) {
            (false, _) => Outcome::Unknown,
            (true, 0) => Outcome::NotApplied,
            (true, _) => Outcome::Applied,
        };
        failure.has_written = failure.outcome != Outcome::NotApplied;
        if failure.has_written {
            failure.error.retryable = false;
            let told = json!({"done": self.done, "unknown": self.unknown});
            failure.error.set_detail("writes", told);
        }
        failure
    }
}
