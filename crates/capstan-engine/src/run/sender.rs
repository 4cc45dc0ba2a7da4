//! Sends requests on one route: deadlines, retries inside the budget, and a record of every try.

use std::sync::{Mutex, PoisonError};
use std::time::{Duration, Instant};

use capstan_core::port::{Answer, Clock, Failure, RouteAdapter};
use capstan_core::{AttemptMeta, AttemptStatus, ErrorCode, Outcome, ResultError, RouteRequest};

use crate::retry::wait_before_retry;

pub(crate) struct Sender<'a> {
    pub adapter: &'a dyn RouteAdapter,
    pub clock: &'a dyn Clock,
    /// When the whole run must be over.
    pub deadline: Instant,
    /// How long one request may take.
    pub request_timeout: Duration,
    pub log: &'a AttemptLog,
}

/// Every try of a run, and the time that was spent on them.
#[derive(Debug, Default)]
pub(crate) struct AttemptLog(Mutex<(Vec<AttemptMeta>, Duration)>);

impl AttemptLog {
    pub(crate) fn push(&self, attempt: AttemptMeta) {
        self.0
            .lock()
            .unwrap_or_else(PoisonError::into_inner)
            .0
            .push(attempt);
    }

    pub(crate) fn into_parts(self) -> (Vec<AttemptMeta>, Duration) {
        self.0.into_inner().unwrap_or_else(PoisonError::into_inner)
    }

    fn spend(&self, time: Duration) {
        self.0.lock().unwrap_or_else(PoisonError::into_inner).1 += time;
    }
}

impl Sender<'_> {
    /// What `read` makes of the answer to a request, retried where that is safe and there is time
    /// for it. An answer that cannot be used fails like one that did not come.
    pub(crate) async fn send<T>(
        &self,
        request: &RouteRequest,
        read: impl Fn(Answer) -> Result<T, Failure>,
    ) -> Result<T, Failure> {
        let mut tries = 0;
        loop {
            tries += 1;
            let started = self.clock.now();
            if started >= self.deadline {
                return Err(out_of_time());
            }
            let deadline = self.deadline.min(started + self.request_timeout);
            let result = self.adapter.send(request, deadline).await.and_then(&read);
            let took = self.clock.now().saturating_duration_since(started);
            self.log.spend(took);
            let failure = match result {
                Ok(answer) => {
                    tracing::debug!(route = %self.adapter.route(), operation = ?request.operation(), ?took, "answered");
                    self.record(AttemptStatus::Success, None, took, None);
                    return Ok(answer);
                }
                Err(failure) => failure,
            };
            tracing::debug!(
                route = %self.adapter.route(),
                operation = ?request.operation(),
                tries,
                code = %failure.error.code,
                outcome = ?failure.outcome,
                "failed: {}",
                failure.error.message
            );
            let message = failure.error.message.clone();
            self.record(
                AttemptStatus::Error,
                Some(failure.error.code),
                took,
                Some(message),
            );
            let wait = wait_before_retry(request.operation(), &failure, tries, fastrand::f64());
            let left = self.deadline.saturating_duration_since(self.clock.now());
            match wait.filter(|wait| *wait < left) {
                Some(wait) => self.clock.sleep(wait).await,
                None => return Err(failure),
            }
        }
    }

    fn record(
        &self,
        status: AttemptStatus,
        error_code: Option<ErrorCode>,
        took: Duration,
        detail: Option<String>,
    ) {
        self.log.push(AttemptMeta {
            route: self.adapter.route(),
            status,
            error_code,
            duration_ms: Some(u64::try_from(took.as_millis()).unwrap_or(u64::MAX)),
            detail,
        });
    }
}

/// Nothing is started that could not be finished: a write would then be in doubt for no reason.
fn out_of_time() -> Failure {
    let message = "the time for this run was over before the request could be sent";
    Failure {
        error: ResultError::new(ErrorCode::Network, message),
        outcome: Outcome::NotApplied,
        retry_after: None,
    }
}
