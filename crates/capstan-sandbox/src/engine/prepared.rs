//! An engine in which nothing has run yet. It is created before the order arrives, because that
//! takes longer than most runs.

use std::rc::Rc;
use std::time::Duration;

use capstan_core::code::Stopped;
use rquickjs::context::EvalOptions;
use rquickjs::{Context, Ctx, Function, Object, Persistent, Runtime};

use super::bounds::{MAX_INPUT_BYTES, MAX_RESULT_DEPTH};
use super::library::{HOST, library};
use super::memory::{Memory, MeteredAllocator};
use super::pure::pure;
use super::shared::{CallRefusal, SharedState};
use super::stack::stack_function;
use crate::wire::CallRoot;

/// The file name of the user's code inside the engine.
pub(crate) const CODE: &str = "code";

pub(crate) struct PreparedEngine {
    // In drop order: handles into the engine go before the engine.
    pub(super) host: HostFunctions,
    pub(super) shared: Rc<SharedState>,
    pub(super) memory: Rc<Memory>,
    pub(super) context: Context,
    pub(super) runtime: Runtime,
}

type KeptFunction = Persistent<Function<'static>>;

/// The functions of `host.js`.
pub(super) struct HostFunctions {
    pub(super) begin: KeptFunction,
    pub(super) deliver: KeptFunction,
    pub(super) fire: KeptFunction,
    pub(super) show: KeptFunction,
    pub(super) describe: KeptFunction,
}

impl PreparedEngine {
    pub(crate) fn new() -> rquickjs::Result<Self> {
        let memory = Memory::new();
        let runtime = Runtime::new_with_alloc(MeteredAllocator(Rc::clone(&memory)))?;
        let context = Context::full(&runtime)?;
        let shared = Rc::new(SharedState::default());

        let state = Rc::clone(&shared);
        runtime.set_interrupt_handler(Some(Box::new(move || state.check_limits())));
        let state = Rc::clone(&shared);
        runtime.set_host_promise_rejection_tracker(Some(Box::new(
            move |ctx, promise, reason, handled| {
                let mut rejections = state.rejections.borrow_mut();
                let promise = Persistent::save(&ctx, promise);
                if handled {
                    rejections.record_handled(&promise);
                } else {
                    rejections.record_rejected(promise, Persistent::save(&ctx, reason));
                }
            },
        )));

        let host = context.with(|ctx| load_host(&ctx, &shared))?;
        Ok(Self {
            host,
            shared,
            memory,
            context,
            runtime,
        })
    }
}

impl PreparedEngine {
    /// Returns whether it was refused memory, even if the code went on.
    pub(crate) fn ran_out_of_memory(&self) -> bool {
        self.memory.was_refused()
    }
}

impl Drop for PreparedEngine {
    fn drop(&mut self) {
        self.shared.rejections.borrow_mut().clear();
    }
}

pub(super) fn eval_options(file: &str) -> EvalOptions {
    let mut options = EvalOptions::default();
    options.filename = Some(file.to_owned());
    options
}

fn load_host(ctx: &Ctx<'_>, shared: &Rc<SharedState>) -> rquickjs::Result<HostFunctions> {
    let host: Object<'_> = HOST.load(ctx)?.call((natives(ctx, shared)?,))?;
    let save = |name: &str| -> rquickjs::Result<KeptFunction> {
        let function: Function<'_> = host.get(name)?;
        Ok(Persistent::save(ctx, function))
    };
    Ok(HostFunctions {
        begin: save("begin")?,
        deliver: save("deliver")?,
        fire: save("fire")?,
        show: save("show")?,
        describe: save("describe")?,
    })
}

// Returned instead of the number of a call that was not made.
const TOO_LARGE: i32 = -1;
const ALREADY_SETTLED: i32 = -2;

/// Returns the functions that only `host.js` can call.
fn natives<'js>(ctx: &Ctx<'js>, shared: &Rc<SharedState>) -> rquickjs::Result<Object<'js>> {
    let natives = Object::new(ctx.clone())?;
    natives.set("LARGEST_INPUT", MAX_INPUT_BYTES)?;
    natives.set("DEEPEST_RESULT", MAX_RESULT_DEPTH)?;
    natives.set("stack", stack_function(ctx, shared)?)?;
    let pure = |ctx: Ctx<'js>| pure(&ctx);
    natives.set("pure", Function::new(ctx.clone(), pure)?)?;
    let library = |ctx: Ctx<'js>, name: String| library(&ctx, &name);
    natives.set("library", Function::new(ctx.clone(), library)?)?;

    let state = Rc::clone(shared);
    let call = move |root: u8, path: String, input: String, timeout_ms: u32| -> i32 {
        if state.is_settled.get() {
            return ALREADY_SETTLED;
        }
        let Some(root) = CallRoot::parse(root) else {
            return TOO_LARGE;
        };
        let input = super::json::replace_lone_surrogates(input);
        match state
            .calls
            .borrow_mut()
            .enqueue(root, path, input, timeout_ms)
        {
            Ok(id) => i32::try_from(id).unwrap_or(TOO_LARGE),
            Err(CallRefusal::TooLarge) => TOO_LARGE,
            Err(CallRefusal::TooMany) => {
                state.stop(Stopped::Calls);
                TOO_LARGE
            }
        }
    };
    natives.set("call", Function::new(ctx.clone(), call)?)?;

    let state = Rc::clone(shared);
    let abort = move |id: u32| state.calls.borrow_mut().abort(id);
    natives.set("abort", Function::new(ctx.clone(), abort)?)?;

    let state = Rc::clone(shared);
    let room = move || state.console.borrow().room_bytes();
    natives.set("room", Function::new(ctx.clone(), room)?)?;

    let state = Rc::clone(shared);
    let log = move |level: usize, text: String| state.console.borrow_mut().write(level, text);
    natives.set("log", Function::new(ctx.clone(), log)?)?;

    let state = Rc::clone(shared);
    let warn = move |call: u32, text: String| state.warnings.borrow_mut().add(call, text);
    natives.set("warn", Function::new(ctx.clone(), warn)?)?;

    let state = Rc::clone(shared);
    let unwarn = move |call: u32| state.warnings.borrow_mut().remove(call);
    natives.set("unwarn", Function::new(ctx.clone(), unwarn)?)?;

    let state = Rc::clone(shared);
    let timer = move |delay: u32| {
        let delay = Duration::from_millis(u64::from(delay));
        state.timers.borrow_mut().add(delay).unwrap_or(0)
    };
    natives.set("timer", Function::new(ctx.clone(), timer)?)?;

    let state = Rc::clone(shared);
    let clear = move |id: u32| state.timers.borrow_mut().clear(id);
    natives.set("clear", Function::new(ctx.clone(), clear)?)?;
    Ok(natives)
}
