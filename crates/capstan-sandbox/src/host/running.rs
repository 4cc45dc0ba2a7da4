//! Has code run by a worker: calls out, answers in, and the clock that decides.

use std::collections::{BTreeMap, HashMap, HashSet};
use std::future::Future;
use std::pin::Pin;
use std::time::{Duration, Instant};

use capstan_core::code::{
    CallTarget, ConsoleLine, Limits, ScriptCall, ScriptEnd, ScriptError, ScriptErrorKind,
    ScriptReply, ScriptUsage, Stopped,
};
use capstan_core::port::{ScriptRun, UnderWay};
use capstan_core::{ErrorCode, Outcome, ResultError};
use futures_util::StreamExt;
use futures_util::stream::FuturesUnordered;
use serde_json::json;
use tokio::time::{Instant as Moment, sleep_until};

use super::link::{Link, Lost};
use super::processes::Death;
use super::turns::{Seat, Turn, Turns};
use super::{errors, trace};
use crate::clock;
use crate::engine::LARGEST_INPUTS;
use crate::wire::{
    CallMade, Ended, MOST_WARNINGS, Order, ReplySaid, Report, Root, RunOrder, Verdict, Waiting,
};

/// A worker that is told to stop has this long to say how far it got.
const TO_STOP: Duration = Duration::from_millis(100);
/// How long a run that waits keeps its turn.
const BEFORE_PARKING: Duration = Duration::from_millis(5);
/// What frames have beside their contents.
const BESIDE: usize = 1 << 20;

/// How a run ended, and the worker if it can go on.
pub(crate) struct Run {
    pub(crate) end: ScriptEnd,
    pub(crate) link: Option<Link>,
}

/// What a run may do beside the others.
pub(crate) struct Place<'a> {
    pub(crate) turns: &'a Turns,
    pub(crate) seat: Seat,
    /// While it computes, and for a moment longer.
    pub(crate) turn: Option<Turn>,
}

/// Runs the code in the worker. `hello` is told of the worker's layers.
pub(crate) async fn run(
    mut link: Link,
    run: &ScriptRun<'_>,
    place: Place<'_>,
    hello: impl Fn(u32),
) -> Run {
    let started = Instant::now();
    let mut session = Session {
        run,
        place,
        state: State::Computing,
        is_settled: false,
        under_way: FuturesUnordered::new(),
        waiting: BTreeMap::new(),
        detached: HashSet::new(),
        outbox: Outbox::default(),
        failed: HashMap::new(),
        dropped: Vec::new(),
        calls: 0,
        console: Vec::new(),
        console_cut: false,
        warnings: Vec::new(),
    };
    link.send(Order::Run(RunOrder {
        javascript: run.script.javascript.clone(),
        source_map: run.script.source_map.clone(),
        args: serde_json::to_string(run.args).unwrap_or_default(),
        limits: run.limits.clone(),
        deadline: clock::now() + run.limits.wall,
    }));
    let over = session.drive(&mut link, started, hello).await;
    let mut usage = ScriptUsage {
        calls: session.calls,
        ..ScriptUsage::default()
    };
    let (result, link) = match over {
        Over::Ended(ended) => {
            usage.cpu = Duration::from_micros(ended.cpu_us);
            usage.memory_bytes = ended.memory_bytes;
            session.hear(ended.console);
            session.console_cut |= ended.console_cut;
            session.warnings = ended.warnings;
            // A worker tells no more, unless something is wrong with it.
            session.warnings.truncate(MOST_WARNINGS + 1);
            (session.judge(ended.verdict), (!ended.last).then_some(link))
        }
        Over::Stopped(which) => (Err(errors::limit(which, &run.limits)), None),
        Over::Lost(Lost::Nonsense) => (
            Err(errors::broken("its worker said something unexpected")),
            None,
        ),
        Over::Lost(Lost::Closed) => {
            let death = link.death().await;
            (Err(cause(death, &run.limits)), None)
        }
    };
    usage.wall = started.elapsed();
    Run {
        end: ScriptEnd {
            result,
            console: session.console,
            console_cut: session.console_cut,
            warnings: session.warnings,
            usage,
            dropped: session.dropped,
        },
        link,
    }
}

enum Over {
    Ended(Box<Ended>),
    Stopped(Stopped),
    Lost(Lost),
}

/// What the worker does, as far as it says so.
enum State {
    Computing,
    Waiting {
        /// When the next timer is due.
        timer: Option<Moment>,
        /// When the turn is given up: most answers come soon, and to start another run meanwhile would
        /// take longer.
        parked: Moment,
        memory_bytes: u64,
    },
}

