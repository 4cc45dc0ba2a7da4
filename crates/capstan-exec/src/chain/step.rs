//! One step of a chain while it runs: its route, its state, and its end.

use std::collections::VecDeque;

use serde_json::Value;

use capstan_core::card::{Card, Kind, Operation};
use capstan_core::port::{Fact, Failure};
use capstan_core::{
    AttemptMeta, AttemptStatus, ErrorCode, Outcome, ResultError, Route, RouteReason,
};

use super::size_advice;
use super::writes::Lane;
use crate::attempt::{Answered, Attempt, Claim, RouteScript};
use crate::outcome::{StepEnd, outcome_of};
use crate::prepare::PreparedStep;
use crate::router::Candidate;
use crate::{follow_up, retry};

pub(crate) struct ActiveStep<'a> {
    pub(super) prepared: &'a PreparedStep<'a>,
    pub(super) state: State<'a>,
    /// Every try, and every route that was passed over.
    pub(super) attempts: Vec<AttemptMeta>,
    pub(super) chosen: Option<(Route, RouteReason)>,
    /// When its lookups were last sent, on the chain's logical clock.
    pub(super) looked: u64,
    /// What the operation touches, once it is sent.
    pub(super) sent: Option<Sent>,
    /// For a read: the place of the last write listed after it that ended before it was sent.
    pub(super) later_write: Option<usize>,
}

pub(super) enum State<'a> {
    /// It waits for the steps that it refers to.
    Blocked,
    Running(Box<Running<'a>>),
    Finished(Box<Finished>),
}

pub(super) struct Running<'a> {
    pub(super) input: Value,
    pub(super) attempt: Attempt<'a>,
    /// Its lookups are done and decide whether anything is sent. They are evaluated when it is its turn.
    pub(super) awaits_turn: bool,
    /// A later write was applied before it: it must not be sent on any route.
    pub(super) overtaken: bool,
    /// Routes that were not tried yet.
    left: VecDeque<Candidate>,
    /// The reason if the card's first route is not used.
    passed_over: Option<RouteReason>,
}

#[derive(Debug)]
pub(super) struct Sent {
    /// The ids and texts that it is about; `None` if it may be about anything.
    pub(super) subjects: Option<Vec<String>>,
    /// The fields that a read would show as set.
    pub(super) claim: Option<Claim>,
    /// When it was answered, on the chain's logical clock.
    pub(super) answered: Option<u64>,
}

#[derive(Debug)]
pub(super) struct Finished {
    pub(super) input: Value,
    pub(super) result: Result<Answered, Failure>,
}

impl Finished {
    pub(super) fn outcome(&self) -> Outcome {
        outcome_of(&self.result)
    }
}

impl<'a> ActiveStep<'a> {
    pub(super) fn new(prepared: &'a PreparedStep<'a>) -> Self {
        Self {
            prepared,
            state: State::Blocked,
            attempts: Vec::new(),
            chosen: None,
            looked: 0,
            sent: None,
            later_write: None,
        }
    }

