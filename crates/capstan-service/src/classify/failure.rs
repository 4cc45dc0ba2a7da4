//! Builds a failure from a verdict and a message.

use capstan_core::port::{Fact, Failure};
use capstan_core::{ErrorCode, ResultError};

use super::verdict::Verdict;
use super::{Head, wait};

/// Returns a failure with the facts in the head of the answer.
pub(super) fn with_head(verdict: Verdict, text: String, head: &Head) -> Failure {
    let mut failure = Failure {
        status: Some(head.status.as_u16()),
        retry_after: wait::retry_after(verdict.code, head),
        // Nobody knows what a service counts, so its limits apply to everything there.
        limits_login: verdict.code == ErrorCode::RateLimit,
        ..plain(verdict, text)
    };
    failure.write_detail(Fact::Status);
    failure.write_detail(Fact::RetryAfter);
    if let Some(id) = head.header("x-request-id") {
        failure.error.set_detail("request_id", id);
    }
    failure
}

/// Returns a failure for which there is no answer.
pub(super) fn plain(verdict: Verdict, text: String) -> Failure {
    let mut error = ResultError::new(verdict.code, text);
    error.retryable = verdict.retryable;
    Failure {
        too_much: verdict.too_much,
        ..Failure::new(error, verdict.outcome)
    }
}
