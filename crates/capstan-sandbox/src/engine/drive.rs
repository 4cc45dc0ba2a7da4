//! Drives one run from its order to its end: jobs, calls, answers, timers.

use std::time::Duration;

use capstan_core::code::Stopped;
use rquickjs::promise::PromiseState;
use rquickjs::{CatchResultExt, CaughtError, Ctx, Function, Object, Persistent, Promise, Value};

use super::bounds::{DEEPEST_RESULT, LARGEST_STACK};
use super::prepared::{CODE, Prepared, options};
use super::{Channel, Received, json};
use crate::wire::{Ended, ErrorSaid, Order, ReplySaid, Report, RunOrder, Verdict, Waiting};

/// Runs the code and reports what it calls; `None` when nobody listens any more.
pub(crate) fn run(engine: &Prepared, order: &RunOrder, channel: &mut dyn Channel) -> Option<Ended> {
    let limits = &order.limits;
    let stack = limits.stack_bytes.min(LARGEST_STACK);
    engine.memory.limit(limits.memory_bytes);
    let stack = usize::try_from(stack).unwrap_or(usize::MAX).max(1);
    engine.runtime.set_max_stack_size(stack);
    engine.shared.stack_bytes.set(stack);
    engine
        .shared
        .source
        .set(&order.javascript, &order.source_map);
    engine.shared.arm(limits, order.deadline);

    let run = Run { engine, order };
    let verdict = run.drive(channel)?;
    let stopped = matches!(&verdict, Verdict::Limit { .. } | Verdict::Broken(_));
    let mut console = engine.shared.console.borrow_mut();
    Some(Ended {
        verdict,
        console: console.take(),
        console_cut: console.cut,
        warnings: engine.shared.warnings.borrow_mut().take(),
        cpu_us: u64::try_from(engine.shared.cpu_used().as_micros()).unwrap_or(u64::MAX),
        memory_bytes: engine.memory.most().min(limits.memory_bytes),
        // An engine that was stopped midway may not clean up well, and an end by that would be blamed
        // on the run that comes next.
        last: stopped || engine.ran_out_of_memory(),
    })
}

struct Run<'a> {
    engine: &'a Prepared,
    order: &'a RunOrder,
}

type KeptPromise = Persistent<Promise<'static>>;

