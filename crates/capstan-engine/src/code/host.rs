//! Answers the calls of code. Each call is run like any other: found, checked against the policy, validated, routed
//! and recorded. Cards that are called together are sent as one chain.

use std::time::Instant;

use serde_json::{Map, Value};

use capstan_core::card::Operation;
use capstan_core::code::{CallTarget, ScriptCall, ScriptReply, ScriptValue};
use capstan_core::port::{Failure, ScriptCalls, UnderWay};
use capstan_core::{
    ChainRequest, ChainStep, ErrorCode, Options, Outcome, ResultError, TaskRequest,
};
use capstan_exec::{CancelFlag, ChainSpec, card_for};

use super::CodeRunner;
use super::in_flight::{Group, InFlight};
use super::lane::{Lane, LaneTurn};
use crate::capability::{Meaning, check_length};
use crate::recorder::{CallContext, NewCall};
use crate::shared::unknown_capability;
use crate::step_result::{ChainOutcome, StepResult};

/// The suffix of calls that read a list page by page: `capstan.issue.list.all`.
const ALL_PAGES: &str = ".all";

/// Serves the calls of one run of code.
pub(super) struct Host<'a> {
    code: CodeRunner<'a>,
    pub(super) context: CallContext<'a>,
    pub(super) deadline: Instant,
    /// Keeps the order of writes.
    lane: Lane,
    /// The calls that are not answered yet.
    in_flight: InFlight,
}

impl<'a> Host<'a> {
    pub(super) fn new(code: CodeRunner<'a>, context: CallContext<'a>, deadline: Instant) -> Self {
        Self {
            code,
            context,
            deadline,
            lane: Lane::default(),
            in_flight: InFlight::default(),
        }
    }

    /// Returns a failure of the code that includes its writes, because they are not undone.
    pub(super) fn failure_with_writes(&self, error: ResultError) -> Failure {
        let writes = self.context.recorder.writes(self.context.parent);
        writes.add_to(Failure::not_sent(error))
    }

    /// Returns the capabilities of the code's writes with an unknown outcome.
    pub(super) fn unknown_writes(&self) -> Vec<String> {
        self.context.recorder.writes(self.context.parent).unknown
    }

    /// Runs cards that were called together as one chain.
    async fn run_together(&self, calls: Vec<ScriptCall>, deadline: Instant) -> Vec<ScriptReply> {
        let steps = calls.iter().map(|call| ChainStep {
            name: None,
            request: self.request(call),
            ..ChainStep::default()
        });
        let chain = ChainSpec {
            steps: steps.collect(),
            timeout_ms: Some(self.millis_until(deadline)),
            verbatim: true,
            independent: true,
            passes_on: true,
            ..ChainSpec::default()
        };
        let outcome = self.run(&chain, self.context).await;
        let replies = calls.iter().zip(outcome.steps);
        replies
            .map(|(call, result)| self.reply(call, result, deadline))
            .collect()
    }

    /// Waits for the turn of the calls, then runs them in chains of the maximum length.
    async fn run_cards(
        &self,
        group: &Group,
        calls: Vec<ScriptCall>,
        mut turn: Option<LaneTurn>,
        deadline: Instant,
    ) -> Vec<ScriptReply> {
        if let Some(turn) = &mut turn {
            turn.wait().await;
        }
        let mut calls = group.begin(calls);
        let mut replies = Vec::with_capacity(calls.len());
        while !calls.is_empty() {
            let rest = calls.split_off(calls.len().min(ChainRequest::MOST_STEPS));
            replies.extend(self.run_together(calls, deadline).await);
            calls = rest;
        }
        replies
    }

    /// Runs one call as a chain of its own.
    async fn run_alone(
        &self,
        call: ScriptCall,
        deadline: Instant,
        context: CallContext<'_>,
    ) -> ScriptReply {
        let mut request = self.request(&call);
        request.options.timeout_ms = Some(self.millis_until(deadline));
        // With `independent`, invalid calls are recorded, too.
        let chain = ChainSpec {
            independent: true,
            passes_on: true,
            ..ChainSpec::from_task(request)
        };
        let outcome = self.run(&chain, context).await;
        match outcome.steps.into_iter().next() {
            Some(result) => self.reply(&call, result, deadline),
            None => failed_reply(call.id, "the call was never run"),
        }
    }

