//! The port to time, so that tests need not wait.

use std::time::{Duration, Instant, SystemTime};

use super::BoxFuture;

pub trait Clock: Send + Sync {
    fn now(&self) -> Instant;

    /// Returns the date, for stored timestamps.
    fn date(&self) -> SystemTime;

    fn sleep(&self, duration: Duration) -> BoxFuture<'_, ()>;
}
