//! The chain as a whole: which steps can go on, what can be sent now, and what an answer means.

use std::collections::{HashMap, VecDeque};
use std::sync::Mutex;
use std::time::{Duration, Instant};

use serde_json::Value;

use capstan_core::card::Operation;
use capstan_core::port::Failure;
use capstan_core::{ErrorCode, Outcome, ResultError, Route, RouteReason};
use capstan_graphql::Documents;

use super::ChunkLimits;
use super::observe::Progress;
use super::parcel::{Parcel, Pending, pack};
use super::pause::{HostPause, Pause};
use super::step::{ActiveStep, State};
use super::writes::Lane;
use crate::attempt::{LookupCache, Next, Want};
use crate::cancel::CancelFlag;
use crate::outcome::ChainEnd;
use crate::prepare::PreparedStep;
use crate::router::{Candidate, Environment, plan};

/// How many requests with GraphQL reads are under way at once.
const CONCURRENT_BATCHES: usize = 4;

/// How many requests on another route are under way at once, on each.
const CONCURRENT_OTHERS: usize = 8;

/// What a chain is run with.
pub(crate) struct ChainContext<'a> {
    pub(crate) environment: &'a Environment,
    pub(crate) lookups: &'a LookupCache,
    pub(crate) documents: &'a Mutex<Documents>,
    pub(crate) host_pause: &'a HostPause,
    pub(crate) limits: ChunkLimits,
    /// When everything must be over.
    pub(crate) deadline: Instant,
    /// Nothing is sent; answers are made up.
    pub(crate) dry: bool,
    /// Reads and writes keep the order in which they are listed.
    pub(crate) in_order: bool,
    /// The first failure ends it.
    pub(crate) fail_fast: bool,
    /// Says when nothing more is to be begun.
    pub(crate) cancel: Option<&'a CancelFlag<'a>>,
}

pub(crate) struct Chain<'a> {
    pub(super) around: ChainContext<'a>,
    pub(super) steps: Vec<ActiveStep<'a>>,
    pub(super) pending: Vec<Pending>,
    /// GraphQL reads that are packed and wait for their turn.
    outbox: VecDeque<Parcel>,
    pub(super) under_way: UnderWay,
    /// GitHub asked for a pause until then, of one API; what it asks of all is in the surroundings.
    pub(super) limited: Option<Pause>,
    /// GitHub refuses the token on this route: whatever else is sent there would be refused too.
    pub(super) barred: Option<(Route, Failure)>,
    pub(super) suspicions: usize,
    /// Counts what happens, to tell earlier from later.
    pub(super) ticks: u64,
    requests: usize,
    pub(super) chunks: usize,
}

#[derive(Default)]
pub(super) struct UnderWay {
    pub(super) batches: usize,
    pub(super) others: HashMap<Route, usize>,
    pub(super) writes: Vec<Lane>,
}

