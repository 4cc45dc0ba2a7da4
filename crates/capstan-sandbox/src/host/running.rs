//! Has code run by a worker: calls out, answers in, and the clock that decides.

use std::collections::{HashMap, HashSet};
use std::time::{Duration, Instant};

use capstan_core::code::{
    CallTarget, ConsoleLine, Limits, ScriptCall, ScriptEnd, ScriptError, ScriptErrorKind,
    ScriptReply, ScriptUsage, Stopped,
};
use capstan_core::port::{ScriptRun, UnderWay};
use capstan_core::{ErrorCode, ResultError};
use futures_util::StreamExt;
use futures_util::stream::FuturesUnordered;
use tokio::time::{Instant as Moment, sleep_until};

use super::link::{Link, Lost};
use super::processes::Death;
use super::{errors, trace};
use crate::clock;
use crate::engine::LARGEST_INPUTS;
use crate::wire::{CallMade, Ended, Order, ReplySaid, Report, Root, RunOrder, Verdict};

/// A worker that is told to stop has this long to say how far it got.
const TO_STOP: Duration = Duration::from_millis(100);
/// What frames have beside their contents.
const BESIDE: usize = 1 << 20;

/// How a run ended, and the worker if it can go on.
pub(crate) struct Run {
    pub(crate) end: ScriptEnd,
    pub(crate) link: Option<Link>,
}

/// Runs the code in the worker. `hello` is told of the worker's layers.
pub(crate) async fn run(mut link: Link, run: &ScriptRun<'_>, hello: impl Fn(u32)) -> Run {
    let started = Instant::now();
    let mut session = Session {
        run,
        under_way: FuturesUnordered::new(),
        waiting: HashSet::new(),
        failed: HashMap::new(),
        calls: 0,
        console: Vec::new(),
        console_cut: false,
    };
    link.send(Order::Run(RunOrder {
        javascript: run.script.javascript.clone(),
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
            usage,
        },
        link,
    }
}

enum Over {
    Ended(Box<Ended>),
    Stopped(Stopped),
    Lost(Lost),
}

struct Session<'a> {
    run: &'a ScriptRun<'a>,
    under_way: FuturesUnordered<UnderWay<'a>>,
    /// Calls that are not answered yet.
    waiting: HashSet<u32>,
    /// What went wrong with calls: an error that the code does not catch is known from here.
    failed: HashMap<u32, ResultError>,
    calls: u32,
    console: Vec<ConsoleLine>,
    console_cut: bool,
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
        loop {
            let until = if stopping {
                deadline + TO_STOP
            } else {
                deadline
            };
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
                    Ok(Report::Calls { console, calls }) => {
                        self.hear(console);
                        if let Err(over) = self.call(calls) {
                            return over;
                        }
                        self.answer_forgotten(link);
                    }
                    Ok(Report::Ended(ended)) => return Over::Ended(ended),
                    Ok(Report::Read(_)) => return Over::Lost(Lost::Nonsense),
                    Err(lost) => return Over::Lost(lost),
                },
                Some(replies) = self.under_way.next() => {
                    if let Err(over) = self.reply(link, replies) {
                        return over;
                    }
                    self.answer_forgotten(link);
                }
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
            if !self.waiting.insert(call.id) {
                return Err(Over::Lost(Lost::Nonsense));
            }
            let Ok(input) = serde_json::from_str(&call.input) else {
                // JSON that is deeper than can be read.
                self.refuse(call.id, "its input is nested too deeply");
                continue;
            };
            calls.push(ScriptCall {
                id: call.id,
                target,
                input,
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
    fn reply(&mut self, link: &mut Link, replies: Vec<ScriptReply>) -> Result<(), Over> {
        let mut said = Vec::with_capacity(replies.len());
        let mut bytes = 0;
        for reply in replies {
            if !self.waiting.remove(&reply.id) {
                continue;
            }
            let reply = self.say(reply);
            bytes += reply.text.len() + reply.meta.as_ref().map_or(0, String::len);
            said.push(reply);
        }
        if bytes as u64 > self.run.limits.memory_bytes {
            return Err(Over::Stopped(Stopped::Memory));
        }
        if !said.is_empty() {
            link.send(Order::Replies(said));
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
    fn answer_forgotten(&mut self, link: &mut Link) {
        if self.waiting.is_empty() || !self.under_way.is_empty() {
            return;
        }
        let forgotten = std::mem::take(&mut self.waiting).into_iter().map(|id| {
            let error = ResultError::new(ErrorCode::Unknown, "the call was not answered");
            self.say(ScriptReply {
                id,
                result: Err(error),
            })
        });
        let forgotten = forgotten.collect();
        link.send(Order::Replies(forgotten));
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
            error.stack = trace::frames(self.run.script, stack);
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
                        ScriptError::new(kind, error.message.clone())
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
