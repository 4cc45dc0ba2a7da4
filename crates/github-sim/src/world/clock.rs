//! The world's clock: it starts at a fixed instant and advances only when something is written.

use time::format_description::well_known::Rfc3339;
use time::macros::datetime;
use time::{Duration, OffsetDateTime};

/// A deterministic clock.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Clock {
    now: OffsetDateTime,
    step: Duration,
}

impl Default for Clock {
    fn default() -> Self {
        Self {
            now: datetime!(2026-06-01 09:00:00 UTC),
            step: Duration::seconds(7),
        }
    }
}

impl Clock {
    /// Returns the current time of the world.
    pub fn now(&self) -> OffsetDateTime {
        self.now
    }

    /// Sets the current time; seeds use this to give things believable times.
    pub fn set(&mut self, now: OffsetDateTime) {
        self.now = now;
    }

    pub fn advance(&mut self, by: Duration) {
        self.now += by;
    }

    /// Returns the time of the next change, without advancing the clock.
    pub fn upcoming(&self) -> OffsetDateTime {
        self.now + self.step
    }

    /// Advances the clock by one step and returns the new time.
    pub fn tick(&mut self) -> OffsetDateTime {
        self.now += self.step;
        self.now
    }
}

/// Formats a time as both APIs do: `2026-06-01T09:00:00Z`.
pub fn rest_time(at: OffsetDateTime) -> String {
    let whole = at.replace_nanosecond(0).unwrap_or(at);
    whole.format(&Rfc3339).unwrap_or_default()
}
