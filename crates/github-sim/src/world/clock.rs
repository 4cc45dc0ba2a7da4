//! The world's own time: it starts at a fixed instant and moves only when something is written.

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
    /// The present instant, without moving it.
    pub fn now(&self) -> OffsetDateTime {
        self.now
    }

    /// Seeds use this to give things believable times.
    pub fn set(&mut self, now: OffsetDateTime) {
        self.now = now;
    }

    pub fn advance(&mut self, by: Duration) {
        self.now += by;
    }

    /// When the next change will have happened; what it makes bears this time.
    pub fn upcoming(&self) -> OffsetDateTime {
        self.now + self.step
    }

    /// One step forward; returns the new instant.
    pub fn tick(&mut self) -> OffsetDateTime {
        self.now += self.step;
        self.now
    }
}

/// `2026-06-01T09:00:00Z`, as both APIs write times.
pub fn rest_time(at: OffsetDateTime) -> String {
    let whole = at.replace_nanosecond(0).unwrap_or(at);
    whole.format(&Rfc3339).unwrap_or_default()
}
