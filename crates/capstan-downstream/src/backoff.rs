//! Decides when a server that keeps ending may be started again.

use std::sync::Arc;
use std::time::{Duration, Instant};

const FIRST_WAIT: Duration = Duration::from_millis(200);
const MAX_WAIT: Duration = Duration::from_secs(30);

/// A server that ran this long does not count as failing repeatedly.
const STABLE_AFTER: Duration = Duration::from_secs(30);

#[derive(Debug, Default)]
pub(crate) struct Backoff {
    ends: u32,
    until: Option<Instant>,
    reason: Option<Arc<str>>,
}

impl Backoff {
    /// Records that the server ended, or did not even start.
    pub(crate) fn record_end(&mut self, now: Instant, lived: Duration, reason: Arc<str>) {
        if lived >= STABLE_AFTER {
            self.ends = 0;
        }
        self.ends = self.ends.saturating_add(1);
        self.until = now.checked_add(wait_after(self.ends));
        self.reason = Some(reason);
    }

    /// Returns how long the server must not be started, and why; `None` if it may be started now.
    pub(crate) fn remaining_wait(&self, now: Instant) -> Option<(Duration, Arc<str>)> {
        let wait = self.until?.checked_duration_since(now)?;
        if wait.is_zero() {
            return None;
        }
        Some((wait, self.reason.clone()?))
    }
}

/// Returns the wait after this many ends in a row: none after the first, then it doubles.
fn wait_after(ends: u32) -> Duration {
    match ends {
        0 | 1 => Duration::ZERO,
        more => FIRST_WAIT
            .saturating_mul(1 << (more - 2).min(16))
            .min(MAX_WAIT),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_first_end_is_free_and_then_waits_double() {
        let waits: Vec<_> = (1..=11).map(|ends| wait_after(ends).as_millis()).collect();
        assert_eq!(
            waits,
            [
                0, 200, 400, 800, 1_600, 3_200, 6_400, 12_800, 25_600, 30_000, 30_000
            ]
        );
        assert_eq!(wait_after(u32::MAX), MAX_WAIT);
    }

    #[test]
    fn a_steady_life_is_forgiven() {
        let mut backoff = Backoff::default();
        let now = Instant::now();
        assert!(backoff.remaining_wait(now).is_none());
        for _ in 0..5 {
            backoff.record_end(now, Duration::ZERO, "x".into());
        }
        let (wait, reason) = backoff.remaining_wait(now).unwrap();
        assert_eq!((wait.as_millis(), &*reason), (1_600, "x"));
        assert!(backoff.remaining_wait(now + wait).is_none());
        backoff.record_end(now, STABLE_AFTER, "y".into());
        assert!(backoff.remaining_wait(now).is_none());
    }
}
