//! Sends what a chain has ready, on its route and in its time, until the chain is over.

use std::future::Future;
use std::sync::Arc;
use std::time::{Duration, Instant};

use futures_util::future::{Either, select};
use futures_util::stream::FuturesUnordered;
use futures_util::{StreamExt as _, pin_mut};

use capstan_core::port::{Answer, Clock, Failure, RouteAdapter};
use capstan_core::{ErrorCode, ResultError};

use super::conduct::{Chain, Watch};
use super::parcel::Parcel;
use crate::delegate::Delegate;

/// What it takes to send.
pub(crate) struct Post<'a> {
    pub(crate) adapters: &'a [Arc<dyn RouteAdapter>],
    /// Does what is no request to GitHub.
    pub(crate) delegate: Delegate<'a>,
    pub(crate) clock: &'a dyn Clock,
    pub(crate) deadline: Instant,
    /// How long one request may take.
    pub(crate) request_timeout: Duration,
}

impl Post<'_> {
    /// Runs a chain to its end; how long something was under way.
    pub(crate) async fn deliver_all(&self, chain: &mut Chain<'_>, watch: Watch<'_>) -> Duration {
        let mut under_way = FuturesUnordered::new();
        let mut busy = Duration::ZERO;
        // Read once for what belongs together, so that a wait is as long as it was asked for.
        let mut now = self.clock.now();
        loop {
            for parcel in chain.ready(now) {
                under_way.push(self.send(parcel, now));
            }
            watch(chain.progress());
            let wait = chain
                .wakes_at(now)
                .map(|at| at.saturating_duration_since(now));
            let came = match (under_way.is_empty(), wait) {
                (true, None) => return busy,
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
                chain.deliver(parcel, result, took, now);
            }
        }
    }

    async fn send(&self, parcel: Parcel, started: Instant) -> Returned {
        let adapter = self
            .adapters
            .iter()
            .find(|adapter| adapter.route() == parcel.route);
        let deadline = self.deadline.min(started + self.request_timeout);
        let result = match adapter {
            Some(adapter) => adapter.send(&parcel.request, deadline).await,
            // What Capstan does itself may take all the time there is.
            None if !parcel.route.is_github() => {
                let step = parcel.wants().next().map_or(0, |pending| pending.step);
                let done = self.delegate.call(step, &parcel.request, self.deadline);
                done.await
            }
            None => Err(not_available(&parcel)),
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

/// A parcel that was sent, and what came back.
struct Returned {
    parcel: Parcel,
    result: Result<Answer, Failure>,
    took: Duration,
}

/// What comes first: the value, or the end of a wait.
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