/// What the worker is told as soon as it may go on.
#[derive(Default)]
struct Outbox {
    replies: Vec<ReplySaid>,
    forget: Vec<u32>,
    wake: bool,
}

impl Outbox {
    fn is_empty(&self) -> bool {
        self.replies.is_empty() && self.forget.is_empty() && !self.wake
    }
}

struct Session<'a> {
    run: &'a ScriptRun<'a>,
    place: Place<'a>,
    state: State,
    /// The code has its result.
    is_settled: bool,
    under_way: FuturesUnordered<UnderWay<'a>>,
    /// Calls that are not answered yet, with what they call.
    waiting: BTreeMap<u32, String>,
    /// Calls that the code does not wait for any more and that may still write.
    detached: HashSet<u32>,
    outbox: Outbox,
    /// What went wrong with calls: an error that the code does not catch is known from here.
    failed: HashMap<u32, ResultError>,
    dropped: Vec<String>,
    calls: u32,
    console: Vec<ConsoleLine>,
    console_cut: bool,
    warnings: Vec<String>,
}

impl Session<'_> {
    async fn drive(&mut self, link: &mut Link, started: Instant, hello: impl Fn(u32)) -> Over {
        let limits = &self.run.limits;
        let deadline = Moment::from_std(started + limits.wall);
        let mut stopping = false;
        let largest = LARGEST_INPUTS
            + usize::try_from(limits.output_bytes.saturating_add(limits.console_bytes))
                .unwrap_or(usize::MAX / 2)
            + BESIDE;
        let turns = self.place.turns;
        let mut next_turn = None;
        loop {
            let until = if stopping {
                deadline + TO_STOP
            } else {
                deadline
            };
            let (timer, parked) = match &self.state {
                State::Waiting { timer, parked, .. } if self.outbox.is_empty() => {
                    (*timer, self.place.turn.is_some().then_some(*parked))
                }
                _ => (None, None),
            };
            let is_due = matches!(self.state, State::Waiting { .. })
                && !self.outbox.is_empty()
                && self.place.turn.is_none();
            if is_due && next_turn.is_none() {
                next_turn = Some(Box::pin(turns.turn()));
            }
            tokio::select! {
                biased;
                () = sleep_until(until) => {
                    if stopping {
                        return Over::Stopped(Stopped::Wall);
                    }
                    stopping = true;
                    link.send(Order::Stop);
                }
                report = link.receive(largest) => match report {
                    Ok(Report::Hello(layers)) => hello(layers),
                    Ok(Report::Waiting(waiting)) => {
                        if let Err(over) = self.now_waits(*waiting) {
                            return over;
                        }
                    }
                    Ok(Report::Ended(ended)) => {
                        self.place.turn = None;
                        self.finish_detached(deadline).await;
                        return Over::Ended(ended);
                    }
                    Ok(Report::Read(_)) => return Over::Lost(Lost::Nonsense),
                    Err(lost) => return Over::Lost(lost),
                },
                Some(replies) = self.under_way.next() => {
                    if let Err(over) = self.reply(replies) {
                        return over;
                    }
                    if self.is_settled {
                        // What was writing may have become droppable.
                        self.drop_reads();
                    }
                }
                () = at(timer) => self.outbox.wake = true,
                () = at(parked) => self.park(),
                turn = wait_for(&mut next_turn) => {
                    next_turn = None;
                    self.place.turn = Some(turn);
                }
            }
            self.answer_forgotten();
            self.go_on(link);
        }
    }

    /// The worker waits: what it asks for meanwhile is begun.
    fn now_waits(&mut self, waiting: Waiting) -> Result<(), Over> {
        let now = Moment::now();
        self.hear(waiting.console);
        self.call(waiting.calls)?;
        for id in waiting.aborted {
            self.abort(id);
        }
        if waiting.settled {
            self.is_settled = true;
            self.drop_reads();
        }
        // A run is over before anything overflows.
        let in_time = |timer: Duration| now + timer.min(Limits::LONGEST_WALL * 2);
        self.state = State::Waiting {
            timer: waiting.timer.map(in_time),
            parked: now + BEFORE_PARKING,
            memory_bytes: waiting.memory_bytes,
        };
        Ok(())
    }

    /// Gives the turn to somebody else.
    fn park(&mut self) {
        if let State::Waiting { memory_bytes, .. } = self.state {
            let most = self.run.limits.memory_bytes;
            self.place.seat.hold(memory_bytes.min(most));
            self.place.turn = None;
        }
    }

    /// Tells the worker what there is, if it waits and may go on.
    fn go_on(&mut self, link: &mut Link) {
        if matches!(self.state, State::Computing)
            || self.outbox.is_empty()
            || self.place.turn.is_none()
        {
            return;
        }
        self.place.seat.hold(0);
        self.state = State::Computing;
        let Outbox {
            replies,
            forget,
            wake: _,
        } = std::mem::take(&mut self.outbox);
        // One order: the worker computes until it waits again.
        if !forget.is_empty() {
            self.outbox.replies = replies;
            link.send(Order::Forget(forget));
        } else if replies.is_empty() {
            link.send(Order::Wake);
        } else {
            link.send(Order::Replies(replies));
        }
    }

    /// The code aborts a call. It is told at once whether the call may have changed something.
    fn abort(&mut self, id: u32) {
        let Some(capability) = self.waiting.remove(&id) else {
            return;
        };
        let withdrawn = self.run.calls.withdraw(id);
        let outcome = if withdrawn {
            Outcome::NotApplied
        } else {
            self.detached.insert(id);
            Outcome::Unknown
        };
        let message = if withdrawn {
            format!("{capability} was aborted before it changed anything")
        } else {
            format!(
                "{capability} was aborted after it was sent: it may have happened, and the run ends when \
                 that is known"
            )
        };
        let error =
            ResultError::new(ErrorCode::Cancelled, message).with_detail("outcome", json!(outcome));
        let result = Err(error);
        let said = self.say(ScriptReply { id, result });
        self.outbox.replies.push(said);
    }

    /// The code has its result: what only reads is of no use any more.
    fn drop_reads(&mut self) {
        let calls = self.run.calls;
        let dropped: Vec<u32> = self
            .waiting
            .keys()
            .copied()
            .filter(|id| calls.drop_read(*id))
            .collect();
        for id in &dropped {
            self.dropped.extend(self.waiting.remove(id));
        }
        self.outbox.forget.extend(dropped);
    }

    /// Waits for what may still write although the code does not wait for it.
    async fn finish_detached(&mut self, deadline: Moment) {
        while !self.detached.is_empty() {
            tokio::select! {
                biased;
                () = sleep_until(deadline) => return,
                replies = self.under_way.next() => match replies {
                    Some(replies) => {
                        for reply in replies {
                            self.detached.remove(&reply.id);
                        }
                    }
                    None => return,
                },
            }
        }
    }

    fn call(&mut self, made: Vec<CallMade>) -> Result<(), Over> {
        let mut calls = Vec::with_capacity(made.len());
        for call in made {
            if self.calls >= self.run.limits.calls {
                return Err(Over::Stopped(Stopped::Calls));
            }
            self.calls += 1;
            let target = target(call.root, &call.path).ok_or(Over::Lost(Lost::Nonsense))?;
            let capability = target.capability();
            if self.waiting.insert(call.id, capability).is_some() {
                return Err(Over::Lost(Lost::Nonsense));
            }
            let Ok(input) = serde_json::from_str(&call.input) else {
                // JSON that is deeper than can be read.
                self.refuse(call.id, "its input is nested too deeply");
                continue;
            };
            let timeout = u64::from(call.timeout_ms);
            calls.push(ScriptCall {
                id: call.id,
                target,
                input,
                timeout: (timeout > 0).then_some(Duration::from_millis(timeout)),
            });
        }
        if !calls.is_empty() {
            self.under_way.extend(self.run.calls.call(calls));
        }
        Ok(())
    }

    fn refuse(&mut self, id: u32, why: &str) {
        let error = ResultError::new(ErrorCode::Validation, why);
        let reply = ScriptReply {
            id,
            result: Err(error),
        };
        self.under_way
            .push(Box::pin(std::future::ready(vec![reply])));
    }

    /// Answers that came together are told together, so that what follows from them leaves together.
    fn reply(&mut self, replies: Vec<ScriptReply>) -> Result<(), Over> {
        let mut bytes = 0;
        for reply in replies {
            self.detached.remove(&reply.id);
            if self.waiting.remove(&reply.id).is_none() {
                continue;
            }
            let reply = self.say(reply);
            bytes += reply.text.len() + reply.meta.as_ref().map_or(0, String::len);
            self.outbox.replies.push(reply);
        }
        if bytes as u64 > self.run.limits.memory_bytes {
            return Err(Over::Stopped(Stopped::Memory));
        }
        Ok(())
    }

    fn say(&mut self, reply: ScriptReply) -> ReplySaid {
        match reply.result {
            Ok(value) => ReplySaid {
                id: reply.id,
                ok: true,
                text: value.data.to_string(),
                meta: value.meta.map(|meta| meta.to_string()),
            },
            Err(error) => {
                let text = serde_json::to_string(&error).unwrap_or_default();
                self.failed.insert(reply.id, error);
                ReplySaid {
                    id: reply.id,
                    ok: false,
                    text,
                    meta: None,
                }
            }
        }
    }

    /// Calls that nobody is answering any more would never be answered.
    fn answer_forgotten(&mut self) {
        if self.waiting.is_empty() || !self.under_way.is_empty() {
            return;
        }
        for id in std::mem::take(&mut self.waiting).into_keys() {
            let error = ResultError::new(ErrorCode::Unknown, "the call was not answered");
            let result = Err(error);
            let said = self.say(ScriptReply { id, result });
            self.outbox.replies.push(said);
        }
    }

    /// The worker counts what it is given to write; if it does not, it is cut here.
    fn hear(&mut self, lines: Vec<ConsoleLine>) {
        let most = usize::try_from(self.run.limits.console_bytes).unwrap_or(usize::MAX);
        let mut kept: usize = self.console.iter().map(|line| line.text.len() + 1).sum();
        for line in lines {
            kept += line.text.len() + 1;
            if kept > most.saturating_add(1) {
                self.console_cut = true;
                return;
            }
            self.console.push(line);
        }
    }

    fn judge(&self, verdict: Verdict) -> Result<serde_json::Value, ScriptError> {
        let limits = &self.run.limits;
        let located = |mut error: ScriptError, stack: &str| {
            error.stack = trace::frames(stack);
            error.place = trace::place(&error.stack);
            error
        };
        Err(match verdict {
            Verdict::Value(text) if text.len() as u64 > limits.output_bytes => {
                errors::limit(Stopped::Output, limits)
            }
            Verdict::Value(text) => match serde_json::from_str(&text) {
                Ok(value) => return Ok(value),
                Err(_) => errors::broken("its worker gave a result that is no JSON"),
            },
            Verdict::NotJson(flaw) => errors::not_json(&flaw),
            Verdict::Threw(thrown) => {
                let failed = thrown.call.and_then(|id| self.failed.get(&id));
                let error = match failed {
                    Some(error) => {
                        let kind = ScriptErrorKind::Call(Box::new(error.clone()));
                        // The errors of several calls are told together.
                        let message = if thrown.name == "AggregateError" {
                            thrown.message
                        } else {
                            error.message.clone()
                        };
                        ScriptError::new(kind, message)
                    }
                    None => {
                        let name = thrown.name;
                        ScriptError::new(ScriptErrorKind::Thrown { name }, thrown.message)
                    }
                };
                located(error, &thrown.stack)
            }
            Verdict::Limit { which, stack } => located(errors::limit(which, limits), &stack),
            Verdict::Stuck => errors::stuck(),
            Verdict::Syntax { message, stack } => {
                located(ScriptError::new(ScriptErrorKind::Syntax, message), &stack)
            }
            Verdict::Broken(what) => errors::broken(&what),
        })
    }
}

