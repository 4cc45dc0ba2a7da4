//! Answers what code calls. Every call is run like any other: found, checked against the policy,
//! validated, routed, written down. Cards that are called together leave as one chain.

use std::sync::Mutex;
use std::sync::PoisonError;
use std::time::Instant;

use futures_util::FutureExt as _;
use serde_json::{Map, Value, json};

use capstan_core::card::Operation;
use capstan_core::code::{CallTarget, ScriptCall, ScriptReply, ScriptValue};
use capstan_core::port::{ScriptCalls, UnderWay};
use capstan_core::{
    ChainRequest, ChainStep, ErrorCode, Options, Outcome, ResultEnvelope, ResultError, TaskRequest,
};

use crate::Capstan;
use crate::recorder::Within;

/// The world as one run of code sees it.
pub(super) struct Host<'a> {
    pub(super) capstan: &'a Capstan,
    pub(super) within: Within<'a>,
    pub(super) deadline: Instant,
    writes: Mutex<Writes>,
}

/// What is known of the writes that the code made.
#[derive(Debug, Default)]
pub(super) struct Writes {
    /// By the id of their calls: those that nobody has answered yet.
    under_way: Vec<(u32, String)>,
    unknown: Vec<String>,
    done: usize,
}

impl<'a> Host<'a> {
    pub(super) fn new(capstan: &'a Capstan, within: Within<'a>, deadline: Instant) -> Self {
        Self {
            capstan,
            within,
            deadline,
            writes: Mutex::default(),
        }
    }

    /// What became of the code's writes: told with a failure, because they stay done.
    pub(super) fn told(self, error: ResultError) -> (ResultError, Outcome) {
        let writes = self
            .writes
            .into_inner()
            .unwrap_or_else(PoisonError::into_inner);
        let mut unknown = writes.unknown;
        unknown.extend(
            writes
                .under_way
                .into_iter()
                .map(|(_, capability)| capability),
        );
        let outcome = match (unknown.is_empty(), writes.done) {
            (false, _) => Outcome::Unknown,
            (true, 0) => Outcome::NotApplied,
            (true, _) => Outcome::Applied,
        };
        let error = match outcome {
            Outcome::NotApplied => error,
            _ => {
                let told = json!({"done": writes.done, "unknown": unknown});
                error.not_retryable().with_detail("writes", told)
            }
        };
        (error, outcome)
    }

    /// Runs cards that were called together.
    async fn together(&self, calls: Vec<ScriptCall>) -> Vec<ScriptReply> {
        let steps = calls.iter().map(|call| ChainStep {
            name: None,
            request: self.request(call),
        });
        let chain = ChainRequest {
            steps: steps.collect(),
            timeout_ms: Some(self.left()),
            verbatim: true,
            apart: true,
            ..ChainRequest::default()
        };
        let outcome = self.capstan.run(&chain, &|_| {}, self.within).await;
        let replies = calls.iter().zip(outcome.envelopes);
        replies
            .map(|(call, envelope)| self.reply(call, envelope))
            .collect()
    }

    async fn alone(&self, call: ScriptCall) -> ScriptReply {
        let mut request = self.request(&call);
        request.options.timeout_ms = Some(self.left());
        let chain = ChainRequest::of_one(request);
        let outcome = self.capstan.run(&chain, &|_| {}, self.within).await;
        let envelope = outcome.envelopes.into_iter().next();
        match envelope {
            Some(envelope) => self.reply(&call, envelope),
            None => refused(call.id, "the call was never run"),
        }
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

    fn left(&self) -> u64 {
        let left = self
            .deadline
            .saturating_duration_since(self.capstan.clock.now());
        u64::try_from(left.as_millis()).unwrap_or(u64::MAX).max(1)
    }

    fn reply(&self, call: &ScriptCall, envelope: ResultEnvelope) -> ScriptReply {
        self.settle(call.id, &envelope);
        let meta = &envelope.meta;
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
        add("note", meta.note.clone().map(Value::from));
        add(
            "warnings",
            (!meta.warnings.is_empty()).then(|| meta.warnings.clone().into()),
        );
        let result = match (envelope.data, envelope.error) {
            (_, Some(error)) => Err(error),
            (data, None) => Ok(ScriptValue {
                data: data.unwrap_or_default(),
                meta: (!beside.is_empty()).then_some(Value::Object(beside)),
            }),
        };
        ScriptReply {
            id: call.id,
            result,
        }
    }

    /// Notes a write that is about to be made.
    fn announce(&self, call: &ScriptCall) {
        let capability = call.target.capability();
        // What is no card may do anything.
        let reads =
            |card: std::sync::Arc<capstan_core::card::Card>| card.operation == Operation::Read;
        if !self.capstan.catalog().get(&capability).is_ok_and(reads) {
            let mut writes = self.writes.lock().unwrap_or_else(PoisonError::into_inner);
            writes.under_way.push((call.id, capability));
        }
    }

    fn settle(&self, id: u32, envelope: &ResultEnvelope) {
        let mut writes = self.writes.lock().unwrap_or_else(PoisonError::into_inner);
        let Some(at) = writes.under_way.iter().position(|(known, _)| *known == id) else {
            return;
        };
        let (_, capability) = writes.under_way.swap_remove(at);
        match &envelope.error {
            None => writes.done += 1,
            Some(error) => {
                let told = error.details.get("outcome").and_then(Value::as_str);
                match told {
                    Some("unknown") => writes.unknown.push(capability),
                    Some("applied") => writes.done += 1,
                    _ => {}
                }
                // Code within this code tells of its own writes.
                if let Some(inner) = error.details.get("writes") {
                    let done = inner.get("done").and_then(Value::as_u64).unwrap_or(0);
                    writes.done += usize::try_from(done).unwrap_or(0);
                    let unknown = inner.get("unknown").and_then(Value::as_array);
                    let names = unknown.into_iter().flatten().filter_map(Value::as_str);
                    writes.unknown.extend(names.map(str::to_owned));
                }
            }
        }
    }
}

impl ScriptCalls for Host<'_> {
    fn call<'a>(&'a self, calls: Vec<ScriptCall>) -> Vec<UnderWay<'a>> {
        let mut cards = Vec::new();
        let mut under_way: Vec<UnderWay<'a>> = Vec::new();
        for call in calls {
            let capability = call.target.capability();
            if let Some(problem) = self.misdirected(&call.target) {
                let reply = ScriptReply {
                    id: call.id,
                    result: Err(problem),
                };
                under_way.push(Box::pin(std::future::ready(vec![reply])));
                continue;
            }
            self.announce(&call);
            if self.capstan.catalog().contains(&capability) {
                cards.push(call);
            } else {
                under_way.push(Box::pin(self.alone(call).map(|reply| vec![reply])));
            }
        }
        if !cards.is_empty() {
            under_way.push(Box::pin(self.together(cards)));
        }
        under_way
    }
}

impl Host<'_> {
    /// `mcp` reaches tools and nothing else; `capstan` reaches what has an id.
    fn misdirected(&self, target: &CallTarget) -> Option<ResultError> {
        let error = |message: String| Some(ResultError::new(ErrorCode::NotFound, message));
        match target {
            CallTarget::Mcp { server, .. } if !self.capstan.has_server(server) => {
                let known = self.capstan.servers();
                let known = match known.is_empty() {
                    true => "none is configured".to_owned(),
                    false => format!("there are {}", known.join(", ")),
                };
                error(format!("there is no MCP server `{server}`: {known}"))
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