    pub(super) fn card(&self) -> &'a Card {
        &self.prepared.card
    }

    pub(super) fn is_write(&self) -> bool {
        self.card().operation == Operation::Write
    }

    /// Returns the lane in which it keeps its order among the writes.
    pub(super) fn lane(&self) -> Lane {
        if let Some(service) = &self.card().service {
            return Lane::Service(service.clone());
        }
        match &self.card().call {
            Some(call) if call.route == Route::Mcp => {
                let server = call.target.split('.').next().unwrap_or_default();
                Lane::Server(server.to_owned())
            }
            _ => Lane::Main,
        }
    }

    /// Whether it checks if a write with a lost answer was applied.
    pub(super) fn is_verifying(&self) -> bool {
        matches!(&self.state, State::Running(running) if running.attempt.is_verifying())
    }

    pub(super) fn finished(&self) -> Option<&Finished> {
        match &self.state {
            State::Finished(finished) => Some(finished),
            _ => None,
        }
    }

    pub(super) fn running(&mut self) -> Option<&mut Running<'a>> {
        match &mut self.state {
            State::Running(running) => Some(running),
            _ => None,
        }
    }

    /// Returns how the step ended. A chain is driven until all its steps have.
    pub(super) fn into_end(self) -> StepEnd {
        let (input, result) = match self.state {
            State::Finished(finished) => (finished.input, finished.result),
            State::Running(_) | State::Blocked => {
                let error = ResultError::new(ErrorCode::Unknown, "the step was never finished");
                (Value::Null, Err(Failure::not_sent(error)))
            }
        };
        StepEnd {
            input,
            result,
            attempts: self.attempts,
            route: self.chosen,
            later_write: self.later_write,
        }
    }

    /// Starts on the first usable route.
    pub(super) fn start(
        &mut self,
        input: Value,
        candidates: Vec<Candidate>,
        passed_over: Option<RouteReason>,
    ) {
        if candidates.iter().all(|it| it.skipped.is_some()) {
            self.pass_over(&candidates);
            let error = no_route(self.card(), &candidates);
            return self.fail(input, Failure::not_sent(error));
        }
        self.next_route(input, candidates.into(), passed_over);
    }

    /// Ends the step with the result of an attempt, or starts the next route.
    pub(super) fn attempt_ended(
        &mut self,
        result: Result<Answered, Failure>,
        may_fall_back: impl Fn(&Failure) -> bool,
    ) {
        let State::Running(running) = std::mem::replace(&mut self.state, State::Blocked) else {
            return;
        };
        let Running {
            input,
            left,
            passed_over,
            overtaken,
            ..
        } = *running;
        let failure = match result {
            Ok(answered) => return self.end(input, Ok(answered)),
            Err(failure) => failure,
        };
        if !overtaken
            && may_fall_back(&failure)
            && retry::may_fall_back(self.card().operation, &failure)
        {
            let why = passed_over.or(Some(RouteReason::CardFallback));
            if left.iter().any(|candidate| candidate.skipped.is_none()) {
                return self.next_route(input, left, why);
            }
            self.pass_over(&Vec::from(left));
        }
        let is_too_much = !self.is_write() && retry::is_too_much_alone(&failure);
        let failure = after_sending(self.card(), failure);
        if is_too_much {
            let advised =
                failure.map_error(|error| size_advice::advise(self.card(), &input, error));
            return self.end(input, Err(advised));
        }
        self.fail(input, failure);
    }

    /// Ends a step that was never sent.
    pub(super) fn refuse(&mut self, error: ResultError) {
        let input = match std::mem::replace(&mut self.state, State::Blocked) {
            State::Running(running) => running.input,
            _ => self.prepared.input.clone(),
        };
        let mut failure = Failure::not_sent(error);
        if self.is_write() {
            failure.write_detail(Fact::Outcome);
        }
        self.fail(input, failure);
    }

    /// Ends the step with a failure, and says which call would mend it if there is one.
    fn fail(&mut self, input: Value, failure: Failure) {
        let mend = follow_up::mend(self.card(), &input, failure.error.code);
        self.end(input, Err(failure.map_error(|error| error.or_mend(mend))));
    }

    fn end(&mut self, input: Value, result: Result<Answered, Failure>) {
        self.state = State::Finished(Box::new(Finished { input, result }));
    }

    fn next_route(
        &mut self,
        input: Value,
        mut left: VecDeque<Candidate>,
        mut passed_over: Option<RouteReason>,
    ) {
        while let Some(candidate) = left.pop_front() {
            if let Some((reason, why)) = &candidate.skipped {
                self.attempts.push(skipped(candidate.route, why));
                passed_over = passed_over.or(Some(*reason));
                continue;
            }
            let Some(script) = RouteScript::of(self.card(), candidate.route) else {
                continue;
            };
            let first = match self.card().routing.preferred {
                Some(_) => RouteReason::CardPreferred,
                None => RouteReason::DefaultPolicy,
            };
            self.chosen = Some((candidate.route, passed_over.unwrap_or(first)));
            let schemas = &self.prepared.schemas;
            let fields = self.prepared.request.options.fields.as_deref();
            let attempt = Attempt::new(
                self.card(),
                schemas,
                script,
                input.clone(),
                fields.unwrap_or_default(),
            );
            self.state = State::Running(Box::new(Running {
                input,
                attempt,
                awaits_turn: false,
                overtaken: false,
                left,
                passed_over,
            }));
            return;
        }
        let error = no_route(self.card(), &[]);
        self.fail(input, Failure::not_sent(error));
    }

    fn pass_over(&mut self, candidates: &[Candidate]) {
        for candidate in candidates {
            if let Some((_, why)) = &candidate.skipped {
                self.attempts.push(skipped(candidate.route, why));
            }
        }
    }
}

/// Completes the failure of something that was tried. For a write it says whether it may have happened.
fn after_sending(card: &Card, mut failure: Failure) -> Failure {
    if failure.retry_after.is_some() {
        failure.write_detail(Fact::RetryAfter);
    }
    if card.operation == Operation::Read {
        failure.outcome = Outcome::NotApplied;
        return failure;
    }
    if matches!(card.kind(), Kind::Code | Kind::Skill) || failure.has_written {
        // A composite reports the outcome of its writes itself.
        return failure;
    }
    let error = &mut failure.error;
    match failure.outcome {
        Outcome::NotApplied => {}
        Outcome::Unknown | Outcome::Partial => {
            error.message.push_str(if failure.was_not_seen {
                "; it may have happened, although a read just afterwards did not show it"
            } else {
                "; it may have happened"
            });
            error.message.push_str(": check before sending it again");
            error.retryable = false;
        }
        Outcome::Applied => {
            error
                .message
                .push_str("; it did happen, but its answer was lost");
            error.retryable = false;
        }
    }
    failure.with_detail_of(Fact::Outcome)
}

/// The error if no route could be tried.
fn no_route(card: &Card, candidates: &[Candidate]) -> ResultError {
    let obstacles: Vec<_> = candidates
        .iter()
        .filter_map(|candidate| Some((candidate.route, candidate.skipped.as_ref()?)))
        .collect();
    let code = if candidates.iter().any(|candidate| candidate.needs_login) {
        ErrorCode::Auth
    } else {
        ErrorCode::AdapterUnsupported
    };
    let why: Vec<_> = obstacles
        .iter()
        .map(|(route, (_, why))| format!("{route}: {why}"))
        .collect();
    ResultError::new(
        code,
        format!("no route can run {}: {}", card.id, why.join("; ")),
    )
}

fn skipped(route: Route, why: &str) -> AttemptMeta {
    AttemptMeta {
        route,
        status: AttemptStatus::Skipped,
        error_code: None,
        duration_ms: None,
        detail: Some(why.to_owned()),
    }
}
