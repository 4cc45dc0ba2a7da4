//! One step of a chain: which route it is on, how far it is, and in the end how it went.

use std::collections::VecDeque;

use serde_json::Value;

use capstan_core::card::{Card, Kind, Operation};
use capstan_core::port::Failure;
use capstan_core::{
    AttemptMeta, AttemptStatus, ErrorCode, Outcome, ResultError, Route, RouteReason,
};

use super::writes::Lane;
use super::{Prepared, too_much};
use crate::router::Candidate;
use crate::run::{Answered, Attempt, Claim, Script};
use crate::{follow_up, retry};

pub(crate) struct Step<'a> {
    pub(super) prepared: &'a Prepared<'a>,
    pub(super) state: State<'a>,
    /// Every try, and every route that was passed over.
    pub(super) attempts: Vec<AttemptMeta>,
    pub(super) chosen: Option<(Route, RouteReason)>,
    /// When its lookups were last asked, on the chain's own count.
    pub(super) looked: u64,
    /// What the operation touches, once it was sent.
    pub(super) sent: Option<Sent>,
    /// For a read: the last write after it in the list that was over before it was sent.
    pub(super) later_write: Option<usize>,
}

pub(super) enum State<'a> {
    /// Waits for the steps that it refers to.
    Blocked,
    Running(Box<Running<'a>>),
    Finished(Box<Finished>),
}

pub(super) struct Running<'a> {
    pub(super) input: Value,
    pub(super) attempt: Attempt<'a>,
    /// What the lookups show decides whether anything is sent, and is looked at when its turn comes.
    pub(super) settled: bool,
    /// Later writes happened before it could: it has missed its turn on every route.
    pub(super) overtaken: bool,
    /// Routes that can still be tried.
    left: VecDeque<Candidate>,
    /// Why the card's first route is not the one in use.
    passed_over: Option<RouteReason>,
}

#[derive(Debug)]
pub(super) struct Sent {
    /// Nothing where it may be about anything.
    pub(super) subjects: Option<Vec<String>>,
    /// What a read would show of it.
    pub(super) claim: Option<Claim>,
    /// On the chain's own count; nothing while its answer is awaited.
    pub(super) answered: Option<u64>,
}

/// How a step went.
pub(crate) struct Ended {
    pub(crate) input: Value,
    pub(crate) result: Result<Answered, ResultError>,
    pub(crate) attempts: Vec<AttemptMeta>,
    pub(crate) chosen: Option<(Route, RouteReason)>,
    /// For a read: the place of a write after it in the list whose effect it shows.
    pub(crate) later_write: Option<usize>,
}

#[derive(Debug)]
pub(super) struct Finished {
    pub(super) input: Value,
    pub(super) result: Result<Answered, ResultError>,
    /// What is known of a write that failed.
    pub(super) outcome: Outcome,
}

impl<'a> Step<'a> {
    pub(super) fn new(prepared: &'a Prepared<'a>) -> Self {
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

    /// The writes that its write keeps its order among.
    pub(super) fn lane(&self) -> Lane {
        match &self.card().call {
            Some(call) if call.route == Route::Mcp => {
                let server = call.target.split('.').next().unwrap_or_default();
                Lane::Server(server.to_owned())
            }
            _ => Lane::Own,
        }
    }

    /// It looks whether a write happened whose answer was lost.
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

    /// The step's end. Every chain is driven until all its steps are finished.
    pub(super) fn into_end(self) -> Ended {
        let (input, result) = match self.state {
            State::Finished(finished) => (finished.input, finished.result),
            State::Running(_) | State::Blocked => {
                let error = ResultError::new(ErrorCode::Unknown, "the step was never finished");
                (Value::Null, Err(error))
            }
        };
        Ended {
            input,
            result,
            attempts: self.attempts,
            chosen: self.chosen,
            later_write: self.later_write,
        }
    }

    /// Begins on the first route that can be used.
    pub(super) fn start(
        &mut self,
        input: Value,
        candidates: Vec<Candidate>,
        passed_over: Option<RouteReason>,
    ) {
        if candidates.iter().all(|it| it.skipped.is_some()) {
            self.pass_over(&candidates);
            let error = no_route(self.card(), &candidates);
            return self.finish_with(input, Err(error), Outcome::NotApplied);
        }
        self.next_route(input, candidates.into(), passed_over);
    }

    /// Takes the end of an attempt: the step's own end, or the beginning of the next route's.
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
            Ok(answered) => return self.finish_with(input, Ok(answered), Outcome::Applied),
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
        let outcome = failure.outcome;
        let is_too_much = !self.is_write() && retry::is_too_much_alone(&failure);
        let error = after_sending(self.card(), failure);
        if is_too_much {
            let error = too_much::advise(self.card(), &input, error);
            return self.end(input, Err(error), outcome);
        }
        self.finish_with(input, Err(error), outcome);
    }

    /// Ends a step that was never sent.
    pub(super) fn refuse(&mut self, error: ResultError) {
        let input = match std::mem::replace(&mut self.state, State::Blocked) {
            State::Running(running) => running.input,
            _ => self.prepared.input.clone(),
        };
        let error = match self.is_write() {
            true => error.with_detail("outcome", "not_applied"),
            false => error,
        };
        self.finish_with(input, Err(error), Outcome::NotApplied);
    }

    fn finish_with(
        &mut self,
        input: Value,
        result: Result<Answered, ResultError>,
        outcome: Outcome,
    ) {
        let result = result.map_err(|error| {
            let mended = error.details.contains_key("mend");
            match follow_up::mend(self.card(), &input, error.code).filter(|_| !mended) {
                Some(mend) => error.with_detail("mend", mend),
                None => error,
            }
        });
        self.end(input, result, outcome);
    }

    fn end(&mut self, input: Value, result: Result<Answered, ResultError>, outcome: Outcome) {
        self.state = State::Finished(Box::new(Finished {
            input,
            result,
            outcome,
        }));
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
            let Some(script) = Script::of(self.card(), candidate.route) else {
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
                settled: false,
                overtaken: false,
                left,
                passed_over,
            }));
            return;
        }
        let error = no_route(self.card(), &[]);
        self.finish_with(input, Err(error), Outcome::NotApplied);
    }

    fn pass_over(&mut self, candidates: &[Candidate]) {
        for candidate in candidates {
            if let Some((_, why)) = &candidate.skipped {
                self.attempts.push(skipped(candidate.route, why));
            }
        }
    }
}

/// The error of something that was tried. For a write it says whether it may have happened.
fn after_sending(card: &Card, failure: Failure) -> ResultError {
    let Failure {
        mut error,
        outcome,
        retry_after,
        ..
    } = failure;
    if let Some(wait) = retry_after {
        error = error.with_detail("retry_after_s", wait.as_secs());
    }
    if card.operation == Operation::Read {
        return error;
    }
    if matches!(card.kind(), Kind::Code | Kind::Skill) || error.details.contains_key("writes") {
        // It did many things; what became of them it says itself.
        return error;
    }
    match outcome {
        Outcome::NotApplied => error.with_detail("outcome", "not_applied"),
        Outcome::Unknown => {
            let seen = match error.details.get("verified") {
                Some(_) => {
                    "; it may have happened, although a read just afterwards did not show it"
                }
                None => "; it may have happened",
            };
            error.message.push_str(seen);
            error.message.push_str(": look before sending it again");
            error.not_retryable().with_detail("outcome", "unknown")
        }
        Outcome::Applied => {
            error
                .message
                .push_str("; it did happen, but its answer was lost");
            error.not_retryable().with_detail("outcome", "applied")
        }
    }
}

/// The error when no route could even be tried.
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
