//! The faults that wait for their requests.

use std::sync::{Mutex, MutexGuard, PoisonError};
use std::time::Duration;

use super::kind::FaultKind;
use super::spec::Fault;
use crate::http::log::SeenRequest;

/// How long a request that is too much for the server seems to be worked on. GitHub takes ten seconds.
const A_MOMENT: Duration = Duration::from_millis(20);

/// The faults that are waiting, in the order they were injected.
#[derive(Debug, Default)]
pub(crate) struct FaultBook {
    waiting: Mutex<Vec<Fault>>,
}

/// What the faults do to one request.
#[derive(Debug, Default)]
pub(crate) struct Struck {
    pub(crate) delay: Duration,
    /// Errors in parts of a GraphQL answer.
    pub(crate) errors: Vec<Blow>,
    /// At most one fault for the request as a whole.
    pub(crate) blow: Option<Blow>,
}

/// A fault that hits a request.
#[derive(Debug)]
pub(crate) struct Blow {
    pub(crate) kind: FaultKind,
    /// Whether what it refuses is carried out all the same.
    pub(crate) applied: bool,
}

impl Blow {
    fn of(fault: &Fault) -> Self {
        Self {
            kind: fault.kind.clone(),
            applied: fault.applied,
        }
    }
}

impl FaultBook {
    pub(crate) fn inject(&self, fault: Fault) {
        self.lock().push(fault);
    }

    pub(crate) fn clear(&self) {
        self.lock().clear();
    }

    pub(crate) fn all(&self) -> Vec<Fault> {
        self.lock().clone()
    }

    /// Takes what hits this request: every delay, every error in a part of the answer, and the oldest other fault.
    pub(crate) fn strike(&self, request: &SeenRequest) -> Struck {
        let mut struck = Struck::default();
        let mut waiting = self.lock();
        for fault in waiting.iter_mut() {
            if fault.times == Some(0)
                || !fault.filter.matches(request)
                || !fault.kind.concerns(request)
            {
                continue;
            }
            if fault.after > 0 {
                fault.after -= 1;
                continue;
            }
            match &fault.kind {
                FaultKind::Latency { ms } => struck.delay += Duration::from_millis(*ms),
                FaultKind::SlowPerField { ms } => {
                    let fields = request.root_fields.len().try_into().unwrap_or(u64::MAX);
                    struck.delay += Duration::from_millis(ms.saturating_mul(fields));
                }
                kind if kind.is_partial() => struck.errors.push(Blow::of(fault)),
                _ if struck.blow.is_some() => continue,
                kind => {
                    if let FaultKind::TooMany { .. } = kind {
                        struck.delay += A_MOMENT;
                    }
                    struck.blow = Some(Blow::of(fault));
                }
            }
            fault.times = fault.times.map(|left| left - 1);
        }
        waiting.retain(|fault| fault.times != Some(0));
        struck
    }

    fn lock(&self) -> MutexGuard<'_, Vec<Fault>> {
        self.waiting.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

#[cfg(test)]
mod tests {
    use http::Method;
    use serde_json::json;

    use super::*;
    use crate::graphql::Request;
    use crate::http::classify;

    #[test]
    fn delays_add_up_and_grow_with_the_root_fields() {
        let book = FaultBook::default();
        book.inject(Fault::always(FaultKind::SlowPerField { ms: 1_000 }));
        book.inject(Fault::always(FaultKind::Latency { ms: 5 }));
        let graphql = |document| {
            let request = Request::read(json!({ "query": document }));
            classify::graphql(&Method::POST, "/graphql", &request)
        };
        for (request, ms) in [
            (
                graphql("{ a: viewer { login } ... { b: meta { __typename } } }"),
                2_005,
            ),
            (graphql("{ viewer { login } }"), 1_005),
            (classify::rest(&Method::GET, "/user"), 5),
        ] {
            assert_eq!(book.strike(&request).delay, Duration::from_millis(ms));
        }
    }

    #[test]
    fn a_request_counts_for_every_fault_that_waits_for_it() {
        let book = FaultBook::default();
        book.inject(Fault::once(FaultKind::Status500));
        book.inject(Fault::once(FaultKind::Status503).after(2));
        let request = classify::rest(&Method::GET, "/user");
        let struck: Vec<_> = (0..4)
            .map(|_| book.strike(&request).blow.map(|blow| blow.kind))
            .collect();
        assert_eq!(
            struck,
            [
                Some(FaultKind::Status500),
                None,
                Some(FaultKind::Status503),
                None
            ]
        );
        assert!(book.all().is_empty());
    }
}