impl Run<'_> {
    fn drive(&self, channel: &mut dyn Channel) -> Option<Verdict> {
        let main = match self.engine.context.with(|ctx| self.begin(&ctx)) {
            Ok(main) => main,
            Err(verdict) => return Some(verdict),
        };
        let mut settled = None;
        loop {
            if let Err(verdict) = self.work() {
                return Some(self.with_stack(verdict, &main));
            }
            if settled.is_none() {
                settled = self.engine.context.with(|ctx| self.outcome(&ctx, &main));
                // Reading the result runs code, which may have left work behind.
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
                // The code has its result: it begins nothing more, and only what it wrote is waited for.
                self.engine.shared.settled.set(true);
                self.engine.shared.timers.borrow_mut().forget();
            }
            let pending = self.engine.shared.calls.borrow().any_pending();
            let timer = self.engine.shared.timers.borrow().next();
            match settled.take() {
                Some(verdict) if !pending => return Some(self.unless_unhandled(verdict)),
                Some(verdict) => settled = Some(verdict),
                None if !pending && timer.is_none() => {
                    return Some(self.unless_unhandled(Verdict::Stuck));
                }
                None => {}
            }
            self.report_waiting(channel, timer, settled.is_some())?;
            self.wait(channel)?;
        }
    }

    /// Starts the code; its promise.
    fn begin(&self, ctx: &Ctx<'_>) -> Result<KeptPromise, Verdict> {
        let begun = (|| {
            let begin = self.engine.host.begin.clone().restore(ctx)?;
            begin.call::<_, ()>((self.order.args.as_str(),))
        })();
        begun.catch(ctx).map_err(|error| self.caught(ctx, error))?;
        // The code starts on a line of its own, which `trace` knows.
        let source = format!("(async function () {{\n{}\n}})", self.order.javascript);
        let main: Function<'_> = ctx
            .eval_with_options(source, options(CODE))
            .catch(ctx)
            .map_err(|error| match self.caught(ctx, error) {
                Verdict::Threw(error) => Verdict::Syntax {
                    message: error.message,
                    stack: error.stack,
                },
                other => other,
            })?;
        let promise: Promise<'_> = main
            .call(())
            .catch(ctx)
            .map_err(|error| self.caught(ctx, error))?;
        Ok(Persistent::save(ctx, promise))
    }

    /// Runs jobs until there are none.
    fn work(&self) -> Result<(), Verdict> {
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
                // A job of promises throws only when the engine itself is at its end.
                Err(failed) => {
                    return Err(failed.0.with(|ctx| {
                        let thrown = ctx.catch();
                        self.thrown(&ctx, thrown)
                    }));
                }
            }
            shared.job_ran();
        }
    }

    /// What the code's promise has become, if it has.
    fn outcome(&self, ctx: &Ctx<'_>, main: &KeptPromise) -> Option<Verdict> {
        let main = main.clone().restore(ctx).ok()?;
        let result = main.result::<Value<'_>>()?;
        // It is handled here.
        let promise = Persistent::save(ctx, main.into_value());
        self.engine.shared.rejections.borrow_mut().handled(&promise);
        Some(match result.catch(ctx) {
            Ok(value) => self.shown(ctx, value),
            Err(error) => self.caught(ctx, error),
        })
    }

    fn shown<'js>(&self, ctx: &Ctx<'js>, value: Value<'js>) -> Verdict {
        let largest = self.order.limits.output_bytes;
        let over = || Verdict::Limit {
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
            let shown: Object<'_> = show.call((value, largest as f64))?;
            let flaw: String = shown.get("flaw")?;
            if !flaw.is_empty() {
                return Ok(Verdict::NotJson(flaw));
            }
            if shown.get("large")? {
                return Ok(over());
            }
            let text: String = shown.get("text")?;
            if text.len() as u64 > largest {
                return Ok(over());
            }
            if json::depth(&text) > DEEPEST_RESULT {
                let flaw = format!("something nested deeper than {DEEPEST_RESULT} levels");
                return Ok(Verdict::NotJson(flaw));
            }
            Ok(Verdict::Value(json::without_halves(text)))
        })();
        shown
            .catch(ctx)
            .unwrap_or_else(|error| self.caught(ctx, error))
    }

    fn caught<'js>(&self, ctx: &Ctx<'js>, error: CaughtError<'js>) -> Verdict {
        match error {
            CaughtError::Exception(exception) => self.thrown(ctx, exception.into_value()),
            CaughtError::Value(value) => self.thrown(ctx, value),
            CaughtError::Error(error) => Verdict::Broken(error.to_string()),
        }
    }

    /// What was thrown, in words. It may be anything, and looking at it may run code.
    fn thrown<'js>(&self, ctx: &Ctx<'js>, thrown: Value<'js>) -> Verdict {
        let said = self.describe(ctx, thrown);
        if let Some(which) = self.engine.shared.stopped() {
            let stack = said.map(|(_, error)| error.stack).unwrap_or_default();
            return Verdict::Limit { which, stack };
        }
        match said {
            Ok((Some(which), error)) => Verdict::Limit {
                which,
                stack: error.stack,
            },
            // Where there was no room to make an error, null is thrown instead of it.
            Ok((None, error)) if error.name == "null" && self.engine.memory.refused() => {
                Verdict::Limit {
                    which: Stopped::Memory,
                    stack: error.stack,
                }
            }
            Ok((None, error)) => Verdict::Threw(error),
            Err(_) => {
                let _ = ctx.catch();
                self.unspeakable()
            }
        }
    }

    fn describe<'js>(
        &self,
        ctx: &Ctx<'js>,
        thrown: Value<'js>,
    ) -> rquickjs::Result<(Option<Stopped>, ErrorSaid)> {
        let describe = self.engine.host.describe.clone().restore(ctx)?;
        let said: Object<'_> = describe.call((thrown,))?;
        let limit: String = said.get("limit")?;
        let call: u32 = said.get("call")?;
        let error = ErrorSaid {
            name: said.get("name")?,
            message: said.get("message")?,
            stack: said.get("stack")?,
            call: (call > 0).then_some(call),
        };
        let which = match limit.as_str() {
            "memory" => Some(Stopped::Memory),
            "stack" => Some(Stopped::Stack),
            _ => None,
        };
        Ok((which, error))
    }

    /// The host could not even say what was thrown.
    fn unspeakable(&self) -> Verdict {
        if self.engine.memory.refused() {
            return Verdict::Limit {
                which: Stopped::Memory,
                stack: String::new(),
            };
        }
        Verdict::Threw(ErrorSaid {
            name: "Error".to_owned(),
            message: "the code threw something that cannot be described".to_owned(),
            stack: String::new(),
            call: None,
        })
    }

    /// Where the code was when it was stopped, if its promise knows.
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

    /// A rejection that nobody handled is an error of the run, and tells more than that it is stuck.
    fn unless_unhandled(&self, verdict: Verdict) -> Verdict {
        if !matches!(verdict, Verdict::Value(_) | Verdict::Stuck) {
            return verdict;
        }
        let first = self.engine.shared.rejections.borrow().first();
        let Some(reason) = first else {
            return verdict;
        };
        self.engine.context.with(|ctx| match reason.restore(&ctx) {
            Ok(reason) => self.thrown(&ctx, reason),
            Err(error) => Verdict::Broken(error.to_string()),
        })
    }

    /// Everything that was called since the last time leaves together.
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

    /// Waits for the next order, which also says when a timer is due: whoever gives it has decided that
    /// the code may go on.
    fn wait(&self, channel: &mut dyn Channel) -> Option<()> {
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
                    known.answered(id);
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
            self.host(|ctx| self.engine.host.fire.clone().restore(ctx)?.call((id,)));
        }
    }

    fn deliver(&self, reply: ReplySaid) {
        if !self.engine.shared.calls.borrow_mut().answered(reply.id) {
            return;
        }
        self.host(|ctx| {
            let deliver = self.engine.host.deliver.clone().restore(ctx)?;
            deliver.call((reply.id, reply.ok, reply.text, reply.meta))
        });
    }

    /// Calls a function of the host that does not throw unless the engine is at its end.
    fn host(&self, call: impl FnOnce(&Ctx<'_>) -> rquickjs::Result<()>) {
        self.engine.context.with(|ctx| {
            if call(&ctx).is_err() {
                let _ = ctx.catch();
                self.engine.shared.stop(Stopped::Memory);
            }
        });
    }
}
