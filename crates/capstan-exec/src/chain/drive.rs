//! Drives a chain to its end: sends what is ready and waits for answers. The only place that does so.

use std::future::Future;
use std::sync::Arc;
use std::time::{Duration, Instant};

use futures_util::future::{Either, select};
use futures_util::stream::FuturesUnordered;
use futures_util::{StreamExt as _, pin_mut};

use capstan_core::card::Operation;
use capstan_core::port::{Answer, Clock, Failure, RouteAdapter};
use capstan_core::{ErrorCode, Outcome, ResultError, Route};

use super::conduct::{Chain, out_of_time};
use super::observe::{ChainObserver, Delegate, Departure, Watch};
use super::parcel::Parcel;

/// Sends the requests of a chain and waits for their answers.
pub(crate) struct Driver<'a> {
    pub(crate) adapters: &'a [Arc<dyn RouteAdapter>],
    pub(crate) delegate: &'a dyn Delegate,
    pub(crate) observer: &'a dyn ChainObserver,
    pub(crate) clock: &'a dyn Clock,
    pub(crate) deadline: Instant,
    /// The longest time that one request may take.
    pub(crate) request_timeout: Duration,
}

impl Driver<'_> {
    /// Runs a chain to its end and returns how long something was under way. However it ends, the observer then knows
    /// of every step whether it was answered, may be under way, or never left.
    pub(crate) async fn run(&self, chain: &mut Chain<'_>, watch: Watch<'_>) -> Duration {
        let mut reported = Reported::new(chain, self.observer);
        let mut under_way = FuturesUnordered::new();
        let mut busy = Duration::ZERO;
        // One reading per round, so that waits are exactly as long as computed.
        let mut now = self.clock.now();
        loop {
            let parcels = reported.chain.ready(now);
            if parcels
                .iter()
                .any(|parcel| parcel.operation() == Operation::Write)
            {
                // The record that is made with a write includes all steps that have ended.
                reported.report();
            }
            for parcel in parcels {
                under_way.push(self.send(parcel, now));
            }
            watch(reported.chain.progress());
            let wait = reported
                .chain
                .wakes_at(now)
                .map(|at| at.saturating_duration_since(now));
            let came = match (under_way.is_empty(), wait) {
                (true, None) => {
                    reported.is_over = true;
                    return busy;
                }
                (true, Some(wait)) => {
                    self.clock.sleep(wait).await;
                    None
                }
                (false, None) => under_way.next().await,
                (false, Some(wait)) => first(under_way.next(), self.clock.sleep(wait)).await,
            };
            let waited_from = std::mem::replace(&mut now, self.clock.now());
            if !under_way.is_empty() || came.is_some() {
                busy += now.saturating_duration_since(waited_from);
            }
            if let Some(Returned {
                parcel,
                result,
                took,
            }) = came
            {
                self.returned(&mut reported, parcel, result, took, now);
            }
        }
    }

    fn returned(
        &self,
        reported: &mut Reported<'_, '_>,
        parcel: Parcel,
        result: Result<Answer, Failure>,
        took: Duration,
        now: Instant,
    ) {
        let is_write = parcel.operation() == Operation::Write;
        if let Err(failure) = &result
            && is_write
            && parcel.outcome_after(failure) == Outcome::NotApplied
        {
            self.observer.not_applied(&steps_of(&parcel));
        }
        reported.chain.deliver(parcel, result, took, now);
        if is_write {
            reported.report();
            self.observer.write_returned(reported.chain.is_over());
        }
    }

    /// Tells the observer that a parcel is about to leave this machine.
    async fn depart(&self, parcel: &Parcel) -> Result<(), Failure> {
        let steps = steps_of(parcel);
        let departure = Departure {
            steps: &steps,
            operation: parcel.operation(),
            leaves_machine: parcel.route.is_of_cards() || parcel.route == Route::Mcp,
        };
        self.observer.departing(departure).await
    }

    async fn send(&self, parcel: Parcel, started: Instant) -> Returned {
        let adapter = self
            .adapters
            .iter()
            .find(|it| it.route() == parcel.route && it.service() == parcel.service.as_ref());
        // What Capstan does itself, and sending a file, may take all the time there is.
        let deadline = match adapter {
            Some(_) if !parcel.request.is_upload() => {
                self.deadline.min(started + self.request_timeout)
            }
            _ => self.deadline,
        };
        let departed = self.depart(&parcel).await;
        let is_late = self.clock.now() >= deadline;
        let result = match (departed, adapter) {
            (Err(failure), _) => Err(failure),
            // The observer took too long.
            (Ok(()), _) if is_late => Err(out_of_time(parcel.route)),
            (Ok(()), Some(adapter)) => adapter.send(&parcel.request, deadline).await,
            (Ok(()), None) if !parcel.route.is_of_cards() => {
                let step = parcel.wants().next().map_or(0, |pending| pending.step);
                let done = self.delegate.call(step, &parcel.request, deadline);
                done.await
            }
            (Ok(()), None) => Err(not_available(&parcel)),
        };
        let took = self.clock.now().saturating_duration_since(started);
        let (route, operation) = (parcel.route, parcel.request.operation());
        match &result {
            Ok(_) => tracing::debug!(%route, ?operation, ?took, "answered"),
            Err(failure) => tracing::debug!(
                %route,
                ?operation,
                code = %failure.error.code,
                outcome = ?failure.outcome,
                "failed: {}",
                failure.error.message
            ),
        }
        Returned {
            parcel,
            result,
            took,
        }
    }
}

/// A parcel that was sent, and its result.
struct Returned {
    parcel: Parcel,
    result: Result<Answer, Failure>,
    took: Duration,
}

/// Reports steps to the observer when they end, at the latest when the chain is dropped.
struct Reported<'c, 'a> {
    chain: &'c mut Chain<'a>,
    observer: &'c dyn ChainObserver,
    /// By step.
    is_reported: Vec<bool>,
    /// The chain has ended: the caller reports the remaining results.
    is_over: bool,
}

impl<'c, 'a> Reported<'c, 'a> {
    fn new(chain: &'c mut Chain<'a>, observer: &'c dyn ChainObserver) -> Self {
        Self {
            is_reported: vec![false; chain.steps.len()],
            chain,
            observer,
            is_over: false,
        }
    }

    fn report(&mut self) {
        for (index, step) in self.chain.steps.iter().enumerate() {
            let Some(finished) = step.finished() else {
                continue;
            };
            if std::mem::replace(&mut self.is_reported[index], true) {
                continue;
            }
            self.observer.ended(index, finished.result.as_ref());
        }
    }
}

impl Drop for Reported<'_, '_> {
    fn drop(&mut self) {
        if !self.is_over {
            self.report();
        }
    }
}

/// Returns the steps whose wants a parcel carries.
fn steps_of(parcel: &Parcel) -> Vec<usize> {
    parcel.wants().map(|pending| pending.step).collect()
}

/// Returns the value, or nothing if the wait ends first.
async fn first<T>(
    value: impl Future<Output = Option<T>>,
    wait: impl Future<Output = ()>,
) -> Option<T> {
    pin_mut!(value, wait);
    match select(value, wait).await {
        Either::Left((value, _)) => value,
        Either::Right(((), _)) => None,
    }
}

fn not_available(parcel: &Parcel) -> Failure {
    let message = format!("{} is not available here", parcel.route);
    Failure::not_sent(ResultError::new(ErrorCode::AdapterUnsupported, message))
}
