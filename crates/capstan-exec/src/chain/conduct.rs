//! The chain as a state machine: decides which steps can advance and which requests can be sent now.

use std::collections::{HashMap, VecDeque};
use std::sync::Mutex;
use std::time::{Duration, Instant};

use serde_json::Value;

use capstan_core::card::Operation;
use capstan_core::port::Failure;
use capstan_core::{ErrorCode, Outcome, Redactor, ResultError, Route, RouteReason, ServiceName};
use capstan_graphql::Documents;

use super::ChunkLimits;
use super::observe::Progress;
use super::parcel::{Parcel, Pending, pack};
use super::pause::{HostPauses, Pause};
use super::step::{ActiveStep, State};
use super::writes::Lane;
use crate::attempt::{LookupCache, Next, Want};
use crate::cancel::CancelFlag;
use crate::outcome::ChainEnd;
use crate::prepare::PreparedStep;
use crate::router::{Candidate, Environment, plan};

/// The number of concurrent requests with GraphQL reads to GitHub, and to each service.
const CONCURRENT_BATCHES: usize = 4;

/// The number of concurrent read requests on each other route.
const CONCURRENT_OTHERS: usize = 8;

/// The state that chains share, and the rules for this one.
pub(crate) struct ChainContext<'a> {
    pub(crate) environment: &'a Environment,
    pub(crate) redactor: &'a Redactor,
    pub(crate) lookups: &'a LookupCache,
    pub(crate) documents: &'a Mutex<Documents>,
    pub(crate) host_pauses: &'a HostPauses,
    pub(crate) limits: ChunkLimits,
    /// Nothing is sent after this, and all answers must have arrived by then.
    pub(crate) deadline: Instant,
    /// A dry run: nothing is sent, and answers are made up.
    pub(crate) dry: bool,
    /// Reads and writes keep the order in which they are listed.
    pub(crate) in_order: bool,
    /// The first failure ends the chain.
    pub(crate) fail_fast: bool,
    /// Other capabilities use the results.
    pub(crate) passes_on: bool,
    /// When this is set, nothing more is started.
    pub(crate) cancel: Option<&'a CancelFlag<'a>>,
}

/// The steps of a chain, the wants that wait, and the requests that are in flight.
pub(crate) struct Chain<'a> {
    pub(super) context: ChainContext<'a>,
    pub(super) steps: Vec<ActiveStep<'a>>,
    /// By step: whether another step refers to its result.
    is_referenced: Vec<bool>,
    pub(super) pending: Vec<Pending>,
    /// Packed GraphQL reads that wait for a free slot.
    outbox: VecDeque<Parcel>,
    pub(super) under_way: UnderWay,
    /// By service (`None` is GitHub): the pause that it asked for on one API. Pauses for whole hosts are in
    /// `ChainContext::host_pauses`.
    pub(super) limited: HashMap<Option<ServiceName>, Pause>,
    /// The routes on which the token was refused. Everything else there would be refused, too.
    pub(super) barred: Vec<BarredRoute>,
    /// How many requests came back with a failure that no step could be blamed for.
    pub(super) suspicions: usize,
    /// A logical clock: counts returned requests, to order events.
    pub(super) ticks: u64,
    requests: usize,
    pub(super) chunks: usize,
}

/// A route on which the token was refused.
pub(super) struct BarredRoute {
    pub(super) service: Option<ServiceName>,
    pub(super) route: Route,
    pub(super) failure: Failure,
}

/// What is in flight, by service (`None` is GitHub). A slow service holds up nobody else.
#[derive(Default)]
pub(super) struct UnderWay {
    pub(super) batches: HashMap<Option<ServiceName>, usize>,
    pub(super) others: HashMap<(Option<ServiceName>, Route), usize>,
    pub(super) writes: Vec<Lane>,
}

