//! The chain as a whole: which steps can go on, what can be sent now, and what an answer means.

use std::collections::VecDeque;
use std::sync::Mutex;
use std::time::{Duration, Instant};

use serde_json::Value;

use capstan_core::card::Operation;
use capstan_core::port::{Answer, Failure};
use capstan_core::{
    AttemptMeta, AttemptStatus, ErrorCode, Outcome, ResultError, Route, RouteReason, RouteRequest,
};
use capstan_graphql::Documents;

use super::ChunkLimits;
use super::parcel::{Delivery, Parcel, Pending, pack};
use super::prepared::Prepared;
use super::step::{Ended, State, Step};
use crate::retry;
use crate::router::{Candidate, Environment, plan};
use crate::run::{LookupCache, Next, Want};

/// How many requests with GraphQL reads are under way at once.
const CONCURRENT_BATCHES: usize = 4;

/// How many requests on other routes are under way at once.
const CONCURRENT_OTHERS: usize = 8;

/// How many requests are spent at most on finding out who spoils a request for all.
const MOST_SUSPICIONS: usize = 16;

/// The HTTP status of a token that is not accepted at all; others are about one thing.
const UNAUTHORIZED: u16 = 401;

/// What a chain runs in.
pub(crate) struct Surroundings<'a> {
    pub(crate) environment: &'a Environment,
    pub(crate) lookups: &'a LookupCache,
    pub(crate) documents: &'a Mutex<Documents>,
    pub(crate) limits: ChunkLimits,
    /// When everything must be over.
    pub(crate) deadline: Instant,
    /// Nothing is sent; answers are made up.
    pub(crate) dry: bool,
}

pub(crate) struct Chain<'a> {
    pub(super) around: Surroundings<'a>,
    pub(super) steps: Vec<Step<'a>>,
    pub(super) pending: Vec<Pending>,
    /// GraphQL reads that are packed and wait for their turn.
    outbox: VecDeque<Parcel>,
    pub(super) under_way: UnderWay,
    /// GitHub asked for a pause until then. One step alone waits, or goes another way.
    limited: Option<(Instant, Failure)>,
    /// GitHub refuses the token on this route: whatever else is sent there would be refused too.
    barred: Option<(Route, Failure)>,
    suspicions: usize,
    /// Counts what happens, to tell earlier from later.
    ticks: u64,
    requests: usize,
    chunks: usize,
}

#[derive(Default)]
pub(super) struct UnderWay {
    batches: usize,
    others: usize,
    pub(super) writes: usize,
}

/// How a chain went.
pub(crate) struct ChainEnd {
    pub(crate) steps: Vec<Ended>,
    pub(crate) requests: usize,
    pub(crate) chunks: usize,
}

/// How far a chain is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Progress {
    pub finished: usize,
    pub total: usize,
}