impl<'a> Chain<'a> {
    pub(crate) fn new(prepared: &'a [PreparedStep<'a>], around: ChainContext<'a>) -> Self {
        Self {
            around,
            steps: prepared.iter().map(ActiveStep::new).collect(),
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
            doing: Vec::new(),
        }
    }

    pub(super) fn is_over(&self) -> bool {
        self.steps.iter().all(|step| step.finished().is_some())
    }

    /// Everything that can be sent now. Each parcel must be delivered.
    pub(crate) fn ready(&mut self, now: Instant) -> Vec<Parcel> {
        self.go_on(now);
        self.give_up_late_and_cancelled(now);
        self.mind_pause(now);
        self.give_up_barred(now);
        let mut parcels = Vec::new();
        parcels.extend(self.next_writes(now));
        self.go_on(now);
        let waits = self.reads_that_wait();
        // One level after the other: what the answers of this level make possible leaves together.
        if self.under_way.batches == 0 && self.outbox.is_empty() {
            let reads = self.take_due(now, |pending| {
                pending.is_batchable()
                    && pending.operation() == Operation::Read
                    && !waits[pending.step]
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
            !pending.is_batchable()
                && pending.operation() == Operation::Read
                && !waits[pending.step]
        });
        for pending in others {
            let others = self.under_way.others.entry(pending.route).or_default();
            if *others < most_others {
                *others += 1;
                parcels.push(Parcel::alone(pending, []));
            } else {
                self.pending.push(pending);
            }
        }
        self.note_later_writes(&parcels);
        for parcel in &parcels {
            // What Capstan does itself is no request.
            if matches!(parcel.route, Route::Code | Route::Skill | Route::Local) {
                continue;
            }
            self.requests += 1;
            self.chunks += usize::from(parcel.wants().all(|pending| !pending.again));
        }
        parcels
    }

    /// When to ask again although nothing was delivered; nothing when that would change nothing.
    pub(crate) fn wakes_at(&self, now: Instant) -> Option<Instant> {
        let due = self.pending.iter().map(|pending| pending.due);
        let next = due.filter(|at| *at > now).min()?;
        // After the deadline only answers change anything.
        Some(next.min(self.around.deadline)).filter(|at| *at > now)
    }

    /// Takes a parcel as answered, for a dry run.
    pub(crate) fn assume(&mut self, parcel: &Parcel, now: Instant) {
        self.take_returned(parcel);
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
            steps: self.steps.into_iter().map(ActiveStep::into_end).collect(),
            requests: self.requests,
            chunks: self.chunks,
            busy: Duration::ZERO,
        }
    }

    /// Gives up what must not be sent any more, and holds back what must wait.
    pub(super) fn give_up_unsendable(&mut self, now: Instant) {
        self.give_up_late_and_cancelled(now);
        self.mind_pause(now);
        self.give_up_barred(now);
    }

    fn give_up_late_and_cancelled(&mut self, now: Instant) {
        if now >= self.around.deadline {
            self.give_up_all(now, |_| true, |it| out_of_time(it.route));
        }
        if self.is_cancelled() {
            // What looks for the answer to a write that left goes on: it changes nothing.
            let looks: Vec<_> = self.steps.iter().map(ActiveStep::is_verifying).collect();
            self.give_up_all(now, |it| !looks[it.step], |_| cancelled());
        }
    }

    fn give_up_barred(&mut self, now: Instant) {
        if let Some((route, failure)) = self.barred.clone() {
            self.give_up_all(now, |it| it.route == route, |_| failure.clone());
        }
    }

    pub(super) fn give_up(&mut self, pending: &Pending, failure: Failure) {
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
            let place = self.steps[needed].prepared.place;
            let message = format!("skipped: depends on step {place}");
            let error = ResultError::new(ErrorCode::Cancelled, message).with_detail("step", place);
            self.steps[index].refuse(error);
            return true;
        }
        let input = if self.around.dry {
            Ok(prepared.with_stand_ins())
        } else {
            prepared.filled_in(|step| {
                let finished = self.steps[step].finished()?;
                finished.result.as_ref().ok().map(|answered| &answered.data)
            })
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
                // What asks all to slow down is not tried elsewhere, nor must many steps all fall
                // upon another route because this one asks it.
                let may_fall_back = |failure: &Failure| {
                    let limited = failure.error.code == ErrorCode::RateLimit;
                    in_time && !(limited && (many || failure.limits_host))
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
        let pause = self.pause(now).filter(|_| route.is_github());
        let due = pause.map_or(now, |pause| pause.until);
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
                due,
                most: usize::MAX,
                again: false,
            });
        }
    }

    /// The step's routes, and why the card's own order is not followed, where it is not.
    fn candidates(
        &self,
        prepared: &PreparedStep<'_>,
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

    /// Holds back what goes to GitHub while GitHub asks for a pause, and gives it up where the pause
    /// is longer than the time that is left.
    fn mind_pause(&mut self, now: Instant) {
        let Some(pause) = self.pause(now) else {
            return;
        };
        if pause.until >= self.around.deadline {
            self.give_up_all(now, |it| it.route.is_github(), |_| pause.failure(now));
            return;
        }
        self.unpack_outbox();
        let held = self.pending.iter_mut().filter(|it| it.route.is_github());
        for pending in held {
            pending.due = pending.due.max(pause.until);
        }
    }

    /// The pause that is kept now: the chain's own or that of the host, whichever is longer.
    fn pause(&self, now: Instant) -> Option<Pause> {
        if self.around.dry {
            return None;
        }
        let own = self.limited.clone().filter(|pause| pause.until > now);
        let of_host = self.around.host_pause.at(now);
        own.into_iter()
            .chain(of_host)
            .max_by_key(|pause| pause.until)
    }

    fn unpack_outbox(&mut self) {
        let packed = std::mem::take(&mut self.outbox);
        self.pending
            .extend(packed.iter().flat_map(Parcel::wants).cloned());
    }

    fn is_cancelled(&self) -> bool {
        let told = self.around.cancel.is_some_and(CancelFlag::is_set);
        let failed = |step: &ActiveStep<'_>| step.finished().is_some_and(|it| it.result.is_err());
        told || (self.around.fail_fast && self.steps.iter().any(failed))
    }

    /// Gives up what was not sent yet.
    fn give_up_all(
        &mut self,
        now: Instant,
        which: impl Fn(&Pending) -> bool,
        failure: impl Fn(&Pending) -> Failure,
    ) {
        loop {
            self.unpack_outbox();
            let all = std::mem::take(&mut self.pending);
            let (unsent, left): (Vec<_>, Vec<_>) = all.into_iter().partition(&which);
            self.pending = left;
            if unsent.is_empty() {
                return;
            }
            for pending in unsent {
                let failure = Failure {
                    outcome: Outcome::NotApplied,
                    ..failure(&pending)
                };
                self.give_up(&pending, failure);
            }
            self.go_on(now);
        }
    }
}

/// The failure of what was not sent because the chain was cancelled.
fn cancelled() -> Failure {
    let message = "another step failed before it could begin";
    Failure::not_sent(ResultError::new(ErrorCode::Cancelled, message))
}

/// The failure of what could not be sent in time. Nothing is started that could not be finished: a write would then be
/// in doubt for no reason.
pub(super) fn out_of_time(route: Route) -> Failure {
    let (code, message) = if route.is_github() {
        (
            ErrorCode::Network,
            "the time for this run was over before the request could be sent",
        )
    } else {
        (
            ErrorCode::Timeout,
            "the time for this run was over before it could begin",
        )
    };
    Failure::not_sent(ResultError::new(code, message))
}