impl<'a> Chain<'a> {
    pub(crate) fn new(prepared: &'a [PreparedStep<'a>], context: ChainContext<'a>) -> Self {
        let mut is_referenced = vec![false; prepared.len()];
        for needed in prepared.iter().flat_map(PreparedStep::needs) {
            is_referenced[needed] = true;
        }
        Self {
            context,
            is_referenced,
            steps: prepared.iter().map(ActiveStep::new).collect(),
            pending: Vec::new(),
            outbox: VecDeque::new(),
            under_way: UnderWay::default(),
            limited: HashMap::new(),
            barred: Vec::new(),
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

    /// Returns everything that can be sent now. Each parcel must be handed to `deliver` later.
    pub(crate) fn ready(&mut self, now: Instant) -> Vec<Parcel> {
        self.go_on(now);
        self.give_up_late_and_cancelled(now);
        self.mind_pause(now);
        self.give_up_barred(now);
        let mut parcels = Vec::new();
        parcels.extend(self.next_writes(now));
        self.go_on(now);
        let waits = self.reads_that_wait();
        // Level by level: reads that the answers of this level make possible share requests.
        for service in self.idle_services() {
            let reads = self.take_due(now, |pending| {
                pending.is_batchable()
                    && pending.service == service
                    && pending.operation() == Operation::Read
                    && !waits[pending.step]
            });
            self.outbox
                .extend(pack(reads, &self.context.limits, self.context.documents));
        }
        let at_once = |limit: usize| if self.context.dry { usize::MAX } else { limit };
        let (most_batches, most_others) = (at_once(CONCURRENT_BATCHES), at_once(CONCURRENT_OTHERS));
        for parcel in std::mem::take(&mut self.outbox) {
            let batches = self.under_way.batches.entry(parcel.service.clone());
            let batches = batches.or_default();
            if *batches < most_batches {
                *batches += 1;
                parcels.push(parcel);
            } else {
                self.outbox.push_back(parcel);
            }
        }
        let others = self.take_due(now, |pending| {
            !pending.is_batchable()
                && pending.operation() == Operation::Read
                && !waits[pending.step]
        });
        for pending in others {
            let key = (pending.service.clone(), pending.route);
            let others = self.under_way.others.entry(key).or_default();
            if *others < most_others {
                *others += 1;
                parcels.push(Parcel::alone(pending, []));
            } else {
                self.pending.push(pending);
            }
        }
        self.note_later_writes(&parcels);
        for parcel in &parcels {
            // Local work is not a request.
            if matches!(parcel.route, Route::Code | Route::Skill | Route::Local) {
                continue;
            }
            self.requests += 1;
            self.chunks += usize::from(parcel.wants().all(|pending| !pending.again));
        }
        parcels
    }

    /// Returns when `ready` may return more although nothing was delivered, if ever.
    pub(crate) fn wakes_at(&self, now: Instant) -> Option<Instant> {
        let due = self.pending.iter().map(|pending| pending.due);
        let next = due.filter(|at| *at > now).min()?;
        // After the deadline only deliveries can change anything.
        Some(next.min(self.context.deadline)).filter(|at| *at > now)
    }

    /// Pretends that a parcel was answered, for a dry run.
    pub(crate) fn assume(&mut self, parcel: &Parcel, now: Instant) {
        self.take_returned(parcel);
        for pending in parcel.wants() {
            if let Some(running) = self.steps[pending.step].running() {
                running.attempt.assume(pending.want.slot);
            }
        }
        self.go_on(now);
    }

    /// Returns how every step ended, and the request counts.
    pub(crate) fn finish(self) -> ChainEnd {
        ChainEnd {
            steps: self.steps.into_iter().map(ActiveStep::into_end).collect(),
            requests: self.requests,
            chunks: self.chunks,
            busy: Duration::ZERO,
        }
    }

    /// Gives up wants that must not be sent any more, and delays those that must wait.
    pub(super) fn give_up_unsendable(&mut self, now: Instant) {
        self.give_up_late_and_cancelled(now);
        self.mind_pause(now);
        self.give_up_barred(now);
    }

    fn give_up_late_and_cancelled(&mut self, now: Instant) {
        if now >= self.context.deadline {
            self.give_up_all(now, |_| true, |it| out_of_time(it.route));
        }
        if self.is_cancelled() {
            // Verification of a sent write continues: it only reads.
            let looks: Vec<_> = self.steps.iter().map(ActiveStep::is_verifying).collect();
            self.give_up_all(now, |it| !looks[it.step], |_| cancelled());
        }
    }

    fn give_up_barred(&mut self, now: Instant) {
        let barred = std::mem::take(&mut self.barred);
        for it in &barred {
            let is_there =
                |pending: &Pending| pending.route == it.route && pending.service == it.service;
            self.give_up_all(now, is_there, |_| it.failure.clone());
        }
        self.barred = barred;
    }

    /// Returns to whom GraphQL reads wait to be sent, without those that have some in flight.
    fn idle_services(&self) -> Vec<Option<ServiceName>> {
        let mut idle: Vec<Option<ServiceName>> = Vec::new();
        for pending in self.pending.iter().filter(|it| it.is_batchable()) {
            let service = &pending.service;
            let in_flight = self.under_way.batches.get(service).copied();
            let is_busy = in_flight.unwrap_or_default() > 0
                || self.outbox.iter().any(|parcel| parcel.service == *service);
            if !is_busy && !idle.contains(service) {
                idle.push(service.clone());
            }
        }
        idle
    }

    pub(super) fn give_up(&mut self, pending: &Pending, failure: Failure) {
        if let Some(running) = self.steps[pending.step].running() {
            running.attempt.give_up(pending.want.slot, failure);
        }
    }

    /// Advances every step as far as it gets without an answer.
    pub(super) fn go_on(&mut self, now: Instant) {
        loop {
            let mut moved = false;
            for index in 0..self.steps.len() {
                moved |= match &self.steps[index].state {
                    State::Finished(_) => false,
                    State::Blocked => self.unblock(index),
                    State::Running(running) => !running.awaits_turn && self.advance(index, now),
                };
            }
            if !moved {
                return;
            }
        }
    }

    /// Starts a step if everything that it refers to has ended. Returns whether its state changed.
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
        let input = if self.context.dry {
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
        let in_time = now < self.context.deadline;
        let lookups = self.context.lookups;
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
                running.awaits_turn = true;
                true
            }
            Next::Done(mut result) => {
                // References, code and skills get true values, but never one of our own tokens.
                let has_users = self.context.passes_on || self.is_referenced[index];
                match &mut result {
                    Ok(answered) => answered.mask(self.context.redactor, has_users),
                    Err(failure) => failure.error.redact(self.context.redactor),
                }
                let step = &mut self.steps[index];
                // A pause for the whole host holds on every route. And if one route asks for a pause, many steps
                // must not all switch to another one.
                let may_fall_back = |failure: &Failure| {
                    let limited = failure.error.code == ErrorCode::RateLimit;
                    in_time && !(limited && (many || failure.limits_login))
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
        let card = self.steps[index].card();
        let (task, service) = (card.id.to_string(), card.service.clone());
        let pause = self.pause(&service, now).filter(|_| route.is_of_cards());
        let due = pause.map_or(now, |pause| pause.until);
        for want in wants {
            if want.request.operation() == Operation::Read {
                self.steps[index].looked = self.ticks;
            }
            self.pending.push(Pending {
                step: index,
                task: task.clone(),
                service: service.clone(),
                route,
                want,
                tries: 0,
                due,
                most: usize::MAX,
                again: false,
            });
        }
    }

    /// Returns the routes of a step in the order to try them, and the reason if that is not the card's order.
    fn candidates(
        &self,
        prepared: &PreparedStep<'_>,
        input: &Value,
    ) -> (Vec<Candidate>, Option<RouteReason>) {
        let options = &prepared.request.options;
        let mut candidates = plan(&prepared.card, input, options, self.context.environment);
        let usable = |candidate: &Candidate| candidate.skipped.is_none();
        if self.context.dry && !candidates.iter().any(usable) {
            // A dry run sends nothing, so it can show a route that is not ready.
            let not_ready = |candidate: &&mut Candidate| {
                matches!(candidate.skipped, Some((RouteReason::PreflightFailed, _)))
            };
            if let Some(candidate) = candidates.iter_mut().find(not_ready) {
                candidate.skipped = None;
            }
        }
        // Only GraphQL can batch, so it goes first if there are several steps.
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

    /// Removes and returns the wants that are due and match, in the order of the steps.
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

    /// Delays wants while GitHub or the service asks for a pause. Gives them up if the pause ends after the deadline.
    fn mind_pause(&mut self, now: Instant) {
        let mut services: Vec<Option<ServiceName>> = Vec::new();
        let packed = self.outbox.iter().flat_map(Parcel::wants);
        for pending in self.pending.iter().chain(packed) {
            if pending.route.is_of_cards() && !services.contains(&pending.service) {
                services.push(pending.service.clone());
            }
        }
        for service in services {
            self.mind_pause_of(&service, now);
        }
    }

    fn mind_pause_of(&mut self, service: &Option<ServiceName>, now: Instant) {
        let Some(pause) = self.pause(service, now) else {
            return;
        };
        let is_held = |it: &Pending| it.route.is_of_cards() && it.service == *service;
        if pause.until >= self.context.deadline {
            self.give_up_all(now, is_held, |_| pause.failure(now));
            return;
        }
        self.unpack_outbox();
        for pending in self.pending.iter_mut().filter(|it| is_held(it)) {
            pending.due = pending.due.max(pause.until);
        }
    }

    /// Returns the pause in force: the chain's own or the host's, whichever is longer.
    fn pause(&self, service: &Option<ServiceName>, now: Instant) -> Option<Pause> {
        if self.context.dry {
            return None;
        }
        let own = self.limited.get(service).cloned();
        let own = own.filter(|pause| pause.until > now);
        let of_host = self.context.host_pauses.at(service, now);
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
        let told = self.context.cancel.is_some_and(CancelFlag::is_set);
        let failed = |step: &ActiveStep<'_>| step.finished().is_some_and(|it| it.result.is_err());
        told || (self.context.fail_fast && self.steps.iter().any(failed))
    }

    /// Gives up matching wants that were not sent yet.
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

/// The failure of a want that was not sent because the chain was cancelled.
fn cancelled() -> Failure {
    let message = "another step failed before this one could start";
    Failure::not_sent(ResultError::new(ErrorCode::Cancelled, message))
}

/// The failure of a want that could not be sent in time. Nothing is sent after the deadline: nobody would wait for the
/// answer, so the outcome of a write would be unknown for no reason.
pub(super) fn out_of_time(route: Route) -> Failure {
    let (code, message) = if route.is_of_cards() {
        (
            ErrorCode::Network,
            "the time limit was reached before the request could be sent",
        )
    } else {
        (
            ErrorCode::Timeout,
            "the time limit was reached before this step could start",
        )
    };
    Failure::not_sent(ResultError::new(code, message))
}