impl<'a> Chain<'a> {
    pub(crate) fn new(prepared: &'a [Prepared<'a>], around: Surroundings<'a>) -> Self {
        Self {
            around,
            steps: prepared.iter().map(Step::new).collect(),
            pending: Vec::new(),
            outbox: VecDeque::new(),
            under_way: UnderWay::default(),
            limited: None,
            barred: None,
            suspicions: 0,
            ticks: 0,
            requests: 0,
            chunks: 0,
        }
    }

    pub(crate) fn progress(&self) -> Progress {
        let finished = self.steps.iter().filter(|step| step.finished().is_some());
        Progress {
            finished: finished.count(),
            total: self.steps.len(),
        }
    }

    /// Everything that can be sent now. Each parcel must be delivered.
    pub(crate) fn ready(&mut self, now: Instant) -> Vec<Parcel> {
        self.go_on(now);
        if now >= self.around.deadline {
            self.give_up_all(now, |_| true, &out_of_time());
        }
        match &self.limited {
            Some((until, failure)) if *until >= self.around.deadline => {
                let failure = failure.clone();
                self.give_up_all(now, |_| true, &failure);
            }
            Some((until, _)) if now < *until => return Vec::new(),
            _ => {}
        }
        if let Some((route, failure)) = self.barred.clone() {
            self.give_up_all(now, |pending| pending.route == route, &failure);
        }
        let mut parcels = Vec::new();
        parcels.extend(self.next_writes(now));
        self.go_on(now);
        // One level after the other: what the answers of this level make possible leaves together.
        if self.under_way.batches == 0 && self.outbox.is_empty() {
            let reads = self.take_due(now, |pending| {
                pending.is_batchable() && pending.operation() == Operation::Read
            });
            self.outbox
                .extend(pack(reads, &self.around.limits, self.around.documents));
        }
        let at_once = |limit: usize| if self.around.dry { usize::MAX } else { limit };
        let (most_batches, most_others) = (at_once(CONCURRENT_BATCHES), at_once(CONCURRENT_OTHERS));
        while self.under_way.batches < most_batches
            && let Some(parcel) = self.outbox.pop_front()
        {
            self.under_way.batches += 1;
            parcels.push(parcel);
        }
        let others = self.take_due(now, |pending| {
            !pending.is_batchable() && pending.operation() == Operation::Read
        });
        for pending in others {
            if self.under_way.others < most_others {
                self.under_way.others += 1;
                parcels.push(Parcel::of_one(pending));
            } else {
                self.pending.push(pending);
            }
        }
        for parcel in &parcels {
            self.requests += 1;
            self.chunks += usize::from(parcel.wants().all(|pending| !pending.again));
        }
        parcels
    }

    /// When to ask again although nothing was delivered; nothing when that would change nothing.
    pub(crate) fn wakes_at(&self, now: Instant) -> Option<Instant> {
        let pause = self.limited.iter().map(|(until, _)| *until);
        let pause = pause.filter(|_| !self.pending.is_empty() || !self.outbox.is_empty());
        let due = self.pending.iter().map(|pending| pending.due);
        let next = pause.chain(due).filter(|at| *at > now).min()?;
        Some(next.min(self.around.deadline))
    }

    /// Takes what came back for a parcel.
    pub(crate) fn deliver(
        &mut self,
        parcel: Parcel,
        result: Result<Answer, Failure>,
        took: Duration,
        now: Instant,
    ) {
        self.has_returned(&parcel);
        let jitter = fastrand::f64();
        let (route, operation) = (parcel.route, parcel.operation());
        self.mind_refusal(route, &result);
        let deliveries = parcel.open(result);
        let suspected =
            |(_, delivery): &(Pending, Delivery)| matches!(delivery, Delivery::Suspect(..));
        let within = self.suspicions < MOST_SUSPICIONS;
        self.suspicions += usize::from(deliveries.iter().any(suspected));
        let mut met = Vec::new();
        // From the last to the first: what comes after a write decides whether it may still happen.
        let mut overtaken = false;
        for (pending, delivery) in deliveries.into_iter().rev() {
            let step = pending.step;
            let failure = match self.receive(&pending, delivery, within) {
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

    /// Takes a parcel as answered, for a dry run.
    pub(crate) fn assume(&mut self, parcel: &Parcel, now: Instant) {
        self.has_returned(parcel);
        for pending in parcel.wants() {
            if let Some(running) = self.steps[pending.step].running() {
                running.attempt.assume(pending.want.slot);
            }
        }
        self.go_on(now);
    }

    /// How every step went, and what it took.
    pub(crate) fn finish(self) -> ChainEnd {
        ChainEnd {
            steps: self.steps.into_iter().map(Step::into_end).collect(),
            requests: self.requests,
            chunks: self.chunks,
        }
    }

    fn has_returned(&mut self, parcel: &Parcel) {
        self.ticks += 1;
        match (parcel.operation(), &parcel.request) {
            (Operation::Write, _) => {
                self.under_way.writes -= 1;
                for pending in parcel.wants() {
                    if let Some(sent) = &mut self.steps[pending.step].sent {
                        sent.answered = Some(self.ticks);
                    }
                }
            }
            (Operation::Read, RouteRequest::Graphql(_)) => self.under_way.batches -= 1,
            (Operation::Read, _) => self.under_way.others -= 1,
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
            Delivery::Suspect(_, failure) => Received::Failure(failure, pending.most),
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
        let wait = retry::wait_before_retry(pending.operation(), &failure, pending.tries, jitter);
        self.mind_limit(&failure, now);
        let in_time = |wait: &Duration| !overtaken && now + *wait < self.around.deadline;
        match wait.filter(in_time) {
            Some(wait) => {
                pending.due = now + wait;
                self.pending.push(pending);
            }
            None => self.give_up(&pending, failure),
        }
    }

    /// Among many steps, what GitHub asks of one it asks of all.
    fn mind_limit(&mut self, failure: &Failure, now: Instant) {
        let Some(wait) = failure.retry_after.filter(|_| self.steps.len() > 1) else {
            return;
        };
        let until = now + wait;
        if failure.error.code == ErrorCode::RateLimit
            && self
                .limited
                .as_ref()
                .is_none_or(|(known, _)| *known < until)
        {
            self.limited = Some((until, failure.clone()));
        }
    }

    fn mind_refusal(&mut self, route: Route, result: &Result<Answer, Failure>) {
        if let Err(failure) = result
            && failure.error.details.get("status") == Some(&UNAUTHORIZED.into())
            && self.steps.len() > 1
        {
            self.barred = Some((route, failure.clone()));
        }
    }

    fn give_up(&mut self, pending: &Pending, failure: Failure) {
        if let Some(running) = self.steps[pending.step].running() {
            running.attempt.give_up(pending.want.slot, failure);
        }
    }

    /// Lets every step do what it can without an answer, until nothing moves any more.
    pub(super) fn go_on(&mut self, now: Instant) {
        loop {
            let mut moved = false;
            for index in 0..self.steps.len() {
                moved |= match &self.steps[index].state {
                    State::Finished(_) => false,
                    State::Blocked => self.unblock(index),
                    State::Running(running) => !running.settled && self.advance(index, now),
                };
            }
            if !moved {
                return;
            }
        }
    }

    /// Starts a step whose references are known.
    fn unblock(&mut self, index: usize) -> bool {
        let prepared = self.steps[index].prepared;
        let mut failed = None;
        for needed in prepared.needs() {
            match self.steps[needed].finished() {
                None => return false,
                Some(finished) if finished.result.is_err() => failed = failed.or(Some(needed)),
                Some(_) => {}
            }
        }
        if let Some(needed) = failed {
            let message = format!("skipped: depends on step {needed}");
            let error = ResultError::new(ErrorCode::Cancelled, message).with_detail("step", needed);
            self.steps[index].refuse(error);
            return true;
        }
        let input = match self.around.dry {
            true => Ok(prepared.with_stand_ins()),
            false => prepared.filled_in(|step| {
                let finished = self.steps[step].finished()?;
                finished.result.as_ref().ok().map(|answered| &answered.data)
            }),
        };
        match input {
            Ok(input) => {
                let (candidates, passed_over) = self.candidates(prepared, &input);
                self.steps[index].start(input, candidates, passed_over);
            }
            Err(error) => self.steps[index].refuse(error),
        }
        true
    }

    fn advance(&mut self, index: usize, now: Instant) -> bool {
        let many = self.steps.len() > 1;
        let in_time = now < self.around.deadline;
        let lookups = self.around.lookups;
        let step = &mut self.steps[index];
        let Some(running) = step.running() else {
            return false;
        };
        match running.attempt.next(lookups) {
            Next::Ask(wants) => {
                let asked = !wants.is_empty();
                self.ask(index, wants, now);
                asked
            }
            Next::Settled => {
                running.settled = true;
                true
            }
            Next::Done(result) => {
                // Many steps must not all fall upon another route because this one asks to slow down.
                let may_fall_back = |failure: &Failure| {
                    in_time && !(many && failure.error.code == ErrorCode::RateLimit)
                };
                step.attempt_ended(result, may_fall_back);
                true
            }
        }
    }

    fn ask(&mut self, index: usize, wants: Vec<Want>, now: Instant) {
        let Some((route, _)) = self.steps[index].chosen else {
            return;
        };
        let task = self.steps[index].card().id.to_string();
        for want in wants {
            if want.request.operation() == Operation::Read {
                self.steps[index].looked = self.ticks;
            }
            self.pending.push(Pending {
                step: index,
                task: task.clone(),
                route,
                want,
                tries: 0,
                due: now,
                most: usize::MAX,
                again: false,
            });
        }
    }

    /// The step's routes, and why the card's own order is not followed, where it is not.
    fn candidates(
        &self,
        prepared: &Prepared<'_>,
        input: &Value,
    ) -> (Vec<Candidate>, Option<RouteReason>) {
        let options = &prepared.request.options;
        let mut candidates = plan(&prepared.card, input, options, self.around.environment);
        let usable = |candidate: &Candidate| candidate.skipped.is_none();
        if self.around.dry && !candidates.iter().any(usable) {
            // A route that is merely not ready can still be shown: nothing is sent.
            let not_ready = |candidate: &&mut Candidate| {
                matches!(candidate.skipped, Some((RouteReason::PreflightFailed, _)))
            };
            if let Some(candidate) = candidates.iter_mut().find(not_ready) {
                candidate.skipped = None;
            }
        }
        // Only GraphQL can take many along.
        let graphql = candidates
            .iter()
            .position(|candidate| candidate.route == Route::Graphql && usable(candidate));
        match graphql.filter(|at| *at > 0 && self.steps.len() > 1) {
            Some(at) => {
                candidates[..=at].rotate_right(1);
                (candidates, Some(RouteReason::DefaultPolicy))
            }
            None => (candidates, None),
        }
    }

    /// Takes the wants that are due and wanted, in the order of the steps.
    pub(super) fn take_due(
        &mut self,
        now: Instant,
        wanted: impl Fn(&Pending) -> bool,
    ) -> Vec<Pending> {
        let all = std::mem::take(&mut self.pending);
        let (mut due, left): (Vec<_>, Vec<_>) = all
            .into_iter()
            .partition(|pending| pending.due <= now && wanted(pending));
        self.pending = left;
        due.sort_by_key(|pending| (pending.step, pending.want.slot));
        due
    }

    /// Gives up what was not sent yet.
    fn give_up_all(&mut self, now: Instant, which: impl Fn(&Pending) -> bool, failure: &Failure) {
        loop {
            let packed = std::mem::take(&mut self.outbox);
            self.pending
                .extend(packed.iter().flat_map(Parcel::wants).cloned());
            let all = std::mem::take(&mut self.pending);
            let (unsent, left): (Vec<_>, Vec<_>) = all.into_iter().partition(&which);
            self.pending = left;
            if unsent.is_empty() {
                return;
            }
            for pending in unsent {
                let failure = Failure {
                    outcome: Outcome::NotApplied,
                    ..failure.clone()
                };
                self.give_up(&pending, failure);
            }
            self.go_on(now);
        }
    }
}

/// Nothing is started that could not be finished: a write would then be in doubt for no reason.
fn out_of_time() -> Failure {
    let message = "the time for this run was over before the request could be sent";
    Failure::not_sent(ResultError::new(ErrorCode::Network, message))
}

/// What a want got.
enum Received {
    Answer,
    /// And how many may travel with it, should it travel again.
    Failure(Failure, usize),
    /// Nothing of its own; it may travel again with so many.
    Again(usize),
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
