//! What left the engine, seen over the shoulder of its adapters.

use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::{Arc, Mutex};
use std::time::Instant;

use capstan_core::card::Operation;
use capstan_core::port::{Answer, BoxFuture, Clock as _, Failure, Preflight, RouteAdapter};
use capstan_core::{Route, RouteRequest};

use crate::support::QuickClock;

/// Every request that left the engine, in the order in which they left.
#[derive(Clone)]
pub(super) struct Sent {
    requests: Arc<Mutex<Vec<SentRequest>>>,
    ticks: Arc<AtomicU64>,
    clock: Arc<QuickClock>,
}

#[derive(Clone, Debug)]
pub(super) struct SentRequest {
    pub(super) request: RouteRequest,
    /// By the engine's clock.
    pub(super) at: Instant,
    /// On a count of beginnings and ends.
    began: u64,
    /// Nothing while it is under way, and for ever if it was dropped.
    ended: Option<u64>,
}

impl SentRequest {
    pub(super) fn is_write(&self) -> bool {
        self.request.operation() == Operation::Write
    }

    /// Whether both were under way at the same time.
    pub(super) fn overlaps(&self, other: &Self) -> bool {
        let before = |a: &Self, b: &Self| a.ended.is_some_and(|end| end < b.began);
        !before(self, other) && !before(other, self)
    }

    /// Whether it was under way when the other began.
    pub(super) fn was_under_way_at_start_of(&self, other: &Self) -> bool {
        self.began <= other.began && self.ended.is_none_or(|ended| ended > other.began)
    }

    pub(super) fn has_ended(&self) -> bool {
        self.ended.is_some()
    }

    /// Whether this text is among its variables, or in its path or body.
    pub(super) fn mentions(&self, text: &str) -> bool {
        let request = match &self.request {
            RouteRequest::Graphql(request) => serde_json::to_string(&request.variables),
            other => serde_json::to_string(other),
        };
        request.unwrap().contains(text)
    }
}

impl Sent {
    pub(super) fn new(clock: &Arc<QuickClock>) -> Self {
        Self {
            requests: Arc::default(),
            ticks: Arc::default(),
            clock: Arc::clone(clock),
        }
    }

    pub(super) fn all(&self) -> Vec<SentRequest> {
        self.requests.lock().unwrap().clone()
    }

    pub(super) fn clear(&self) {
        self.requests.lock().unwrap().clear();
    }

    pub(super) fn watch(&self, inner: impl RouteAdapter + 'static) -> Arc<dyn RouteAdapter> {
        Arc::new(Watched {
            inner,
            sent: self.clone(),
        })
    }

    fn tick(&self) -> u64 {
        self.ticks.fetch_add(1, Ordering::SeqCst)
    }

    fn begin(&self, request: &RouteRequest) -> u64 {
        let began = self.tick();
        self.requests.lock().unwrap().push(SentRequest {
            request: request.clone(),
            at: self.clock.now(),
            began,
            ended: None,
        });
        began
    }

    fn end(&self, began: u64) {
        let ended = self.tick();
        let mut requests = self.requests.lock().unwrap();
        if let Some(request) = requests.iter_mut().find(|it| it.began == began) {
            request.ended = Some(ended);
        }
    }
}

/// An adapter that is looked over its shoulder.
struct Watched<A> {
    inner: A,
    sent: Sent,
}

impl<A: RouteAdapter> RouteAdapter for Watched<A> {
    fn route(&self) -> Route {
        self.inner.route()
    }

    fn preflight(&self) -> BoxFuture<'_, Preflight> {
        self.inner.preflight()
    }

    fn send<'a>(
        &'a self,
        request: &'a RouteRequest,
        deadline: Instant,
    ) -> BoxFuture<'a, Result<Answer, Failure>> {
        Box::pin(async move {
            let began = self.sent.begin(request);
            let result = self.inner.send(request, deadline).await;
            self.sent.end(began);
            result
        })
    }
}
