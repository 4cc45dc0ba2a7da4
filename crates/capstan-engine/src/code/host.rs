//! Answers what code calls. Every call is run like any other: found, checked against the policy,
//! validated, routed, written down. Cards that are called together leave as one chain.

use std::time::Instant;

use serde_json::{Map, Value};

use capstan_core::card::Operation;
use capstan_core::code::{CallTarget, ScriptCall, ScriptReply, ScriptValue};
use capstan_core::port::{Failure, ScriptCalls, UnderWay};
use capstan_core::{
    ChainRequest, ChainStep, ErrorCode, Options, Outcome, ResultError, TaskRequest,
};
use capstan_exec::{CancelFlag, ChainSpec};

use super::CodeRunner;
use super::in_flight::{Group, InFlight};
use super::lane::{Lane, Turn};
use crate::capability::{Meaning, check_length};
use crate::recorder::{CallContext, NewCall};
use crate::shared::unknown_capability;
use crate::step_result::{ChainOutcome, StepResult};

/// With it, a list is read page by page.
const ALL_PAGES: &str = ".all";

/// The world as one run of code sees it.
pub(super) struct Host<'a> {
    code: CodeRunner<'a>,
    pub(super) within: CallContext<'a>,
    pub(super) deadline: Instant,
    lane: Lane,
    in_flight: InFlight,
}

impl<'a> Host<'a> {
    pub(super) fn new(code: CodeRunner<'a>, within: CallContext<'a>, deadline: Instant) -> Self {
        Self {
            code,
            within,
            deadline,
            lane: Lane::default(),
            in_flight: InFlight::default(),
        }
    }

    /// What became of the code's writes: told with a failure, because they stay done.
    pub(super) fn told(&self, error: ResultError) -> Failure {
        let writes = self.within.recorder.writes(self.within.call);
        writes.added_to(Failure::not_sent(error))
    }

    /// The writes of the code of which nobody knows whether they happened.
    pub(super) fn unknown_writes(&self) -> Vec<String> {
        self.within.recorder.writes(self.within.call).unknown
    }

    /// Runs cards that were called together.
    async fn together(&self, calls: Vec<ScriptCall>, deadline: Instant) -> Vec<ScriptReply> {
        let steps = calls.iter().map(|call| ChainStep {
            name: None,
            request: self.request(call),
            ..ChainStep::default()
        });
        let chain = ChainSpec {
            steps: steps.collect(),
            timeout_ms: Some(self.left_until(deadline)),
            verbatim: true,
            independent: true,
            ..ChainSpec::default()
        };
        let outcome = self.run(&chain, self.within).await;
        let replies = calls.iter().zip(outcome.steps);
        replies
            .map(|(call, result)| self.reply(call, result, deadline))
            .collect()
    }

    async fn in_chains(
        &self,
        group: &Group,
        calls: Vec<ScriptCall>,
        mut turn: Option<Turn>,
        deadline: Instant,
    ) -> Vec<ScriptReply> {
        if let Some(turn) = &mut turn {
            turn.come().await;
        }
        let mut calls = group.begin(calls);
        let mut replies = Vec::with_capacity(calls.len());
        while !calls.is_empty() {
            let rest = calls.split_off(calls.len().min(ChainRequest::MOST_STEPS));
            replies.extend(self.together(calls, deadline).await);
            calls = rest;
        }
        replies
    }

    async fn alone(
        &self,
        call: ScriptCall,
        deadline: Instant,
        within: CallContext<'_>,
    ) -> ScriptReply {
        let mut request = self.request(&call);
        request.options.timeout_ms = Some(self.left_until(deadline));
        // Bad calls are written down too.
        let chain = ChainSpec {
            independent: true,
            ..ChainSpec::from_task(request)
        };
        let outcome = self.run(&chain, within).await;
        match outcome.steps.into_iter().next() {
            Some(result) => self.reply(&call, result, deadline),
            None => refused(call.id, "the call was never run"),
        }
    }

