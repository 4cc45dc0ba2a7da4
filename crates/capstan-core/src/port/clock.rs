//! Time, so that tests need not wait.

use std::time::{Duration, Instant, SystemTime};

use super::BoxFuture;

pub trait Clock: Send + Sync {
    fn now(&self) -> Instant;

    /// The date, for what is kept.
    fn date(&self) -> SystemTime;

    fn sleep(&self, duration: Duration) -> BoxFuture<'_, ()>;
}
