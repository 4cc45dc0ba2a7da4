//! Builds a failure from a verdict and a message.

use capstan_core::ErrorCode;
use capstan_core::port::{Fact, Failure, Verdict};

use super::{Head, wait};

/// Returns a failure with the facts in the head of the answer.
pub(super) fn with_head(verdict: Verdict, text: String, head: &Head) -> Failure {
    let mut failure = Failure {
        status: Some(head.status.as_u16()),
        retry_after: wait::retry_after(verdict.code, head),
        // Nobody knows what a service counts, so its limits apply to everything there.
        limits_login: verdict.code == ErrorCode::RateLimit,
        ..verdict.failure(text)
    };
    failure.write_detail(Fact::Status);
    failure.write_detail(Fact::RetryAfter);
    if let Some(id) = head.header("x-request-id") {
        failure.error.set_detail("request_id", id);
    }
    failure
}
