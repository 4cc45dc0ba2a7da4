//! An embedder that is not called for a while after it failed, so that searches do not wait for it again and
//! again.

use std::sync::{Mutex, PoisonError};
use std::time::{Duration, Instant};

use capstan_core::ResultError;
use capstan_core::port::{BoxFuture, Clock, Embedder};

/// How long it is not called after a failure.
const PAUSE: Duration = Duration::from_secs(30);

/// When the embedder failed last, and why. `None` after a success.
#[derive(Default)]
pub(super) struct LastFailure(Mutex<Option<(Instant, ResultError)>>);

pub(crate) struct CircuitBreaker<'a> {
    embedder: &'a dyn Embedder,
    failure: &'a LastFailure,
    clock: &'a dyn Clock,
}

impl<'a> CircuitBreaker<'a> {
    pub(super) fn new(
        embedder: &'a dyn Embedder,
        failure: &'a LastFailure,
        clock: &'a dyn Clock,
    ) -> Self {
        Self {
            embedder,
            failure,
            clock,
        }
    }
}

impl LastFailure {
    fn recent(&self, now: Instant) -> Option<ResultError> {
        let failed = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        let recent = failed
            .as_ref()
            .filter(|(at, _)| now.saturating_duration_since(*at) < PAUSE);
        recent.map(|(_, error)| error.clone())
    }

    fn set(&self, failed: Option<(Instant, ResultError)>) {
        *self.0.lock().unwrap_or_else(PoisonError::into_inner) = failed;
    }
}

impl Embedder for CircuitBreaker<'_> {
    fn model(&self) -> &str {
        self.embedder.model()
    }

    fn is_cheap(&self) -> bool {
        self.embedder.is_cheap()
    }

    fn embed<'a>(
        &'a self,
        texts: &'a [String],
    ) -> BoxFuture<'a, Result<Vec<Vec<f32>>, ResultError>> {
        Box::pin(async move {
            if let Some(error) = self.failure.recent(self.clock.now()) {
                return Err(error);
            }
            let made = self.embedder.embed(texts).await;
            // The pause starts when the call failed, which may be long after it started.
            let failed = made.as_ref().err().cloned();
            self.failure
                .set(failed.map(|error| (self.clock.now(), error)));
            made
        })
    }
}

#[cfg(test)]
mod tests {
    use std::sync::atomic::{AtomicBool, AtomicU32, AtomicU64, Ordering};
    use std::time::SystemTime;

    use capstan_core::ErrorCode;
    use futures_util::FutureExt as _;

    use super::*;

    /// An embedder that takes forty seconds to fail.
    struct Shaky<'a> {
        works: AtomicBool,
        query: AtomicU32,
        clock: &'a Seconds,
    }

    struct Seconds {
        start: Instant,
        after: AtomicU64,
    }

    impl Clock for Seconds {
        fn now(&self) -> Instant {
            self.start + Duration::from_secs(self.after.load(Ordering::Relaxed))
        }

        fn date(&self) -> SystemTime {
            SystemTime::UNIX_EPOCH
        }

        fn sleep(&self, duration: Duration) -> BoxFuture<'_, ()> {
            self.after.fetch_add(duration.as_secs(), Ordering::Relaxed);
            Box::pin(async {})
        }
    }

    impl Embedder for Shaky<'_> {
        fn model(&self) -> &str {
            "shaky"
        }

        fn embed<'a>(
            &'a self,
            texts: &'a [String],
        ) -> BoxFuture<'a, Result<Vec<Vec<f32>>, ResultError>> {
            self.query.fetch_add(1, Ordering::Relaxed);
            let made = if self.works.load(Ordering::Relaxed) {
                Ok(vec![vec![1.0]; texts.len()])
            } else {
                Err(ResultError::new(ErrorCode::Network, "nobody answers"))
            };
            Box::pin(async move {
                if made.is_err() {
                    self.clock.sleep(Duration::from_secs(40)).await;
                }
                made
            })
        }
    }

    #[test]
    fn what_fails_is_left_alone_for_a_while() {
        let clock = Seconds {
            start: Instant::now(),
            after: AtomicU64::new(0),
        };
        let shaky = Shaky {
            works: AtomicBool::new(false),
            query: AtomicU32::new(0),
            clock: &clock,
        };
        let failure = LastFailure::default();
        let ask = |after: u64| {
            clock.after.store(after, Ordering::Relaxed);
            let breaker = CircuitBreaker::new(&shaky, &failure, &clock);
            let texts = ["a".to_owned()];
            let made = breaker.embed(&texts).now_or_never();
            (
                made.is_some_and(|made| made.is_ok()),
                shaky.query.load(Ordering::Relaxed),
            )
        };
        assert_eq!(ask(0), (false, 1));
        assert_eq!(ask(41), (false, 1));
        shaky.works.store(true, Ordering::Relaxed);
        assert_eq!(ask(69), (false, 1));
        assert_eq!(ask(71), (true, 2));
        assert_eq!(ask(72), (true, 3));
    }
}
