//! Pauses that GitHub asks for. A pause for a login holds on every route and for every chain, because GitHub counts their
//! requests together.

use std::sync::{Mutex, PoisonError};
use std::time::{Duration, Instant};

use capstan_core::port::Failure;
use capstan_core::{ErrorCode, ResultError};

/// The longest pause that is kept. No chain takes as long, and a time further away may not exist.
const LONGEST: Duration = Duration::from_secs(24 * 60 * 60);

/// Nothing is sent before this time.
#[derive(Clone, Debug)]
pub(crate) struct Pause {
    pub(super) until: Instant,
    /// GitHub's message.
    said: String,
}

/// The pause for all requests to the host, shared by all chains.
#[derive(Debug, Default)]
pub(crate) struct HostPause(Mutex<Option<Pause>>);

impl Pause {
    /// Returns the pause that a failure asks for, if any.
    pub(super) fn asked_by(failure: &Failure, now: Instant) -> Option<Self> {
        let wait = failure.retry_after?.min(LONGEST);
        (failure.error.code == ErrorCode::RateLimit).then(|| Self {
            until: now + wait,
            said: failure.error.message.clone(),
        })
    }

    /// Returns the failure of a request that is not sent because of the pause.
    pub(super) fn failure(&self, now: Instant) -> Failure {
        let left = self.until.saturating_duration_since(now);
        // Rounded up: a caller who waits for whole seconds must not be early.
        let left = Duration::from_secs(left.as_secs() + u64::from(left.subsec_nanos() > 0));
        let message = format!(
            "not sent: GitHub asks to wait {} s more, which exceeds the time limit of this run: {}",
            left.as_secs(),
            self.said
        );
        Failure {
            retry_after: Some(left),
            limits_login: true,
            ..Failure::not_sent(ResultError::new(ErrorCode::RateLimit, message))
        }
    }
}

impl HostPause {
    /// Returns the pause that is in force at `now`.
    pub(super) fn at(&self, now: Instant) -> Option<Pause> {
        let pause = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        pause.clone().filter(|pause| pause.until > now)
    }

    /// Keeps the longer of two pauses.
    pub(super) fn extend_to(&self, pause: Pause) {
        let mut known = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        if known.as_ref().is_none_or(|known| known.until < pause.until) {
            *known = Some(pause);
        }
    }
}
