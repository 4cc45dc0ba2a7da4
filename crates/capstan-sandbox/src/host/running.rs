//! Runs code in a worker: passes calls out and answers in, and enforces the time limit.

use std::collections::{BTreeMap, HashMap, HashSet};
use std::future::Future;
use std::pin::Pin;
use std::time::{Duration, Instant};

use capstan_core::code::{
    CallTarget, ConsoleLine, Limits, ScriptCall, ScriptEnd, ScriptError, ScriptErrorKind,
    ScriptReply, ScriptUsage, Stopped,
};
use capstan_core::port::{Fact, Failure, ScriptRun, UnderWay};
use capstan_core::{ErrorCode, Outcome, ResultError};
use futures_util::StreamExt;
use futures_util::stream::FuturesUnordered;
use tokio::time::{Instant as TokioInstant, sleep_until};

use super::link::{LinkError, WorkerLink};
use super::processes::WorkerExit;
use super::turns::{Seat, Turn, Turns};
use super::{errors, trace};
use crate::clock;
use crate::engine::MAX_PENDING_INPUT_BYTES;
use crate::wire::{
    CallRoot, Ended, MAX_WARNINGS, Order, OutgoingCall, Reply, Report, RunOrder, Verdict, Waiting,
};

/// How long a worker that was told to stop may take to report.
const STOP_GRACE: Duration = Duration::from_millis(100);
/// How long a waiting run keeps its turn.
const PARK_DELAY: Duration = Duration::from_millis(5);
/// The overhead of frames beside their contents.
const FRAME_OVERHEAD_BYTES: usize = 1 << 20;

/// How a run ended, and its worker if it can be used again.
pub(crate) struct FinishedRun {
    pub(crate) end: ScriptEnd,
    pub(crate) link: Option<WorkerLink>,
}

/// The right of a run to exist and to compute.
pub(crate) struct RunSlot<'a> {
    pub(crate) turns: &'a Turns,
    pub(crate) seat: Seat,
    /// Held while the run computes, and for a moment longer.
    pub(crate) turn: Option<Turn>,
}

