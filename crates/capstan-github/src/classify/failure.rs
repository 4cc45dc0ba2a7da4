//! Builds a failure from a verdict and a message.

use capstan_core::ErrorCode;
use capstan_core::port::{Failure, Verdict};

use super::table;
use super::{Head, details, wait};

/// Returns a failure with the facts in the headers: how long to wait, and whether the limit applies
/// to the whole host.
pub(super) fn with_head(verdict: Verdict, text: String, head: &Head) -> Failure {
    let retry_after = wait::retry_after(verdict.code, head);
    let limits_login = wait::limits_login(verdict.code, Some(head), &text);
    let mut failure = Failure {
        status: Some(head.status.as_u16()),
        retry_after,
        limits_login,
        ..verdict.failure(text)
    };
    details::add(&mut failure, head);
    failure
}

/// Returns the verdict on a message that mentions a rate limit; `None` for any other message.
pub(super) fn rate_limit_verdict(message: &str) -> Option<Verdict> {
    table::words(&table::GITHUB_WORDS, message)
        .filter(|verdict| verdict.code == ErrorCode::RateLimit)
}
