//! When a step of a skill that failed is tried again. Where the author of a skill says so, the engine below
//! sends each request once: attempts do not multiply.

use std::time::Duration;

use serde_json::Value;

use capstan_core::ResultError;
use capstan_skill::{Backoff, Leaf};

/// Nobody waits longer between two tries.
const LONGEST: Duration = Duration::from_secs(60);

/// How long to wait before the next try; nothing if there is to be none.
pub(super) fn pause(leaf: &Leaf, error: &ResultError, tries: u32) -> Option<Duration> {
    let retry = leaf.retry.as_ref()?;
    if tries >= retry.max_attempts || !retry.retry_on.contains(&error.code) {
        return None;
    }
    if leaf.writes() && !certainly_did_nothing(error) {
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
    let told = error.details.get("retry_after_s").and_then(Value::as_u64);
    let told = told.map_or(Duration::ZERO, Duration::from_secs);
    Some(pause.max(told))
}

/// Only what was refused, or never left, is written again.
fn certainly_did_nothing(error: &ResultError) -> bool {
    let outcome = error.details.get("outcome").and_then(Value::as_str);
    outcome == Some("not_applied") && !error.details.contains_key("writes")
}
