//! Handles returned requests: gives each want its part, and decides whether it is sent again.

use std::time::{Duration, Instant};

use capstan_core::card::Operation;
use capstan_core::port::{Answer, Failure};
use capstan_core::{AttemptMeta, AttemptStatus, Route, RouteRequest, ServiceName};

use super::conduct::{BarredRoute, Chain};
use super::parcel::{Delivery, Parcel, Pending};
use super::pause::{self, Pause};
use crate::retry;

/// The most requests per chunk that are spent on finding the step that makes a shared request fail.
const MOST_SUSPICIONS: usize = 16;

/// The HTTP status of a rejected token. Other statuses concern a single request.
const UNAUTHORIZED: u16 = 401;

/// What a want received.
enum Received {
    Answer,
    /// The failure, and how many wants may share its next request.
    Failure(Failure, usize),
    /// No failure of its own: it may be sent again, with at most so many wants in a request.
    Again(usize),
}

impl Chain<'_> {
    /// Processes the answer to a parcel.
    pub(crate) fn deliver(
        &mut self,
        parcel: Parcel,
        result: Result<Answer, Failure>,
        took: Duration,
        now: Instant,
    ) {
        self.take_returned(&parcel);
        let jitter = fastrand::f64();
        let (route, operation) = (parcel.route, parcel.operation());
        self.mind_refusal(&parcel, &result);
        let deliveries = parcel.open(result);
        let suspected =
            |(_, delivery): &(Pending, Delivery)| matches!(delivery, Delivery::Suspect(..));
        let search = self.suspicions < MOST_SUSPICIONS.saturating_mul(self.chunks);
        self.suspicions += usize::from(deliveries.iter().any(suspected));
        let mut met = Vec::new();
        // From last to first: a write must not be repeated if a later one of the same request was applied.
        let mut overtaken = false;
        for (pending, delivery) in deliveries.into_iter().rev() {
            let step = pending.step;
            // The step has ended already.
            if self.steps[step].finished().is_some() {
                continue;
            }
            let failure = match self.receive(&pending, delivery, search) {
                Received::Answer => {
                    overtaken |= operation == Operation::Write;
                    None
                }
                Received::Failure(failure, most) => {
                    let pending = Pending { most, ..pending };
                    overtaken |= !failure.permits_repeating(operation);
                    self.fail(pending, failure.clone(), overtaken, now, jitter);
                    Some(failure)
                }
                Received::Again(most) => {
                    self.send_again(pending, most, now, jitter);
                    None
                }
            };
            // One log entry per step and request, however many of its wants were in it.
            if !met.contains(&step) || failure.is_some() {
                let attempt = attempted(route, failure.as_ref(), took);
                self.steps[step].attempts.push(attempt);
                met.push(step);
            }
        }
        self.go_on(now);
    }

    pub(super) fn take_returned(&mut self, parcel: &Parcel) {
        self.ticks += 1;
        match (parcel.operation(), &parcel.request) {
            (Operation::Write, _) => {
                self.lane_is_free(parcel);
                for pending in parcel.wants() {
                    if let Some(sent) = &mut self.steps[pending.step].sent {
                        sent.answered = Some(self.ticks);
                    }
                }
            }
            (Operation::Read, RouteRequest::Graphql(_)) => {
                let batches = self.under_way.batches.entry(parcel.service.clone());
                let batches = batches.or_default();
                *batches = batches.saturating_sub(1);
            }
            (Operation::Read, _) => {
                let key = (parcel.service.clone(), parcel.route);
                let others = self.under_way.others.entry(key).or_default();
                *others = others.saturating_sub(1);
            }
        }
    }

    /// Gives a want its part of the answer. `search` allows further requests to find a culprit.
    fn receive(&mut self, pending: &Pending, delivery: Delivery, search: bool) -> Received {
        let lookups = self.context.lookups;
        match delivery {
            Delivery::Answer(answer) => {
                let Some(running) = self.steps[pending.step].running() else {
                    return Received::Answer;
                };
                match running.attempt.read(pending.want.slot, answer, lookups) {
                    Ok(()) => Received::Answer,
                    Err(failure) => Received::Failure(failure, pending.most),
                }
            }
            Delivery::Failure(failure) => Received::Failure(failure, pending.most),
            Delivery::Culprit(failure) => Received::Failure(failure, 1),
            Delivery::Innocent => Received::Again(pending.most),
            Delivery::Fewer(most) => Received::Again(most),
            Delivery::Suspect(most, _) if search => Received::Again(most),
            Delivery::Suspect(_, mut failure) => {
                let perhaps = "; it may be about another step of the same request";
                failure.error.message.push_str(perhaps);
                Received::Failure(failure, pending.most)
            }
        }
    }

    fn send_again(&mut self, mut pending: Pending, most: usize, now: Instant, jitter: f64) {
        if most < pending.most {
            pending.due = now + retry::backoff(1, jitter);
            if most == 1 {
                // If the failure repeats with a single want, one more try is enough.
                pending.tries = retry::MAX_TRIES - 1;
            }
        }
        pending.most = most;
        pending.again = true;
        self.pending.push(pending);
    }

    /// Schedules another try, or gives up. A write is not repeated if a later one of its request was applied.
    fn fail(
        &mut self,
        mut pending: Pending,
        failure: Failure,
        overtaken: bool,
        now: Instant,
        jitter: f64,
    ) {
        pending.tries += 1;
        pending.again = true;
        let wait = if self.steps[pending.step].prepared.sent_once {
            None
        } else {
            retry::wait_before_retry(pending.operation(), &failure, pending.tries, jitter)
        };
        if pending.route.is_of_cards() {
            self.mind_limit(pending.service.as_ref(), &failure, now);
        }
        // Repeating code would repeat what it did before it failed.
        let again =
            !overtaken && !matches!(pending.route, Route::Code | Route::Skill | Route::Local);
        let is_in_time = |wait: Duration| {
            let at = now.checked_add(wait);
            at.is_some_and(|at| at < self.context.deadline)
        };
        match wait.filter(|wait| again && is_in_time(*wait)) {
            Some(wait) => {
                pending.due = now + wait;
                self.pending.push(pending);
            }
            None => {
                if let Some(running) = self.steps[pending.step].running() {
                    running.overtaken = overtaken;
                }
                self.give_up(&pending, failure);
            }
        }
    }

    /// Remembers a pause that GitHub or a service asks for. A pause for the login holds for all chains. A pause for one
    /// API holds for the steps of this chain; a single step waits or uses another route.
    fn mind_limit(&mut self, service: Option<&ServiceName>, failure: &Failure, now: Instant) {
        let Some(pause) = Pause::asked_by(service, failure, now) else {
            return;
        };
        if failure.limits_login {
            self.context.host_pauses.extend_to(pause);
        } else if self.steps.len() > 1 {
            pause::extend(&mut self.limited, pause);
        }
    }

    fn mind_refusal(&mut self, parcel: &Parcel, result: &Result<Answer, Failure>) {
        if let Err(failure) = result
            && failure.status == Some(UNAUTHORIZED)
            && self.steps.len() > 1
            && parcel.route.is_of_cards()
        {
            self.barred.push(BarredRoute {
                service: parcel.service.clone(),
                route: parcel.route,
                failure: failure.clone(),
            });
        }
    }
}

fn attempted(route: Route, failure: Option<&Failure>, took: Duration) -> AttemptMeta {
    AttemptMeta {
        route,
        status: match failure {
            None => AttemptStatus::Success,
            Some(_) => AttemptStatus::Error,
        },
        error_code: failure.map(|failure| failure.error.code),
        duration_ms: Some(u64::try_from(took.as_millis()).unwrap_or(u64::MAX)),
        detail: failure.map(|failure| failure.error.message.clone()),
    }
}
