//! When a server that keeps ending may be started again.

use std::sync::Arc;
use std::time::{Duration, Instant};

const FIRST_WAIT: Duration = Duration::from_millis(200);
const LONGEST_WAIT: Duration = Duration::from_secs(30);

/// A server that lived this long does not keep ending.
const STEADY: Duration = Duration::from_secs(30);

#[derive(Debug, Default)]
pub(crate) struct Backoff {
    ends: u32,
    until: Option<Instant>,
    why: Option<Arc<str>>,
}

impl Backoff {
    /// It ended, or did not even start.
    pub(crate) fn ended(&mut self, now: Instant, lived: Duration, why: Arc<str>) {
        if lived >= STEADY {
            self.ends = 0;
        }
        self.ends = self.ends.saturating_add(1);
        self.until = now.checked_add(wait_after(self.ends));
        self.why = Some(why);
    }

    /// How long it must not be started, and why.
    pub(crate) fn wait(&self, now: Instant) -> Option<(Duration, Arc<str>)> {
        let wait = self.until?.checked_duration_since(now)?;
        if wait.is_zero() {
            return None;
        }
        Some((wait, self.why.clone()?))
    }
}

/// Once can happen; after that it doubles.
fn wait_after(ends: u32) -> Duration {
    match ends {
        0 | 1 => Duration::ZERO,
        more => FIRST_WAIT
            .saturating_mul(1 << (more - 2).min(16))
            .min(LONGEST_WAIT),
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
        assert_eq!(wait_after(u32::MAX), LONGEST_WAIT);
    }

    #[test]
    fn a_steady_life_is_forgiven() {
        let mut backoff = Backoff::default();
        let now = Instant::now();
        assert!(backoff.wait(now).is_none());
        for _ in 0..5 {
            backoff.ended(now, Duration::ZERO, "x".into());
        }
        let (wait, why) = backoff.wait(now).unwrap();
        assert_eq!((wait.as_millis(), &*why), (1_600, "x"));
        assert!(backoff.wait(now + wait).is_none());
        backoff.ended(now, STEADY, "y".into());
        assert!(backoff.wait(now).is_none());
    }
}