/// Until this moment, or for ever.
async fn at(moment: Option<Moment>) {
    match moment {
        Some(moment) => sleep_until(moment).await,
        None => std::future::pending().await,
    }
}

/// The next turn, if one is being waited for.
async fn wait_for(turn: &mut Option<Pin<Box<impl Future<Output = Turn>>>>) -> Turn {
    match turn {
        Some(turn) => turn.as_mut().await,
        None => std::future::pending().await,
    }
}

/// What the path in the code means.
fn target(root: Root, path: &str) -> Option<CallTarget> {
    match root {
        Root::Capstan => Some(CallTarget::Capstan(path.replace('\0', "."))),
        Root::Caps => Some(CallTarget::Caps(path.replace('\0', "."))),
        Root::Mcp => {
            let (server, tool) = path.split_once('\0')?;
            Some(CallTarget::Mcp {
                server: server.to_owned(),
                tool: tool.replace('\0', "."),
            })
        }
    }
}

/// Why a worker is not there any more.
fn cause(death: Option<Death>, limits: &Limits) -> ScriptError {
    let Some(death) = death else {
        return errors::broken("its worker is gone");
    };
    if death.by_alarm() {
        errors::limit(Stopped::Cpu, limits)
    } else if death.said.contains("memory allocation of") {
        errors::limit(Stopped::Memory, limits)
    } else if death.said.contains("overflowed its stack") {
        errors::limit(Stopped::Stack, limits)
    } else {
        errors::broken(&format!(
            "its worker ended unexpectedly ({})",
            death.words()
        ))
    }
}
