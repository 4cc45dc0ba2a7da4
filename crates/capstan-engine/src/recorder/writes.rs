//! A summary of the writes of an execution.

use serde_json::json;

use capstan_core::Outcome;
use capstan_core::port::Failure;

/// The outcomes of a number of writes.
#[derive(Debug, Default, PartialEq, Eq)]
pub(crate) struct WriteSummary {
    /// How many succeeded.
    pub(crate) done: usize,
    /// The capabilities of the writes with an unknown outcome.
    pub(crate) unknown: Vec<String>,
}

impl WriteSummary {
    /// Returns whether nothing was written, and nothing may have been.
    pub(crate) fn is_empty(&self) -> bool {
        self.done == 0 && self.unknown.is_empty()
    }

    /// Adds the writes before a failure to it, because they are not undone. Sets the outcome accordingly.
    pub(crate) fn add_to(self, mut failure: Failure) -> Failure {
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
