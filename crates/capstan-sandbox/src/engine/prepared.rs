//! An engine in which nothing has run yet: made ahead of the order, because that takes longer than
//! most runs.

use std::rc::Rc;
use std::time::Duration;

use capstan_core::code::Stopped;
use rquickjs::context::EvalOptions;
use rquickjs::{Context, Ctx, Function, Object, Persistent, Runtime};

use super::bounds::{DEEPEST_RESULT, LARGEST_INPUT};
use super::library::{HOST, library};
use super::memory::{Memory, Metered};
use super::pure::pure;
use super::shared::{NoCall, Shared};
use super::stack::stack_function;
use crate::wire::Root;

/// The name under which frames of the user's code appear in stacks.
pub(crate) const CODE: &str = "code";

pub(crate) struct Prepared {
    // In the order in which they have to go: what is kept of the engine before the engine.
    pub(super) host: HostFunctions,
    pub(super) shared: Rc<Shared>,
    pub(super) memory: Rc<Memory>,
    pub(super) context: Context,
    pub(super) runtime: Runtime,
}

type Kept = Persistent<Function<'static>>;

/// The functions of `host.js`.
pub(super) struct HostFunctions {
    pub(super) begin: Kept,
    pub(super) deliver: Kept,
    pub(super) fire: Kept,
    pub(super) show: Kept,
    pub(super) describe: Kept,
}

impl Prepared {
    pub(crate) fn new() -> rquickjs::Result<Self> {
        let memory = Memory::new();
        let runtime = Runtime::new_with_alloc(Metered(Rc::clone(&memory)))?;
        let context = Context::full(&runtime)?;
        let shared = Rc::new(Shared::default());

        let watched = Rc::clone(&shared);
        runtime.set_interrupt_handler(Some(Box::new(move || watched.must_stop())));
        let watched = Rc::clone(&shared);
        runtime.set_host_promise_rejection_tracker(Some(Box::new(
            move |ctx, promise, reason, handled| {
                let mut rejections = watched.rejections.borrow_mut();
                let promise = Persistent::save(&ctx, promise);
                if handled {
                    rejections.handled(&promise);
                } else {
                    rejections.rejected(promise, Persistent::save(&ctx, reason));
                }
            },
        )));

        let host = context.with(|ctx| set_up(&ctx, &shared))?;
        Ok(Self {
            host,
            shared,
            memory,
            context,
            runtime,
        })
    }
}

impl Prepared {
    /// Whether it was refused memory, even if the code went on.
    pub(crate) fn ran_out_of_memory(&self) -> bool {
        self.memory.refused()
    }
}

impl Drop for Prepared {
    fn drop(&mut self) {
        self.shared.rejections.borrow_mut().clear();
    }
}

pub(super) fn options(file: &str) -> EvalOptions {
    let mut options = EvalOptions::default();
    options.filename = Some(file.to_owned());
    options
}

fn set_up(ctx: &Ctx<'_>, shared: &Rc<Shared>) -> rquickjs::Result<HostFunctions> {
    let host: Object<'_> = HOST.load(ctx)?.call((natives(ctx, shared)?,))?;
    let keep = |name: &str| -> rquickjs::Result<Kept> {
        let function: Function<'_> = host.get(name)?;
        Ok(Persistent::save(ctx, function))
    };
    Ok(HostFunctions {
        begin: keep("begin")?,
        deliver: keep("deliver")?,
        fire: keep("fire")?,
        show: keep("show")?,
        describe: keep("describe")?,
    })
}

/// What stands for the number of a call that was not made.
const TOO_LARGE: i32 = -1;
const AFTER_THE_END: i32 = -2;

/// What `host.js` alone can call.
fn natives<'js>(ctx: &Ctx<'js>, shared: &Rc<Shared>) -> rquickjs::Result<Object<'js>> {
    let natives = Object::new(ctx.clone())?;
    natives.set("LARGEST_INPUT", LARGEST_INPUT)?;
    natives.set("DEEPEST_RESULT", DEEPEST_RESULT)?;
    natives.set("stack", stack_function(ctx, shared)?)?;
    let pure = |ctx: Ctx<'js>| pure(&ctx);
    natives.set("pure", Function::new(ctx.clone(), pure)?)?;
    let library = |ctx: Ctx<'js>, name: String| library(&ctx, &name);
    natives.set("library", Function::new(ctx.clone(), library)?)?;

    let run = Rc::clone(shared);
    let call = move |root: u8, path: String, input: String, timeout_ms: u32| -> i32 {
        if run.settled.get() {
            return AFTER_THE_END;
        }
        let Some(root) = Root::parse(root) else {
            return TOO_LARGE;
        };
        let input = super::json::without_halves(input);
        match run.calls.borrow_mut().make(root, path, input, timeout_ms) {
            Ok(id) => i32::try_from(id).unwrap_or(TOO_LARGE),
            Err(NoCall::TooLarge) => TOO_LARGE,
            Err(NoCall::TooMany) => {
                run.stop(Stopped::Calls);
                TOO_LARGE
            }
        }
    };
    natives.set("call", Function::new(ctx.clone(), call)?)?;

    let run = Rc::clone(shared);
    let abort = move |id: u32| run.calls.borrow_mut().abort(id);
    natives.set("abort", Function::new(ctx.clone(), abort)?)?;

    let run = Rc::clone(shared);
    let room = move || run.console.borrow().room();
    natives.set("room", Function::new(ctx.clone(), room)?)?;

    let run = Rc::clone(shared);
    let log = move |level: usize, text: String| run.console.borrow_mut().write(level, text);
    natives.set("log", Function::new(ctx.clone(), log)?)?;

    let run = Rc::clone(shared);
    let warn = move |call: u32, text: String| run.warnings.borrow_mut().add(call, text);
    natives.set("warn", Function::new(ctx.clone(), warn)?)?;

    let run = Rc::clone(shared);
    let unwarn = move |call: u32| run.warnings.borrow_mut().remove(call);
    natives.set("unwarn", Function::new(ctx.clone(), unwarn)?)?;

    let run = Rc::clone(shared);
    let timer = move |delay: u32| {
        let delay = Duration::from_millis(u64::from(delay));
        run.timers.borrow_mut().add(delay).unwrap_or(0)
    };
    natives.set("timer", Function::new(ctx.clone(), timer)?)?;

    let run = Rc::clone(shared);
    let clear = move |id: u32| run.timers.borrow_mut().clear(id);
    natives.set("clear", Function::new(ctx.clone(), clear)?)?;
    Ok(natives)
}
