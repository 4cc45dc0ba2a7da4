//! Pauses that GitHub or a service asks for. A pause for a login holds on every route and for every chain, because
//! their requests are counted together. It holds for nobody else: each service is paused by itself.

use std::collections::HashMap;
use std::sync::{Mutex, PoisonError};
use std::time::{Duration, Instant};

use capstan_core::port::Failure;
use capstan_core::{ErrorCode, ResultError, ServiceName};

/// The longest pause that is kept. No chain takes as long, and a time further away may not exist.
const LONGEST: Duration = Duration::from_secs(24 * 60 * 60);

/// Nothing is sent before this time.
#[derive(Clone, Debug)]
pub(crate) struct Pause {
    pub(super) until: Instant,
    /// Who asks for it.
    service: Option<ServiceName>,
    /// The message of the answer.
    said: String,
}

/// By service (`None` is GitHub): the pause for all requests to the host, shared by all chains.
#[derive(Debug, Default)]
pub(crate) struct HostPauses(Mutex<HashMap<Option<ServiceName>, Pause>>);

impl Pause {
    /// Returns the pause that a failure of GitHub or of a service asks for, if any.
    pub(super) fn asked_by(
        service: Option<&ServiceName>,
        failure: &Failure,
        now: Instant,
    ) -> Option<Self> {
        let wait = failure.retry_after?.min(LONGEST);
        (failure.error.code == ErrorCode::RateLimit).then(|| Self {
            until: now + wait,
            service: service.cloned(),
            said: failure.error.message.clone(),
        })
    }

    /// Returns the failure of a request that is not sent because of the pause.
    pub(super) fn failure(&self, now: Instant) -> Failure {
        let left = self.until.saturating_duration_since(now);
        // Rounded up: a caller who waits for whole seconds must not be early.
        let left = Duration::from_secs(left.as_secs() + u64::from(left.subsec_nanos() > 0));
        let message = format!(
            "not sent: {} asks to wait {} s more, which exceeds the time limit of this run: {}",
            self.service.as_ref().map_or("GitHub", ServiceName::as_str),
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

impl HostPauses {
    /// Returns the pause that is in force at `now`.
    pub(super) fn at(&self, service: &Option<ServiceName>, now: Instant) -> Option<Pause> {
        let pauses = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        let pause = pauses.get(service).cloned();
        pause.filter(|pause| pause.until > now)
    }

    /// Keeps the longer of two pauses.
    pub(super) fn extend_to(&self, pause: Pause) {
        let mut pauses = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        extend(&mut pauses, pause);
    }
}

/// Keeps the longer of two pauses of the same service.
pub(super) fn extend(pauses: &mut HashMap<Option<ServiceName>, Pause>, pause: Pause) {
    let known = pauses.get(&pause.service);
    if known.is_none_or(|known| known.until < pause.until) {
        pauses.insert(pause.service.clone(), pause);
    }
}
