//! The clock that the engine reads and waits by.

use std::time::{Duration, Instant, SystemTime};

use capstan_core::port::{BoxFuture, Clock};

pub(crate) struct TokioClock;

impl Clock for TokioClock {
    fn now(&self) -> Instant {
        Instant::now()
    }

    #[expect(clippy::disallowed_methods, reason = "this is the clock")]
    fn date(&self) -> SystemTime {
        SystemTime::now()
    }

    fn sleep(&self, duration: Duration) -> BoxFuture<'_, ()> {
        Box::pin(tokio::time::sleep(duration))
    }
}