    async fn run(&self, chain: &ChainSpec, context: CallContext<'_>) -> ChainOutcome {
        self.code
            .chains
            .run_chain(chain, None, &|_| {}, context)
            .await
    }

    fn meaning<'n>(&self, name: &'n str) -> Meaning<'n> {
        self.code.directory.meaning(name, self.context.asker)
    }

    /// Returns whether a call of a card changes something.
    fn writes(&self, call: &ScriptCall) -> bool {
        let Ok(card) = self.code.shared.catalog.get(&call.target.capability()) else {
            return false;
        };
        // A raw call does what its input says. One that is not valid is refused later.
        let no_input = Map::new();
        let input = call.input.as_object().unwrap_or(&no_input);
        card_for(&card, input).unwrap_or(card).operation == Operation::Write
    }

    /// Returns whether a call may change something. Tools and other code always may.
    fn may_write(&self, call: &ScriptCall) -> bool {
        match self.meaning(&call.target.capability()) {
            Meaning::Card => self.writes(call),
            Meaning::Action(card) => card.operation == Operation::Write,
            _ => true,
        }
    }

    /// Returns the deadline of a call: that of the run, or the call's own if it is earlier.
    fn deadline_of(&self, call: &ScriptCall) -> Instant {
        let own = call
            .timeout
            .map(|timeout| self.code.shared.clock.now() + timeout);
        own.map_or(self.deadline, |own| own.min(self.deadline))
    }

    /// Records a call that was refused before it was tried.
    fn record_refused(&self, capability: &str, input: &Value, problem: &ResultError) {
        let recorder = self.context.recorder;
        let number = recorder.open(&NewCall::new(capability, input, self.context));
        recorder.close(number, Err(&problem.clone().into()));
    }

    fn request(&self, call: &ScriptCall) -> TaskRequest {
        TaskRequest {
            capability: call.target.capability(),
            input: call.input.as_object().cloned().unwrap_or_default(),
            options: Options {
                full: true,
                ..Options::default()
            },
            intent: None,
        }
    }

    /// Returns the milliseconds until a deadline, at least 1. Rounded up, so that a call that times out does so after
    /// the deadline.
    fn millis_until(&self, deadline: Instant) -> u64 {
        let left = deadline.saturating_duration_since(self.code.shared.clock.now());
        let left = left.as_nanos().div_ceil(1_000_000);
        u64::try_from(left).unwrap_or(u64::MAX).max(1)
    }

    /// Returns the error of a failed call. If the call failed because its own time limit, shorter than that of the
    /// run, had passed, the error says so.
    fn call_error(&self, call: &ScriptCall, deadline: Instant, failure: Failure) -> ResultError {
        let Failure { error, outcome, .. } = failure;
        let is_late = matches!(error.code, ErrorCode::Network | ErrorCode::Timeout)
            && deadline < self.deadline
            && self.code.shared.clock.now() >= deadline;
        let (true, Some(timeout)) = (is_late, call.timeout) else {
            return error;
        };
        let capability = call.target.capability();
        let timeout = timeout.as_millis();
        let mut message =
            format!("`{capability}` was not answered within its `timeout_ms` of {timeout}");
        if outcome == Outcome::Unknown && self.may_write(call) {
            message.push_str(": it was sent, and may have happened; look before you do it again");
        }
        ResultError {
            code: ErrorCode::Timeout,
            message,
            ..error
        }
    }

    fn reply(&self, call: &ScriptCall, result: StepResult, deadline: Instant) -> ScriptReply {
        let meta = &result.meta;
        // Code rarely looks at warnings, so its author gets them with the answer.
        self.context.recorder.record_warnings(&meta.warnings);
        let mut reply_meta = Map::new();
        let mut add = |name: &str, value: Option<Value>| {
            if let Some(value) = value {
                reply_meta.insert(name.to_owned(), value);
            }
        };
        add(
            "pagination",
            meta.pagination
                .as_ref()
                .and_then(|it| serde_json::to_value(it).ok()),
        );
        if meta.pagination.is_some()
            && let Ok(card) = self.code.shared.catalog.get(&call.target.capability())
        {
            // The field with the rows, for code that reads all pages.
            let data = result.result.as_ref().ok();
            let list = card.list.as_ref().zip(data);
            let field = list.and_then(|(list, data)| list.field_in(data));
            add("list", field.map(Value::from));
        }
        add("note", meta.note.clone().map(Value::from));
        add(
            "warnings",
            (!meta.warnings.is_empty()).then(|| meta.warnings.clone().into()),
        );
        let result = match result.result {
            Err(failure) => Err(self.call_error(call, deadline, failure)),
            Ok(data) => Ok(ScriptValue {
                data,
                meta: (!reply_meta.is_empty()).then_some(Value::Object(reply_meta)),
            }),
        };
        ScriptReply {
            id: call.id,
            result,
        }
    }
}