    async fn run(&self, chain: &ChainSpec, within: CallContext<'_>) -> ChainOutcome {
        self.code
            .chains
            .run_chain(chain, None, &|_| {}, within)
            .await
    }

    fn meaning<'n>(&self, name: &'n str) -> Meaning<'n> {
        self.code.directory.meaning(name, self.within.asker)
    }

    fn writes(&self, call: &ScriptCall) -> bool {
        let card = self.code.shared.catalog.get(&call.target.capability());
        card.is_ok_and(|card| card.operation == Operation::Write)
    }

    /// Whether a call may change something. Of tools and other code nobody knows.
    fn may_write(&self, call: &ScriptCall) -> bool {
        match self.meaning(&call.target.capability()) {
            Meaning::Card => self.writes(call),
            Meaning::Action(card) => card.operation == Operation::Write,
            _ => true,
        }
    }

    /// When the answer has to be there.
    fn deadline_of(&self, call: &ScriptCall) -> Instant {
        let own = call
            .timeout
            .map(|timeout| self.code.shared.clock.now() + timeout);
        own.map_or(self.deadline, |own| own.min(self.deadline))
    }

    /// A call that was not even tried.
    fn write_down(&self, capability: &str, input: &Value, problem: &ResultError) {
        let recorder = self.within.recorder;
        let number = recorder.open(&NewCall::new(capability, input, self.within));
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

    /// In milliseconds, rounded up: what fails for lack of time fails when the deadline has passed.
    fn left_until(&self, deadline: Instant) -> u64 {
        let left = deadline.saturating_duration_since(self.code.shared.clock.now());
        let left = left.as_nanos().div_ceil(1_000_000);
        u64::try_from(left).unwrap_or(u64::MAX).max(1)
    }

    /// The error of a call that had not as much time as the run, if that is why it failed.
    fn in_own_time(&self, call: &ScriptCall, deadline: Instant, failure: Failure) -> ResultError {
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
        // Code rarely looks at them, and whoever wrote it should hear of them.
        self.within.recorder.record_warnings(&meta.warnings);
        let mut beside = Map::new();
        let mut add = |name: &str, value: Option<Value>| {
            if let Some(value) = value {
                beside.insert(name.to_owned(), value);
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
            // Which field the rows are in, for whoever goes through all pages.
            let list = card.list.as_ref().map(|list| list.field.clone().into());
            add("list", list);
        }
        add("note", meta.note.clone().map(Value::from));
        add(
            "warnings",
            (!meta.warnings.is_empty()).then(|| meta.warnings.clone().into()),
        );
        let result = match result.result {
            Err(failure) => Err(self.in_own_time(call, deadline, failure)),
            Ok(data) => Ok(ScriptValue {
                data,
                meta: (!beside.is_empty()).then_some(Value::Object(beside)),
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
            let paging = self.read_as_page(&mut call.target).err();
            let capability = call.target.capability();
            let problem = check_length(&capability).err().or(paging);
            if let Some(problem) = problem.or_else(|| self.misdirected(&call.target)) {
                self.write_down(&capability, &call.input, &problem);
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
        // Those that are called together and may take equally long leave together.
        while let Some(first) = cards.first() {
            let timeout = first.timeout;
            let same = cards.iter().take_while(|call| call.timeout == timeout);
            let rest = cards.split_off(same.count());
            under_way.push(self.begin_cards(std::mem::replace(&mut cards, rest)));
        }
        under_way
    }

    fn drop_read(&self, id: u32) -> bool {
        let writes_nothing = |number| !self.within.recorder.has_open_write(number);
        self.in_flight.drop_read(id) || self.in_flight.cancel_nested(id, writes_nothing)
    }

    fn withdraw(&self, id: u32) -> bool {
        let recorder = self.within.recorder;
        let wrote_nothing =
            |number| !recorder.has_open_write(number) && recorder.writes(Some(number)).is_nothing();
        self.in_flight.withdraw(id) || self.in_flight.cancel_nested(id, wrote_nothing)
    }
}

impl Host<'_> {
    fn begin_alone(&self, call: ScriptCall) -> UnderWay<'_> {
        let deadline = self.deadline_of(&call);
        if let Meaning::Code | Meaning::Skill | Meaning::FoundSkill = self
            .code
            .directory
            .meaning(&call.target.capability(), self.within.asker)
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
                vec![self.alone(call, deadline, self.within).await]
            };
            self.in_flight.answer(&group, unwanted, work).await
        })
    }

    /// Code and skills: nobody knows what they write until they do, so they are asked when they are given up.
    fn begin_nested(&self, call: ScriptCall, deadline: Instant) -> UnderWay<'_> {
        let recorder = self.within.recorder;
        let (nested, unwanted) = self.in_flight.add_nested(call.id);
        Box::pin(async move {
            let cancel = CancelFlag::with_parent(self.within.cancel);
            let within = CallContext {
                cancel: Some(&cancel),
                halt: Some(&cancel),
                number: Some(&nested.number),
                ..self.within
            };
            let work = self.alone(call, deadline, within);
            let is_writing = |number| recorder.has_open_write(number);
            let replies = nested.answer(unwanted, work, &cancel, is_writing).await;
            self.in_flight.end_nested(&nested, replies.is_none());
            replies.into_iter().collect()
        })
    }

    /// In one go as long as a chain may be; the rest follows in its turn.
    fn begin_cards(&self, cards: Vec<ScriptCall>) -> UnderWay<'_> {
        let deadline = cards
            .first()
            .map_or(self.deadline, |call| self.deadline_of(call));
        let writes = cards.iter().any(|call| self.writes(call));
        // Now, because what is asked for next is behind it.
        let turn = writes.then(|| self.lane.queue());
        let (group, unwanted) = self.in_flight.add(&cards, |call| self.may_write(call));
        Box::pin(async move {
            let work = self.in_chains(&group, cards, turn, deadline);
            self.in_flight.answer(&group, unwanted, work).await
        })
    }

    /// `capstan.issue.list.all` calls `issue.list` for every page. Of what has no pages, nothing is
    /// called: it may be a write.
    fn read_as_page(&self, target: &mut CallTarget) -> Result<(), ResultError> {
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
            (Meaning::Card, Ok(card)) if card.pages() => Ok(()),
            (Meaning::Card | Meaning::Code, Err(unknown)) => Err(unknown_capability(&unknown)),
            _ => {
                let message = format!(
                    "`{base}` has no pages: call `capstan.{base}(input)` instead of `.all`"
                );
                Err(ResultError::new(ErrorCode::Validation, message))
            }
        }
    }

    /// `mcp` reaches the tools of configured servers and nothing else.
    fn misdirected(&self, target: &CallTarget) -> Option<ResultError> {
        let error = |message: String| Some(ResultError::new(ErrorCode::NotFound, message));
        match target {
            CallTarget::Mcp { server, .. } if !self.code.shared.has_server(server) => {
                let known = self.code.shared.servers();
                let known = match known.is_empty() {
                    true => "none is configured".to_owned(),
                    false => format!("there are {}", known.join(", ")),
                };
                error(format!("there is no MCP server `{server}`: {known}"))
            }
            CallTarget::Mcp { server, tool } => {
                let name = target.capability();
                let what = match self.meaning(&name) {
                    Meaning::Tool { .. } => return None,
                    Meaning::Card => "a card",
                    Meaning::Action(_) => "something that Capstan does itself",
                    Meaning::Skill | Meaning::FoundSkill => "a skill",
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

fn refused(id: u32, message: &str) -> ScriptReply {
    ScriptReply {
        id,
        result: Err(ResultError::new(ErrorCode::Unknown, message)),
    }
}
