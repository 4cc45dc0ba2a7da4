//! Decides whether a failed request is sent again or on another route, and how long to wait before.

use std::time::Duration;

use capstan_core::ErrorCode;
use capstan_core::card::Operation;
use capstan_core::port::Failure;

/// How often one request is sent at most.
pub(crate) const MAX_TRIES: u32 = 3;

/// How long one request may take; GitHub itself gives up after about ten seconds.
pub(crate) const REQUEST_TIMEOUT: Duration = Duration::from_secs(12);

const FIRST_WAIT: Duration = Duration::from_millis(250);
const LONGEST_WAIT: Duration = Duration::from_secs(8);

/// Returns how long to wait before the next try; `None` if there must not be one. An answer that is still being prepared
/// is asked for again and again, at growing intervals; the caller stops at the deadline.
pub(crate) fn wait_before_retry(
    operation: Operation,
    failure: &Failure,
    tries: u32,
    jitter: f64,
) -> Option<Duration> {
    if failure.is_pending && operation == Operation::Read {
        // Nothing is wrong, so only the time of the call limits how often it is asked for.
        let polled = backoff(tries.saturating_add(1), jitter);
        return Some(failure.retry_after.map_or(polled, |wait| wait.max(polled)));
    }
    let allowed = tries < MAX_TRIES
        && failure.error.retryable
        && matches!(
            failure.error.code,
            ErrorCode::Network | ErrorCode::RateLimit | ErrorCode::Server
        )
        && failure.permits_repeating(operation);
    allowed.then(|| {
        failure
            .retry_after
            .unwrap_or_else(|| backoff(tries, jitter))
    })
}

/// Returns whether another route may try after this failure.
pub(crate) fn may_fall_back(operation: Operation, failure: &Failure) -> bool {
    let another_may_help = failure.error.code == ErrorCode::AdapterUnsupported
        || is_too_much_alone(failure)
        || (failure.error.retryable && failure.error.code.is_transient());
    // What is being prepared is not ready on another route either.
    another_may_help && !failure.is_pending && failure.permits_repeating(operation)
}

/// Returns whether the request by itself is more than this route gives in one answer. A batch that is too large was
/// halved before; another route may have other limits.
pub(crate) fn is_too_much_alone(failure: &Failure) -> bool {
    failure.too_much && failure.error.code == ErrorCode::Validation
}

/// Returns an exponential wait with jitter over its upper half, so that many agents do not come back together.
pub(crate) fn backoff(tries: u32, jitter: f64) -> Duration {
    let full = FIRST_WAIT
        .saturating_mul(1 << tries.saturating_sub(1).min(10))
        .min(LONGEST_WAIT);
    full.mul_f64(0.5 + 0.5 * jitter.clamp(0.0, 1.0))
}

#[cfg(test)]
mod tests {
    use super::*;
    use capstan_core::{Outcome, ResultError};

    fn failure(code: ErrorCode, outcome: Outcome, retry_after: Option<u64>) -> Failure {
        Failure {
            retry_after: retry_after.map(Duration::from_secs),
            ..Failure::new(ResultError::new(code, "x"), outcome)
        }
    }

    #[test]
    fn writes_are_repeated_only_when_they_did_not_happen() {
        for outcome in [Outcome::Unknown, Outcome::Applied] {
            for code in [ErrorCode::Network, ErrorCode::Server, ErrorCode::RateLimit] {
                let failure = failure(code, outcome, None);
                assert_eq!(wait_before_retry(Operation::Write, &failure, 1, 0.5), None);
                assert!(!may_fall_back(Operation::Write, &failure));
                assert!(wait_before_retry(Operation::Read, &failure, 1, 0.5).is_some());
                assert!(may_fall_back(Operation::Read, &failure));
            }
        }
        let refused = failure(ErrorCode::Network, Outcome::NotApplied, None);
        assert!(wait_before_retry(Operation::Write, &refused, 1, 0.5).is_some());
        assert!(may_fall_back(Operation::Write, &refused));
    }

    #[test]
    fn what_is_too_much_for_one_route_is_tried_on_another_unless_it_may_have_written() {
        for (outcome, writes) in [(Outcome::Unknown, false), (Outcome::NotApplied, true)] {
            let mut failure = failure(ErrorCode::Validation, outcome, None);
            assert!(!may_fall_back(Operation::Read, &failure));
            failure.too_much = true;
            assert!(may_fall_back(Operation::Read, &failure));
            assert_eq!(may_fall_back(Operation::Write, &failure), writes);
            assert_eq!(wait_before_retry(Operation::Read, &failure, 1, 0.5), None);
        }
    }

    #[test]
    fn only_transient_failures_are_repeated_and_only_so_often() {
        let not_found = failure(ErrorCode::NotFound, Outcome::NotApplied, None);
        assert_eq!(wait_before_retry(Operation::Read, &not_found, 1, 0.5), None);
        let network = failure(ErrorCode::Network, Outcome::NotApplied, None);
        assert_eq!(
            wait_before_retry(Operation::Read, &network, MAX_TRIES, 0.5),
            None
        );
    }

    #[test]
    fn what_is_being_prepared_is_asked_for_without_end_and_without_haste() {
        let mut pending = failure(ErrorCode::Server, Outcome::NotApplied, None);
        pending.is_pending = true;
        let wait = |failure: &Failure, tries| {
            wait_before_retry(Operation::Read, failure, tries, 1.0).unwrap()
        };
        assert_eq!(wait(&pending, 1), Duration::from_millis(500));
        assert_eq!(wait(&pending, 2), Duration::from_secs(1));
        assert_eq!(wait(&pending, 100), LONGEST_WAIT);
        pending.retry_after = Some(Duration::from_secs(30));
        assert_eq!(wait(&pending, 1), Duration::from_secs(30));
        pending.retry_after = Some(Duration::ZERO);
        assert_eq!(wait(&pending, 100), LONGEST_WAIT);
        assert!(!may_fall_back(Operation::Read, &pending));
    }

    #[test]
    fn github_says_how_long_else_it_doubles() {
        let limited = failure(ErrorCode::RateLimit, Outcome::NotApplied, Some(7));
        assert_eq!(
            wait_before_retry(Operation::Read, &limited, 1, 0.0),
            Some(Duration::from_secs(7))
        );
        assert_eq!(backoff(1, 1.0), Duration::from_millis(250));
        assert_eq!(backoff(2, 1.0), Duration::from_millis(500));
        assert_eq!(backoff(2, 0.0), Duration::from_millis(250));
        assert_eq!(backoff(30, 1.0), LONGEST_WAIT);
    }
}
