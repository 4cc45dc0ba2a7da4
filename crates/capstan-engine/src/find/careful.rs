//! An embedder that is left alone for a while when it fails: whoever searches does not wait for it again and
//! again.

use std::sync::{Mutex, PoisonError};
use std::time::{Duration, Instant};

use capstan_core::ResultError;
use capstan_core::port::{BoxFuture, Embedder};

/// So long it is left alone.
const PAUSE: Duration = Duration::from_secs(30);

/// When it failed last, and why.
#[derive(Default)]
pub(super) struct Failure(Mutex<Option<(Instant, ResultError)>>);

pub(super) struct Careful<'a> {
    embedder: &'a dyn Embedder,
    failure: &'a Failure,
    now: Instant,
}

impl<'a> Careful<'a> {
    pub(super) fn new(embedder: &'a dyn Embedder, failure: &'a Failure, now: Instant) -> Self {
        Self {
            embedder,
            failure,
            now,
        }
    }
}

impl Failure {
    fn lately(&self, now: Instant) -> Option<ResultError> {
        let failed = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        let lately = failed
            .as_ref()
            .filter(|(at, _)| now.saturating_duration_since(*at) < PAUSE);
        lately.map(|(_, error)| error.clone())
    }

    fn set(&self, failed: Option<(Instant, ResultError)>) {
        *self.0.lock().unwrap_or_else(PoisonError::into_inner) = failed;
    }
}

impl Embedder for Careful<'_> {
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
            if let Some(error) = self.failure.lately(self.now) {
                return Err(error);
            }
            let made = self.embedder.embed(texts).await;
            let failed = made.as_ref().err().cloned();
            self.failure.set(failed.map(|error| (self.now, error)));
            made
        })
    }
}

#[cfg(test)]
mod tests {
    use std::sync::atomic::{AtomicBool, AtomicU32, Ordering};

    use capstan_core::ErrorCode;
    use futures_util::FutureExt as _;

    use super::*;

    #[derive(Default)]
    struct Shaky {
        works: AtomicBool,
        asked: AtomicU32,
    }

    impl Embedder for Shaky {
        fn model(&self) -> &str {
            "shaky"
        }

        fn embed<'a>(
            &'a self,
            texts: &'a [String],
        ) -> BoxFuture<'a, Result<Vec<Vec<f32>>, ResultError>> {
            self.asked.fetch_add(1, Ordering::Relaxed);
            let made = match self.works.load(Ordering::Relaxed) {
                true => Ok(vec![vec![1.0]; texts.len()]),
                false => Err(ResultError::new(ErrorCode::Network, "nobody answers")),
            };
            Box::pin(async move { made })
        }
    }

    #[test]
    fn what_fails_is_left_alone_for_a_while() {
        let (shaky, failure, start) = (Shaky::default(), Failure::default(), Instant::now());
        let ask = |after: u64| {
            let now = start + Duration::from_secs(after);
            let careful = Careful::new(&shaky, &failure, now);
            let texts = ["a".to_owned()];
            let made = careful.embed(&texts).now_or_never();
            (
                made.is_some_and(|made| made.is_ok()),
                shaky.asked.load(Ordering::Relaxed),
            )
        };
        assert_eq!(ask(0), (false, 1));
        assert_eq!(ask(1), (false, 1));
        shaky.works.store(true, Ordering::Relaxed);
        assert_eq!(ask(29), (false, 1));
        assert_eq!(ask(31), (true, 2));
        assert_eq!(ask(32), (true, 3));
    }
}
