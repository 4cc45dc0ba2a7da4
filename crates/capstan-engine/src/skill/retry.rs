//! Decides when a failed step of a skill is tried again. For a step with retries of its own, the executor sends each
//! request only once, so that attempts do not multiply.

use std::time::Duration;

use capstan_core::card::Operation;
use capstan_core::port::Failure;
use capstan_skill::{Backoff, Leaf};

/// The longest pause between two attempts.
const LONGEST_PAUSE: Duration = Duration::from_secs(60);

/// Returns the pause before the next attempt, after `tries` attempts; `None` if there is no further attempt.
pub(super) fn pause(leaf: &Leaf, failure: &Failure, tries: u32) -> Option<Duration> {
    let retry = leaf.retry.as_ref()?;
    if tries >= retry.max_attempts || !retry.retry_on.contains(&failure.error.code) {
        return None;
    }
    let operation = if leaf.writes() {
        Operation::Write
    } else {
        Operation::Read
    };
    if !failure.permits_repeating(operation) {
        return None;
    }
    let before = tries.saturating_sub(1);
    let factor = match retry.backoff {
        Backoff::None => 0,
        Backoff::Fixed => 1,
        Backoff::Linear => tries,
        Backoff::Exponential => 2_u32.saturating_pow(before),
    };
    let pause = retry.delay.saturating_mul(factor).min(LONGEST_PAUSE);
    let asked = failure.retry_after.unwrap_or(Duration::ZERO);
    Some(pause.max(asked))
}
