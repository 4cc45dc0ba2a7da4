//! Plans as text, like the log of what was sent: `q[a b] + m[c] | q[d]`; and both compared.

use capstan_core::Route;
use capstan_core::card::Operation;
use capstan_exec::ChainPlan;

use super::log::{self, Sent};
use super::request::items;

pub(crate) fn text(plan: &ChainPlan) -> String {
    let levels = plan.levels.iter().map(|level| {
        let requests = level.requests.iter().map(|planned| {
            let request = &planned.request;
            log::request_text(request.route(), request.operation(), &items(request))
        });
        requests.collect::<Vec<_>>().join(" + ")
    });
    levels.collect::<Vec<_>>().join(" | ")
}

/// A request without what only GitHub can tell: its route, what it does, and for which steps.
pub(crate) type Outline = (Route, Operation, Vec<usize>);

/// Returns all planned requests, in an order of their own.
pub(crate) fn planned_requests(plan: &ChainPlan) -> Vec<Outline> {
    let requests = plan.levels.iter().flat_map(|level| &level.requests);
    let outlines = requests.map(|planned| {
        let request = &planned.request;
        (request.route(), request.operation(), planned.steps.clone())
    });
    sorted(outlines.collect())
}

/// Returns all requests that were sent, in the same order.
pub(crate) fn sent_requests(log: &[Sent]) -> Vec<Outline> {
    let outlines = log.iter().map(|sent| {
        let mut steps = sent.steps.clone();
        steps.sort_unstable();
        steps.dedup();
        (sent.route, sent.operation, steps)
    });
    sorted(outlines.collect())
}

fn sorted(mut outlines: Vec<Outline>) -> Vec<Outline> {
    outlines.sort_unstable();
    outlines
}
