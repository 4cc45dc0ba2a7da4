//! What comes back: whose it is, whether it ends a want, and whether it may be sent again.

use std::time::{Duration, Instant};

use capstan_core::card::Operation;
use capstan_core::port::{Answer, Failure};
use capstan_core::{AttemptMeta, AttemptStatus, Outcome, Route, RouteRequest};

use super::conduct::Chain;
use super::parcel::{Delivery, Parcel, Pending};
use super::pause::Pause;
use crate::retry;

/// How many requests are spent at most on finding out who spoils a request for all, for each chunk.
const MOST_SUSPICIONS: usize = 16;

/// The HTTP status of a token that is not accepted at all; others are about one thing.
const UNAUTHORIZED: u16 = 401;

/// What a want got.
enum Received {
    Answer,
    /// And how many may travel with it, should it travel again.
    Failure(Failure, usize),
    /// Nothing of its own; it may travel again with so many.
    Again(usize),
}

impl Chain<'_> {
    /// Takes what came back for a parcel.
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
        self.mind_refusal(route, &result);
        let deliveries = parcel.open(result);
        let suspected =
            |(_, delivery): &(Pending, Delivery)| matches!(delivery, Delivery::Suspect(..));
        let search = self.suspicions < MOST_SUSPICIONS.saturating_mul(self.chunks);
        self.suspicions += usize::from(deliveries.iter().any(suspected));
        let mut met = Vec::new();
        // From the last to the first: what comes after a write decides whether it may still happen.
        let mut overtaken = false;
        for (pending, delivery) in deliveries.into_iter().rev() {
            let step = pending.step;
            // It is over already; whatever came for it changes nothing.
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
                    overtaken |=
                        operation == Operation::Write && failure.outcome != Outcome::NotApplied;
                    self.fail(pending, failure.clone(), overtaken, now, jitter);
                    Some(failure)
                }
                Received::Again(most) => {
                    self.send_again(pending, most, now, jitter);
                    None
                }
            };
            // A step is in the log once for each request, however many of its wants travelled in it.
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
            (Operation::Read, RouteRequest::Graphql(_)) => self.under_way.batches -= 1,
            (Operation::Read, _) => {
                let others = self.under_way.others.entry(parcel.route).or_default();
                *others = others.saturating_sub(1);
            }
        }
    }

    /// Gives a want its part. Who spoils a request is searched for only within limits.
    fn receive(&mut self, pending: &Pending, delivery: Delivery, search: bool) -> Received {
        let lookups = self.around.lookups;
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
                // What is too much even alone need not be tried as often as what is new.
                pending.tries = retry::MAX_TRIES - 1;
            }
        }
        pending.most = most;
        pending.again = true;
        self.pending.push(pending);
    }

    /// Tries again later, or gives up. A write that later ones have overtaken has missed its turn.
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
        if pending.route.is_github() {
            self.mind_limit(&failure, now);
        }
        // What code did before it failed, it would do again.
        let again =
            !overtaken && !matches!(pending.route, Route::Code | Route::Skill | Route::Local);
        let is_in_time = |wait: Duration| {
            let at = now.checked_add(wait);
            at.is_some_and(|at| at < self.around.deadline)
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

    /// What GitHub asks of a login, all keep to, whoever they are. What it asks of one API, the
    /// steps of this chain keep to; one step alone waits, or goes another way.
    fn mind_limit(&mut self, failure: &Failure, now: Instant) {
        let Some(pause) = Pause::asked_by(failure, now) else {
            return;
        };
        if failure.limits_host {
            self.around.host_pause.extend_to(pause);
        } else if self.steps.len() > 1
            && self
                .limited
                .as_ref()
                .is_none_or(|known| known.until < pause.until)
        {
            self.limited = Some(pause);
        }
    }

    fn mind_refusal(&mut self, route: Route, result: &Result<Answer, Failure>) {
        if let Err(failure) = result
            && failure.status == Some(UNAUTHORIZED)
            && self.steps.len() > 1
            && route.is_github()
        {
            self.barred = Some((route, failure.clone()));
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
