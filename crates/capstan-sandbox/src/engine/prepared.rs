//! An engine in which nothing has run yet: made ahead of the order, because that takes longer than
//! most runs.

use std::rc::Rc;
use std::sync::OnceLock;
use std::time::Duration;

use capstan_core::code::Stopped;
use rquickjs::context::EvalOptions;
use rquickjs::module::WriteOptions;
use rquickjs::{Context, Ctx, Function, Module, Object, Persistent, Runtime};

use super::memory::{Memory, Metered};
use super::shared::{NoCall, Shared};
use super::{DEEPEST_RESULT, LARGEST_INPUT};
use crate::wire::Root;

/// The name under which frames of the user's code appear in stacks.
pub(crate) const CODE: &str = "code";
const HOST: &str = "capstan";

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
    let host: Object<'_> = host_script(ctx)?.call((natives(ctx, shared)?,))?;
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

/// The function that `host.js` is. It is compiled once for each process, which takes longer than all
/// the rest of an engine.
fn host_script<'js>(ctx: &Ctx<'js>) -> rquickjs::Result<Function<'js>> {
    static COMPILED: OnceLock<Vec<u8>> = OnceLock::new();
    let module = match COMPILED.get() {
        Some(compiled) => load(ctx, compiled)?,
        None => {
            let module = Module::declare(ctx.clone(), HOST, include_str!("host.js"))?;
            let compiled = module.write(WriteOptions::default())?;
            // If another thread was quicker, it wrote the same.
            let _ = COMPILED.set(compiled);
            module
        }
    };
    let (module, _done) = module.eval()?;
    module.get("default")
}

#[expect(unsafe_code, reason = "the engine does not check what was compiled")]
fn load<'js>(ctx: &Ctx<'js>, compiled: &'static [u8]) -> rquickjs::Result<Module<'js>> {
    // SAFETY: this engine compiled it, in this process; and it lives as long as that.
    unsafe { Module::load(ctx.clone(), compiled) }
}

/// What `host.js` alone can call.
fn natives<'js>(ctx: &Ctx<'js>, shared: &Rc<Shared>) -> rquickjs::Result<Object<'js>> {
    let natives = Object::new(ctx.clone())?;
    natives.set("LARGEST_INPUT", LARGEST_INPUT)?;
    natives.set("DEEPEST_RESULT", DEEPEST_RESULT)?;

    let run = Rc::clone(shared);
    let call = move |root: u8, path: String, input: String| -> i32 {
        let Some(root) = Root::parse(root) else {
            return -1;
        };
        let input = super::json::without_halves(input);
        match run.calls.borrow_mut().make(root, path, input) {
            Ok(id) => i32::try_from(id).unwrap_or(-1),
            Err(NoCall::TooLarge) => -1,
            Err(NoCall::TooMany) => {
                run.stop(Stopped::Calls);
                -1
            }
        }
    };
    natives.set("call", Function::new(ctx.clone(), call)?)?;

    let run = Rc::clone(shared);
    let room = move || run.console.borrow().room();
    natives.set("room", Function::new(ctx.clone(), room)?)?;

    let run = Rc::clone(shared);
    let log = move |level: usize, text: String| run.console.borrow_mut().write(level, text);
    natives.set("log", Function::new(ctx.clone(), log)?)?;

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