/// Runs the code in the worker. `on_hello` receives the worker's layers.
pub(crate) async fn run(
    mut link: WorkerLink,
    run: &ScriptRun<'_>,
    slot: RunSlot<'_>,
    on_hello: impl Fn(u32),
) -> FinishedRun {
    let started = Instant::now();
    let mut session = RunSession {
        run,
        slot,
        state: WorkerState::Computing,
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
    let ending = session.drive(&mut link, started, on_hello).await;
    let mut usage = ScriptUsage {
        calls: session.calls,
        ..ScriptUsage::default()
    };
    let (result, link) = match ending {
        RunEnding::Ended(ended) => {
            usage.cpu = Duration::from_micros(ended.cpu_us);
            usage.memory_bytes = ended.memory_bytes;
            session.append_console(ended.console);
            session.console_cut |= ended.console_cut;
            session.warnings = ended.warnings;
            // A correct worker reports no more than these.
            session.warnings.truncate(MAX_WARNINGS + 1);
            (
                session.result_of(ended.verdict),
                (!ended.is_last).then_some(link),
            )
        }
        RunEnding::Stopped(which) => (Err(errors::limit(which, &run.limits)), None),
        RunEnding::Lost(LinkError::Malformed) => (
            Err(errors::broken("its worker sent something unexpected")),
            None,
        ),
        RunEnding::Lost(LinkError::Closed) => {
            let exit = link.wait_for_exit().await;
            (Err(exit_error(exit, &run.limits)), None)
        }
    };
    usage.wall = started.elapsed();
    FinishedRun {
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

enum RunEnding {
    Ended(Box<Ended>),
    Stopped(Stopped),
    Lost(LinkError),
}

/// What the worker is doing, as far as it has reported.
enum WorkerState {
    Computing,
    Waiting {
        /// When the next timer is due.
        timer: Option<TokioInstant>,
        /// When the run gives up its turn. Most answers come soon, and starting another run
        /// meanwhile would take longer.
        park_at: TokioInstant,
        memory_bytes: u64,
    },
}

/// What the worker is sent as soon as it may continue.
#[derive(Default)]
struct Outbox {
    replies: Vec<Reply>,
    forget: Vec<u32>,
    wake: bool,
}

impl Outbox {
    fn is_empty(&self) -> bool {
        self.replies.is_empty() && self.forget.is_empty() && !self.wake
    }
}

struct RunSession<'a> {
    run: &'a ScriptRun<'a>,
    slot: RunSlot<'a>,
    state: WorkerState,
    /// Whether the code has its result.
    is_settled: bool,
    under_way: FuturesUnordered<UnderWay<'a>>,
    /// The unanswered calls, with their capabilities.
    waiting: BTreeMap<u32, String>,
    /// Calls that the code does not wait for any more, but that may still write.
    detached: HashSet<u32>,
    outbox: Outbox,
    /// The errors of failed calls, by which an uncaught error of the code is recognized.
    failed: HashMap<u32, ResultError>,
    dropped: Vec<String>,
    calls: u32,
    console: Vec<ConsoleLine>,
    console_cut: bool,
    warnings: Vec<String>,
}

impl RunSession<'_> {
    async fn drive(
        &mut self,
        link: &mut WorkerLink,
        started: Instant,
        on_hello: impl Fn(u32),
    ) -> RunEnding {
        let limits = &self.run.limits;
        let deadline = TokioInstant::from_std(started + limits.wall);
        let mut stopping = false;
        let max_bytes = MAX_PENDING_INPUT_BYTES
            + usize::try_from(limits.output_bytes.saturating_add(limits.console_bytes))
                .unwrap_or(usize::MAX / 2)
            + FRAME_OVERHEAD_BYTES;
        let turns = self.slot.turns;
        let mut next_turn = None;
        loop {
            let until = if stopping {
                deadline + STOP_GRACE
            } else {
                deadline
            };
            let (timer, park_at) = match &self.state {
                WorkerState::Waiting { timer, park_at, .. } if self.outbox.is_empty() => {
                    (*timer, self.slot.turn.is_some().then_some(*park_at))
                }
                _ => (None, None),
            };
            let is_due = matches!(self.state, WorkerState::Waiting { .. })
                && !self.outbox.is_empty()
                && self.slot.turn.is_none();
            if is_due && next_turn.is_none() {
                next_turn = Some(Box::pin(turns.next_turn()));
            }
            tokio::select! {
                biased;
                () = sleep_until(until) => {
                    if stopping {
                        return RunEnding::Stopped(Stopped::Wall);
                    }
                    stopping = true;
                    link.send(Order::Stop);
                }
                report = link.receive(max_bytes) => match report {
                    Ok(Report::Hello(layers)) => on_hello(layers),
                    Ok(Report::Waiting(waiting)) => {
                        if let Err(ending) = self.handle_waiting(*waiting) {
                            return ending;
                        }
                    }
                    Ok(Report::Ended(ended)) => {
                        self.slot.turn = None;
                        self.finish_detached(deadline).await;
                        return RunEnding::Ended(ended);
                    }
                    Ok(Report::Read(_)) => return RunEnding::Lost(LinkError::Malformed),
                    Err(lost) => return RunEnding::Lost(lost),
                },
                Some(replies) = self.under_way.next() => {
                    if let Err(ending) = self.queue_replies(replies) {
                        return ending;
                    }
                    if self.is_settled {
                        // A call that was writing may have become droppable.
                        self.drop_reads();
                    }
                }
                () = sleep_until_some(timer) => self.outbox.wake = true,
                () = sleep_until_some(park_at) => self.park(),
                turn = wait_for_turn(&mut next_turn) => {
                    next_turn = None;
                    self.slot.turn = Some(turn);
                }
            }
            self.fail_unanswered();
            self.resume_worker(link);
        }
    }

    /// Handles the report that the worker waits: starts what the code asked for.
    fn handle_waiting(&mut self, waiting: Waiting) -> Result<(), RunEnding> {
        let now = TokioInstant::now();
        self.append_console(waiting.console);
        self.start_calls(waiting.calls)?;
        for id in waiting.aborted {
            self.abort(id);
        }
        if waiting.settled {
            self.is_settled = true;
            self.drop_reads();
        }
        // Capped so that the addition cannot overflow; the run is over before that anyway.
        let in_time = |timer: Duration| now + timer.min(Limits::LONGEST_WALL * 2);
        self.state = WorkerState::Waiting {
            timer: waiting.timer.map(in_time),
            park_at: now + PARK_DELAY,
            memory_bytes: waiting.memory_bytes,
        };
        Ok(())
    }

    /// Gives up the turn.
    fn park(&mut self) {
        if let WorkerState::Waiting { memory_bytes, .. } = self.state {
            let max = self.run.limits.memory_bytes;
            self.slot.seat.set_held_bytes(memory_bytes.min(max));
            self.slot.turn = None;
        }
    }

    /// Sends the worker what is queued, if it waits and the run has a turn.
    fn resume_worker(&mut self, link: &mut WorkerLink) {
        if matches!(self.state, WorkerState::Computing)
            || self.outbox.is_empty()
            || self.slot.turn.is_none()
        {
            return;
        }
        self.slot.seat.set_held_bytes(0);
        self.state = WorkerState::Computing;
        let Outbox {
            replies,
            forget,
            wake: _,
        } = std::mem::take(&mut self.outbox);
        // Only one order at a time: the worker then computes until it waits again.
        if !forget.is_empty() {
            self.outbox.replies = replies;
            link.send(Order::Forget(forget));
        } else if replies.is_empty() {
            link.send(Order::Wake);
        } else {
            link.send(Order::Replies(replies));
        }
    }

    /// Handles a call that the code aborts. The code learns at once whether the call may have
    /// changed something.
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
        let error = ResultError::new(ErrorCode::Cancelled, message);
        let failure = Failure::new(error, outcome).with_detail_of(Fact::Outcome);
        let result = Err(failure.error);
        let reply = self.encode_reply(ScriptReply { id, result });
        self.outbox.replies.push(reply);
    }

    /// Drops pending reads: the code has its result and does not need them.
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

    /// Waits for calls that may still write, although the code does not wait for them.
    async fn finish_detached(&mut self, deadline: TokioInstant) {
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

    fn start_calls(&mut self, outgoing: Vec<OutgoingCall>) -> Result<(), RunEnding> {
        let mut calls = Vec::with_capacity(outgoing.len());
        for call in outgoing {
            if self.calls >= self.run.limits.calls {
                return Err(RunEnding::Stopped(Stopped::Calls));
            }
            self.calls += 1;
            let target =
                call_target(call.root, &call.path).ok_or(RunEnding::Lost(LinkError::Malformed))?;
            let capability = target.capability();
            if self.waiting.insert(call.id, capability).is_some() {
                return Err(RunEnding::Lost(LinkError::Malformed));
            }
            let Ok(input) = serde_json::from_str(&call.input) else {
                // The JSON is nested too deeply to be parsed.
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

    fn refuse(&mut self, id: u32, message: &str) {
        let error = ResultError::new(ErrorCode::Validation, message);
        let reply = ScriptReply {
            id,
            result: Err(error),
        };
        self.under_way
            .push(Box::pin(std::future::ready(vec![reply])));
    }

    /// Queues answers. Answers that came together are sent together, so that the calls that follow
    /// from them leave together.
    fn queue_replies(&mut self, replies: Vec<ScriptReply>) -> Result<(), RunEnding> {
        let mut bytes = 0;
        for reply in replies {
            self.detached.remove(&reply.id);
            if self.waiting.remove(&reply.id).is_none() {
                continue;
            }
            let reply = self.encode_reply(reply);
            bytes += reply.text.len() + reply.meta.as_ref().map_or(0, String::len);
            self.outbox.replies.push(reply);
        }
        if bytes as u64 > self.run.limits.memory_bytes {
            return Err(RunEnding::Stopped(Stopped::Memory));
        }
        Ok(())
    }

    fn encode_reply(&mut self, reply: ScriptReply) -> Reply {
        match reply.result {
            Ok(value) => Reply {
                id: reply.id,
                ok: true,
                text: value.data.to_string(),
                meta: value.meta.map(|meta| meta.to_string()),
            },
            Err(error) => {
                let text = serde_json::to_string(&error).unwrap_or_default();
                self.failed.insert(reply.id, error);
                Reply {
                    id: reply.id,
                    ok: false,
                    text,
                    meta: None,
                }
            }
        }
    }

    /// Answers calls that the caller will never answer.
    fn fail_unanswered(&mut self) {
        if self.waiting.is_empty() || !self.under_way.is_empty() {
            return;
        }
        for id in std::mem::take(&mut self.waiting).into_keys() {
            let error = ResultError::new(ErrorCode::Unknown, "the call was not answered");
            let result = Err(error);
            let reply = self.encode_reply(ScriptReply { id, result });
            self.outbox.replies.push(reply);
        }
    }

    /// Appends console lines. The worker limits them already; a hostile one is cut here.
    fn append_console(&mut self, lines: Vec<ConsoleLine>) {
        let max = usize::try_from(self.run.limits.console_bytes).unwrap_or(usize::MAX);
        let mut kept: usize = self.console.iter().map(|line| line.text.len() + 1).sum();
        for line in lines {
            kept += line.text.len() + 1;
            if kept > max.saturating_add(1) {
                self.console_cut = true;
                return;
            }
            self.console.push(line);
        }
    }

    fn result_of(&self, verdict: Verdict) -> Result<serde_json::Value, ScriptError> {
        let limits = &self.run.limits;
        let located = |mut error: ScriptError, stack: &str| {
            error.stack = trace::frames(stack);
            error.place = trace::innermost_place(&error.stack);
            error
        };
        Err(match verdict {
            Verdict::Value(text) if text.len() as u64 > limits.output_bytes => {
                errors::limit(Stopped::Output, limits)
            }
            Verdict::Value(text) => match serde_json::from_str(&text) {
                Ok(value) => return Ok(value),
                Err(_) => errors::broken("its worker sent a result that is not JSON"),
            },
            Verdict::NotJson(flaw) => errors::not_json(&flaw),
            Verdict::Threw(thrown) => {
                let failed = thrown.call.and_then(|id| self.failed.get(&id));
                let error = match failed {
                    Some(error) => {
                        let kind = ScriptErrorKind::Call(Box::new(error.clone()));
                        // An `AggregateError` reports the errors of several calls together.
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
            Verdict::Stuck => errors::never_settles(),
            Verdict::Syntax { message, stack } => {
                located(ScriptError::new(ScriptErrorKind::Syntax, message), &stack)
            }
            Verdict::Broken(what) => errors::broken(&what),
        })
    }
}

/// Sleeps until this moment, or for ever.
async fn sleep_until_some(moment: Option<TokioInstant>) {
    match moment {
        Some(moment) => sleep_until(moment).await,
        None => std::future::pending().await,
    }
}

/// Waits for the next turn if one was asked for, or else for ever.
async fn wait_for_turn(turn: &mut Option<Pin<Box<impl Future<Output = Turn>>>>) -> Turn {
    match turn {
        Some(turn) => turn.as_mut().await,
        None => std::future::pending().await,
    }
}

/// Returns what a path in the code calls.
fn call_target(root: CallRoot, path: &str) -> Option<CallTarget> {
    match root {
        CallRoot::Capstan => Some(CallTarget::Capstan(path.replace('\0', "."))),
        CallRoot::Caps => Some(CallTarget::Caps(path.replace('\0', "."))),
        CallRoot::Mcp => {
            let (server, tool) = path.split_once('\0')?;
            Some(CallTarget::Mcp {
                server: server.to_owned(),
                tool: tool.replace('\0', "."),
            })
        }
    }
}

/// Returns the error for a worker that ended.
fn exit_error(exit: Option<WorkerExit>, limits: &Limits) -> ScriptError {
    let Some(exit) = exit else {
        return errors::broken("its worker is gone");
    };
    if exit.is_cpu_alarm() {
        errors::limit(Stopped::Cpu, limits)
    } else if exit.stderr.contains("memory allocation of") {
        errors::limit(Stopped::Memory, limits)
    } else if exit.stderr.contains("overflowed its stack") {
        errors::limit(Stopped::Stack, limits)
    } else {
        errors::broken(&format!(
            "its worker ended unexpectedly ({})",
            exit.describe()
        ))
    }
}