impl ScriptCalls for Host<'_> {
    fn call<'a>(&'a self, calls: Vec<ScriptCall>) -> Vec<UnderWay<'a>> {
        let mut cards = Vec::new();
        let mut under_way: Vec<UnderWay<'a>> = Vec::new();
        for mut call in calls {
            let paging = self.strip_all_pages(&mut call.target).err();
            let capability = call.target.capability();
            let problem = check_length(&capability).err().or(paging);
            if let Some(problem) = problem.or_else(|| self.mcp_problem(&call.target)) {
                self.record_refused(&capability, &call.input, &problem);
                let reply = ScriptReply {
                    id: call.id,
                    result: Err(problem),
                };
                under_way.push(Box::pin(std::future::ready(vec![reply])));
                continue;
            }
            if let Meaning::Card = self.meaning(&capability) {
                cards.push(call);
            } else {
                under_way.push(self.begin_alone(call));
            }
        }
        // Cards that are called together with the same time limit are sent together.
        while let Some(first) = cards.first() {
            let timeout = first.timeout;
            let same = cards.iter().take_while(|call| call.timeout == timeout);
            let rest = cards.split_off(same.count());
            under_way.push(self.begin_cards(std::mem::replace(&mut cards, rest)));
        }
        under_way
    }

    fn drop_read(&self, id: u32) -> bool {
        let writes_nothing = |number| !self.context.recorder.has_open_write(number);
        self.in_flight.drop_read(id) || self.in_flight.cancel_nested(id, writes_nothing)
    }

    fn withdraw(&self, id: u32) -> bool {
        let recorder = self.context.recorder;
        let wrote_nothing =
            |number| !recorder.has_open_write(number) && recorder.writes(Some(number)).is_empty();
        self.in_flight.withdraw(id) || self.in_flight.cancel_nested(id, wrote_nothing)
    }
}

