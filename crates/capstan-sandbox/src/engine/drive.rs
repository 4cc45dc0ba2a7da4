//! Drives one run from its order to its end: jobs, calls, answers, timers.

use std::time::Duration;

use capstan_core::code::Stopped;
use rquickjs::promise::PromiseState;
use rquickjs::{CatchResultExt, CaughtError, Ctx, Function, Object, Persistent, Promise, Value};

use super::bounds::{MAX_RESULT_DEPTH, MAX_STACK_BYTES};
use super::prepared::{CODE, PreparedEngine, eval_options};
use super::{Channel, Received, json};
use crate::wire::{Ended, Order, Reply, Report, RunOrder, ThrownError, Verdict, Waiting};

/// Runs the code and reports what it calls; `None` when nobody listens any more.
pub(crate) fn run(
    engine: &PreparedEngine,
    order: &RunOrder,
    channel: &mut dyn Channel,
) -> Option<Ended> {
    let limits = &order.limits;
    let stack = limits.stack_bytes.min(MAX_STACK_BYTES);
    engine.memory.set_limit(limits.memory_bytes);
    let stack = usize::try_from(stack).unwrap_or(usize::MAX).max(1);
    engine.runtime.set_max_stack_size(stack);
    engine.shared.stack_bytes.set(stack);
    engine
        .shared
        .source
        .set(&order.javascript, &order.source_map);
    engine.shared.start_budget(limits, order.deadline);

    let run = EngineRun { engine, order };
    let verdict = run.drive(channel)?;
    let was_stopped = matches!(&verdict, Verdict::Limit { .. } | Verdict::Broken(_));
    let mut console = engine.shared.console.borrow_mut();
    Some(Ended {
        verdict,
        console: console.take(),
        console_cut: console.is_cut,
        warnings: engine.shared.warnings.borrow_mut().take(),
        cpu_us: u64::try_from(engine.shared.cpu_used().as_micros()).unwrap_or(u64::MAX),
        memory_bytes: engine.memory.peak().min(limits.memory_bytes),
        // An engine that was stopped midway may crash while it is freed, and the next run would be
        // blamed for it.
        is_last: was_stopped || engine.ran_out_of_memory(),
    })
}

struct EngineRun<'a> {
    engine: &'a PreparedEngine,
    order: &'a RunOrder,
}

type KeptPromise = Persistent<Promise<'static>>;

