//! When a step of a skill that failed is tried again. Where the author of a skill says so, the engine below
//! sends each request once: attempts do not multiply.

use std::time::Duration;

use capstan_core::port::Failure;
use capstan_skill::{Backoff, Leaf};

/// Nobody waits longer between two tries.
const LONGEST: Duration = Duration::from_secs(60);

/// How long to wait before the next try; nothing if there is to be none.
pub(super) fn pause(leaf: &Leaf, failure: &Failure, tries: u32) -> Option<Duration> {
    let retry = leaf.retry.as_ref()?;
    if tries >= retry.max_attempts || !retry.retry_on.contains(&failure.error.code) {
        return None;
    }
    // OnlyKind what was refused, or never left, is written again.
    if leaf.writes() && !failure.changed_nothing() {
        return None;
    }
    let before = tries.saturating_sub(1);
    let factor = match retry.backoff {
        Backoff::None => 0,
        Backoff::Fixed => 1,
        Backoff::Linear => tries,
        Backoff::Exponential => 2_u32.saturating_pow(before),
    };
    let pause = retry.delay.saturating_mul(factor).min(LONGEST);
    let asked = failure.retry_after.unwrap_or(Duration::ZERO);
    Some(pause.max(asked))
}
