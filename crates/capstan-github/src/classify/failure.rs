//! A verdict and a text as a failure.

use capstan_core::port::Failure;
use capstan_core::{ErrorCode, ResultError};

use super::table::{self, Verdict};
use super::{Head, details, wait};

/// A failure with what the headers say: how long to wait, and whether the whole host is limited.
pub(super) fn with_head(verdict: Verdict, text: String, head: &Head) -> Failure {
    let retry_after = wait::of(verdict.code, head);
    let limits_host = wait::is_of_host(verdict.code, Some(head), &text);
    let mut failure = Failure {
        status: Some(head.status.as_u16()),
        retry_after,
        limits_host,
        ..plain(verdict, text)
    };
    details::add(&mut failure, head);
    failure
}

/// A failure for which there are no headers.
pub(super) fn plain(verdict: Verdict, text: String) -> Failure {
    let mut error = ResultError::new(verdict.code, text);
    error.retryable = verdict.retryable;
    Failure {
        too_much: verdict.too_much,
        ..Failure::new(error, verdict.outcome)
    }
}

/// The verdict on a text that speaks of a rate limit.
pub(super) fn words_of_limit(said: &str) -> Option<Verdict> {
    table::words(&table::GITHUB_WORDS, said).filter(|verdict| verdict.code == ErrorCode::RateLimit)
}
