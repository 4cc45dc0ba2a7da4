//! The list of pending faults.

use std::sync::{Mutex, MutexGuard, PoisonError};
use std::time::Duration;

use super::kind::FaultKind;
use super::spec::Fault;
use crate::http::log::SeenRequest;

/// Simulated processing time of a request that exceeds `TooMany`. GitHub takes about ten seconds.
const TOO_MANY_DELAY: Duration = Duration::from_millis(20);

/// The pending faults, in the order in which they were injected.
#[derive(Debug, Default)]
pub(crate) struct PendingFaults {
    pending: Mutex<Vec<Fault>>,
}

/// The faults that hit one request.
#[derive(Debug, Default)]
pub(crate) struct MatchedFaults {
    pub(crate) delay: Duration,
    /// Errors to add to parts of a GraphQL response.
    pub(crate) partial: Vec<MatchedFault>,
    /// The fault that hits the request as a whole.
    pub(crate) whole: Option<MatchedFault>,
}

/// A fault that hits a request.
#[derive(Debug)]
pub(crate) struct MatchedFault {
    pub(crate) kind: FaultKind,
    /// Whether the request is applied although the fault refuses it.
    pub(crate) applied: bool,
}

impl MatchedFault {
    fn from_fault(fault: &Fault) -> Self {
        Self {
            kind: fault.kind.clone(),
            applied: fault.applied,
        }
    }
}

impl PendingFaults {
    pub(crate) fn inject(&self, fault: Fault) {
        self.lock().push(fault);
    }

    pub(crate) fn clear(&self) {
        self.lock().clear();
    }

    pub(crate) fn all(&self) -> Vec<Fault> {
        self.lock().clone()
    }

    /// Returns the faults that hit this request, and counts them as used: every delay, every error in a part of the
    /// response, and the oldest other fault.
    pub(crate) fn take_matching(&self, request: &SeenRequest) -> MatchedFaults {
        let mut matched = MatchedFaults::default();
        let mut pending = self.lock();
        for fault in pending.iter_mut() {
            if fault.times == Some(0)
                || !fault.filter.matches(request)
                || !fault.kind.can_affect(request)
            {
                continue;
            }
            if fault.after > 0 {
                fault.after -= 1;
                continue;
            }
            match &fault.kind {
                FaultKind::Latency { ms } => matched.delay += Duration::from_millis(*ms),
                FaultKind::SlowPerField { ms } => {
                    let fields = request.root_fields.len().try_into().unwrap_or(u64::MAX);
                    matched.delay += Duration::from_millis(ms.saturating_mul(fields));
                }
                kind if kind.is_partial() => matched.partial.push(MatchedFault::from_fault(fault)),
                _ if matched.whole.is_some() => continue,
                kind => {
                    if let FaultKind::TooMany { .. } = kind {
                        matched.delay += TOO_MANY_DELAY;
                    }
                    matched.whole = Some(MatchedFault::from_fault(fault));
                }
            }
            fault.times = fault.times.map(|left| left - 1);
        }
        pending.retain(|fault| fault.times != Some(0));
        matched
    }

    fn lock(&self) -> MutexGuard<'_, Vec<Fault>> {
        self.pending.lock().unwrap_or_else(PoisonError::into_inner)
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
        let faults = PendingFaults::default();
        faults.inject(Fault::always(FaultKind::SlowPerField { ms: 1_000 }));
        faults.inject(Fault::always(FaultKind::Latency { ms: 5 }));
        let graphql = |document| {
            let request = Request::parse(json!({ "query": document }));
            classify::graphql(&Method::POST, "/graphql", &request)
        };
        for (request, ms) in [
            (
                graphql("{ a: viewer { login } ... { b: meta { __typename } } }"),
                2_005,
            ),
            (graphql("{ viewer { login } }"), 1_005),
            (classify::rest(&Method::GET, "/user", "/user"), 5),
        ] {
            assert_eq!(
                faults.take_matching(&request).delay,
                Duration::from_millis(ms)
            );
        }
    }

    #[test]
    fn a_request_counts_for_every_pending_fault() {
        let faults = PendingFaults::default();
        faults.inject(Fault::once(FaultKind::Status500));
        faults.inject(Fault::once(FaultKind::Status503).after(2));
        let request = classify::rest(&Method::GET, "/user", "/user");
        let kinds: Vec<_> = (0..4)
            .map(|_| faults.take_matching(&request).whole.map(|fault| fault.kind))
            .collect();
        assert_eq!(
            kinds,
            [
                Some(FaultKind::Status500),
                None,
                Some(FaultKind::Status503),
                None
            ]
        );
        assert!(faults.all().is_empty());
    }
}