impl Host<'_> {
    /// Begins a call that is not a card.
    fn begin_alone(&self, call: ScriptCall) -> UnderWay<'_> {
        let deadline = self.deadline_of(&call);
        if let Meaning::Code | Meaning::Skill | Meaning::FolderSkill = self
            .code
            .directory
            .meaning(&call.target.capability(), self.context.asker)
        {
            return self.begin_nested(call, deadline);
        }
        let calls = [call];
        let (group, unwanted) = self.in_flight.add(&calls, |call| self.may_write(call));
        let [call] = calls;
        Box::pin(async move {
            let work = async {
                let Some(call) = group.begin(vec![call]).pop() else {
                    return Vec::new();
                };
                vec![self.run_alone(call, deadline, self.context).await]
            };
            self.in_flight.answer(&group, unwanted, work).await
        })
    }

    /// Begins a call of code or of a skill. Their writes are not known in advance, so whether they write is checked
    /// when the call is given up.
    fn begin_nested(&self, call: ScriptCall, deadline: Instant) -> UnderWay<'_> {
        let recorder = self.context.recorder;
        let (nested, unwanted) = self.in_flight.add_nested(call.id);
        Box::pin(async move {
            let abandon = CancelFlag::with_parent(self.context.abandon);
            let context = CallContext {
                abandon: Some(&abandon),
                stop: Some(&abandon),
                opened_call: Some(&nested.call),
                ..self.context
            };
            let work = self.run_alone(call, deadline, context);
            let is_writing = |number| recorder.has_open_write(number);
            let replies = nested.answer(unwanted, work, &abandon, is_writing).await;
            self.in_flight.end_nested(&nested, replies.is_none());
            replies.into_iter().collect()
        })
    }

    /// Begins calls of cards that were made together.
    fn begin_cards(&self, cards: Vec<ScriptCall>) -> UnderWay<'_> {
        let deadline = cards
            .first()
            .map_or(self.deadline, |call| self.deadline_of(call));
        let writes = cards.iter().any(|call| self.writes(call));
        // The place in the queue is taken now, before later calls take theirs.
        let turn = writes.then(|| self.lane.queue());
        let (group, unwanted) = self.in_flight.add(&cards, |call| self.may_write(call));
        Box::pin(async move {
            let work = self.run_cards(&group, cards, turn, deadline);
            self.in_flight.answer(&group, unwanted, work).await
        })
    }

    /// Removes `.all` from a target: `capstan.issue.list.all` calls `issue.list` for each page. The error refuses a
    /// capability without pages, because it may be a write.
    fn strip_all_pages(&self, target: &mut CallTarget) -> Result<(), ResultError> {
        let CallTarget::Capstan(id) = target else {
            return Ok(());
        };
        let catalog = &self.code.shared.catalog;
        let Some(base) = id.strip_suffix(ALL_PAGES).map(str::to_owned) else {
            return Ok(());
        };
        if catalog.contains(id) || !base.contains('.') {
            return Ok(());
        }
        id.clone_from(&base);
        match (self.meaning(&base), catalog.get(&base)) {
            (Meaning::Card, Ok(card)) if card.is_paged() => Ok(()),
            (Meaning::Card | Meaning::Code, Err(unknown)) => Err(unknown_capability(&unknown)),
            _ => {
                let message = format!(
                    "`{base}` has no pages: call `capstan.{base}(input)` instead of `.all`"
                );
                Err(ResultError::new(ErrorCode::Validation, message))
            }
        }
    }

    /// Returns the problem with a call through `mcp`, which reaches only tools of configured servers.
    fn mcp_problem(&self, target: &CallTarget) -> Option<ResultError> {
        let error = |message: String| Some(ResultError::new(ErrorCode::NotFound, message));
        match target {
            CallTarget::Mcp { server, .. } if !self.code.shared.has_server(server) => {
                let servers = self.code.shared.servers();
                let known = if servers.is_empty() {
                    "none is configured".to_owned()
                } else {
                    format!("there are {}", servers.join(", "))
                };
                error(format!("there is no MCP server `{server}`: {known}"))
            }
            CallTarget::Mcp { server, tool } => {
                let name = target.capability();
                let what = match self.meaning(&name) {
                    Meaning::Tool { .. } => return None,
                    Meaning::Card => "a card",
                    Meaning::Action(_) => "an action of Capstan itself",
                    Meaning::Skill | Meaning::FolderSkill => "a skill",
                    Meaning::Code => "the beginning of a full name",
                };
                error(format!(
                    "`mcp.{server}.{tool}` cannot be called: `{name}` is {what}; give the server \
                     another name in the configuration"
                ))
            }
            _ => None,
        }
    }
}

fn failed_reply(id: u32, message: &str) -> ScriptReply {
    ScriptReply {
        id,
        result: Err(ResultError::new(ErrorCode::Unknown, message)),
    }
}