impl EngineRun<'_> {
    fn drive(&self, channel: &mut dyn Channel) -> Option<Verdict> {
        let main = match self.engine.context.with(|ctx| self.begin(&ctx)) {
            Ok(main) => main,
            Err(verdict) => return Some(verdict),
        };
        let mut settled = None;
        loop {
            if let Err(verdict) = self.run_jobs() {
                return Some(self.with_stack(verdict, &main));
            }
            if settled.is_none() {
                settled = self
                    .engine
                    .context
                    .with(|ctx| self.settled_verdict(&ctx, &main));
                // Reading the result runs code, which may have queued jobs.
                if settled.is_some() {
                    continue;
                }
            }
            if let Some(which) = self.engine.shared.stopped() {
                let verdict = Verdict::Limit {
                    which,
                    stack: String::new(),
                };
                return Some(self.with_stack(verdict, &main));
            }
            if settled.is_some() {
                // The code has its result. It starts nothing more, and only its writes are waited
                // for.
                self.engine.shared.is_settled.set(true);
                self.engine.shared.timers.borrow_mut().clear_all();
            }
            let has_pending = self.engine.shared.calls.borrow().has_pending();
            let timer = self.engine.shared.timers.borrow().until_next();
            match settled.take() {
                Some(verdict) if !has_pending => return Some(self.or_unhandled_rejection(verdict)),
                Some(verdict) => settled = Some(verdict),
                None if !has_pending && timer.is_none() => {
                    return Some(self.or_unhandled_rejection(Verdict::Stuck));
                }
                None => {}
            }
            self.report_waiting(channel, timer, settled.is_some())?;
            self.wait_for_order(channel)?;
        }
    }

    /// Starts the code and returns its promise.
    fn begin(&self, ctx: &Ctx<'_>) -> Result<KeptPromise, Verdict> {
        let begun = (|| {
            let begin = self.engine.host.begin.clone().restore(ctx)?;
            begin.call::<_, ()>((self.order.args.as_str(),))
        })();
        begun
            .catch(ctx)
            .map_err(|error| self.verdict_for_caught(ctx, error))?;
        // The code starts on a line of its own; `stack::LINES_BEFORE` counts it.
        let source = format!("(async function () {{\n{}\n}})", self.order.javascript);
        let main: Function<'_> = ctx
            .eval_with_options(source, eval_options(CODE))
            .catch(ctx)
            .map_err(|error| match self.verdict_for_caught(ctx, error) {
                Verdict::Threw(error) => Verdict::Syntax {
                    message: error.message,
                    stack: error.stack,
                },
                other => other,
            })?;
        let promise: Promise<'_> = main
            .call(())
            .catch(ctx)
            .map_err(|error| self.verdict_for_caught(ctx, error))?;
        Ok(Persistent::save(ctx, promise))
    }

    /// Runs jobs until there are none.
    fn run_jobs(&self) -> Result<(), Verdict> {
        let shared = &self.engine.shared;
        loop {
            if let Some(which) = shared.stopped() {
                return Err(Verdict::Limit {
                    which,
                    stack: String::new(),
                });
            }
            match self.engine.runtime.execute_pending_job() {
                Ok(true) => {}
                Ok(false) => return Ok(()),
                // A promise job throws only when the engine has no resources left.
                Err(failed) => {
                    return Err(failed.0.with(|ctx| {
                        let thrown = ctx.catch();
                        self.verdict_for_thrown(&ctx, thrown)
                    }));
                }
            }
            shared.record_job();
        }
    }

    /// Returns the verdict if the code's promise has settled.
    fn settled_verdict(&self, ctx: &Ctx<'_>, main: &KeptPromise) -> Option<Verdict> {
        let main = main.clone().restore(ctx).ok()?;
        let result = main.result::<Value<'_>>()?;
        // A rejection of this promise is handled here.
        let promise = Persistent::save(ctx, main.into_value());
        self.engine
            .shared
            .rejections
            .borrow_mut()
            .record_handled(&promise);
        Some(match result.catch(ctx) {
            Ok(value) => self.verdict_for_value(ctx, value),
            Err(error) => self.verdict_for_caught(ctx, error),
        })
    }

    fn verdict_for_value<'js>(&self, ctx: &Ctx<'js>, value: Value<'js>) -> Verdict {
        let max_bytes = self.order.limits.output_bytes;
        let too_large = || Verdict::Limit {
            which: Stopped::Output,
            stack: String::new(),
        };
        let shown = (|| {
            let show = self.engine.host.show.clone().restore(ctx)?;
            // The length in the engine is at most the length in bytes.
            #[expect(
                clippy::cast_precision_loss,
                reason = "JavaScript has no other numbers"
            )]
            let shown: Object<'_> = show.call((value, max_bytes as f64))?;
            let flaw: String = shown.get("flaw")?;
            if !flaw.is_empty() {
                return Ok(Verdict::NotJson(flaw));
            }
            if shown.get("large")? {
                return Ok(too_large());
            }
            let text: String = shown.get("text")?;
            if text.len() as u64 > max_bytes {
                return Ok(too_large());
            }
            if json::depth(&text) > MAX_RESULT_DEPTH {
                let flaw = format!("something nested deeper than {MAX_RESULT_DEPTH} levels");
                return Ok(Verdict::NotJson(flaw));
            }
            Ok(Verdict::Value(json::replace_lone_surrogates(text)))
        })();
        shown
            .catch(ctx)
            .unwrap_or_else(|error| self.verdict_for_caught(ctx, error))
    }

    fn verdict_for_caught<'js>(&self, ctx: &Ctx<'js>, error: CaughtError<'js>) -> Verdict {
        match error {
            CaughtError::Exception(exception) => {
                self.verdict_for_thrown(ctx, exception.into_value())
            }
            CaughtError::Value(value) => self.verdict_for_thrown(ctx, value),
            CaughtError::Error(error) => Verdict::Broken(error.to_string()),
        }
    }

    /// Describes what was thrown. It may be anything, and looking at it may run code.
    fn verdict_for_thrown<'js>(&self, ctx: &Ctx<'js>, thrown: Value<'js>) -> Verdict {
        let description = self.describe(ctx, thrown);
        if let Some(which) = self.engine.shared.stopped() {
            let stack = description
                .map(|(_, error)| error.stack)
                .unwrap_or_default();
            return Verdict::Limit { which, stack };
        }
        match description {
            Ok((Some(which), error)) => Verdict::Limit {
                which,
                stack: error.stack,
            },
            // Where there is no memory for an error, the engine throws null instead.
            Ok((None, error)) if error.name == "null" && self.engine.memory.was_refused() => {
                Verdict::Limit {
                    which: Stopped::Memory,
                    stack: error.stack,
                }
            }
            Ok((None, error)) => Verdict::Threw(error),
            Err(_) => {
                let _ = ctx.catch();
                self.indescribable_verdict()
            }
        }
    }

    fn describe<'js>(
        &self,
        ctx: &Ctx<'js>,
        thrown: Value<'js>,
    ) -> rquickjs::Result<(Option<Stopped>, ThrownError)> {
        let describe = self.engine.host.describe.clone().restore(ctx)?;
        let description: Object<'_> = describe.call((thrown,))?;
        let limit: String = description.get("limit")?;
        let call: u32 = description.get("call")?;
        let error = ThrownError {
            name: description.get("name")?,
            message: description.get("message")?,
            stack: description.get("stack")?,
            call: (call > 0).then_some(call),
        };
        let which = match limit.as_str() {
            "memory" => Some(Stopped::Memory),
            "stack" => Some(Stopped::Stack),
            _ => None,
        };
        Ok((which, error))
    }

    /// Returns the verdict if the host could not even describe what was thrown.
    fn indescribable_verdict(&self) -> Verdict {
        if self.engine.memory.was_refused() {
            return Verdict::Limit {
                which: Stopped::Memory,
                stack: String::new(),
            };
        }
        Verdict::Threw(ThrownError {
            name: "Error".to_owned(),
            message: "the code threw something that cannot be described".to_owned(),
            stack: String::new(),
            call: None,
        })
    }

    /// Adds where the code was when it was stopped, if its promise knows.
    fn with_stack(&self, verdict: Verdict, main: &KeptPromise) -> Verdict {
        match verdict {
            Verdict::Limit { which, stack } if stack.is_empty() => {
                let stack = self.engine.context.with(|ctx| {
                    let main = main.clone().restore(&ctx).ok()?;
                    if main.state() != PromiseState::Rejected {
                        return None;
                    }
                    main.result::<Value<'_>>();
                    Some(self.describe(&ctx, ctx.catch()).ok()?.1.stack)
                });
                Verdict::Limit {
                    which,
                    stack: stack.unwrap_or_default(),
                }
            }
            other => other,
        }
    }

    /// Returns the first unhandled rejection instead of a value or of `Stuck`: it says more about
    /// what went wrong.
    fn or_unhandled_rejection(&self, verdict: Verdict) -> Verdict {
        if !matches!(verdict, Verdict::Value(_) | Verdict::Stuck) {
            return verdict;
        }
        let first_reason = self.engine.shared.rejections.borrow().first_unhandled();
        let Some(reason) = first_reason else {
            return verdict;
        };
        self.engine.context.with(|ctx| match reason.restore(&ctx) {
            Ok(reason) => self.verdict_for_thrown(&ctx, reason),
            Err(error) => Verdict::Broken(error.to_string()),
        })
    }

    /// Reports all calls since the last report together.
    fn report_waiting(
        &self,
        channel: &mut dyn Channel,
        timer: Option<Duration>,
        settled: bool,
    ) -> Option<()> {
        let mut calls = self.engine.shared.calls.borrow_mut();
        let waiting = Waiting {
            console: self.engine.shared.console.borrow_mut().take(),
            calls: calls.take(),
            aborted: calls.take_aborted(),
            timer,
            settled,
            memory_bytes: self.engine.memory.used(),
        };
        channel
            .send(Report::Waiting(Box::new(waiting)).into_bytes())
            .then_some(())
    }

    /// Waits for the next order and fires the timers that are due. The order also means that the
    /// code may continue.
    fn wait_for_order(&self, channel: &mut dyn Channel) -> Option<()> {
        let Received::Frame(body) = channel.receive() else {
            return None;
        };
        match Order::parse(&body)? {
            Order::Replies(replies) => {
                for reply in replies {
                    self.deliver(reply);
                }
            }
            Order::Forget(calls) => {
                let mut known = self.engine.shared.calls.borrow_mut();
                for id in calls {
                    known.remove_pending(id);
                }
            }
            Order::Wake => {}
            Order::Stop => self.engine.shared.stop(Stopped::Wall),
            Order::Read(_) | Order::Run(_) => return None,
        }
        loop {
            let due = self.engine.shared.timers.borrow_mut().take_due();
            let Some(id) = due else {
                return Some(());
            };
            self.call_host(|ctx| self.engine.host.fire.clone().restore(ctx)?.call((id,)));
        }
    }

    fn deliver(&self, reply: Reply) {
        if !self
            .engine
            .shared
            .calls
            .borrow_mut()
            .remove_pending(reply.id)
        {
            return;
        }
        self.call_host(|ctx| {
            let deliver = self.engine.host.deliver.clone().restore(ctx)?;
            deliver.call((reply.id, reply.ok, reply.text, reply.meta))
        });
    }

    /// Calls a host function, which throws only when the engine has no resources left.
    fn call_host(&self, call: impl FnOnce(&Ctx<'_>) -> rquickjs::Result<()>) {
        self.engine.context.with(|ctx| {
            if call(&ctx).is_err() {
                let _ = ctx.catch();
                self.engine.shared.stop(Stopped::Memory);
            }
        });
    }
}
