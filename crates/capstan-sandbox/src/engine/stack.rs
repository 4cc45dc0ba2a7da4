//! Stacks of errors, in positions of the TypeScript. They are built when an error is created, so
//! code that catches it reads the same positions as the caller. Also improves the engine's messages
//! where the text of the code shows more.

use std::cell::{OnceCell, RefCell};
use std::fmt::Write;
use std::rc::Rc;

use capstan_script::SourceMap;
use rquickjs::function::This;
use rquickjs::{Array, Ctx, Function, Object, Value};

use super::explain;
use super::prepared::CODE;
use super::shared::SharedState;

/// The file name in stacks.
pub(crate) const SHOWN_FILE: &str = "code.ts";

/// How many lines of the evaluated text precede the code.
const LINES_BEFORE: u32 = 1;

/// Extra stack while a stack is built, in bytes: the error may say that the engine's stack is full.
const EXTRA_STACK_BYTES: usize = 256 << 10;

/// The JavaScript that is run, and its source map.
#[derive(Default)]
pub(super) struct CodeSource {
    text: RefCell<CodeText>,
    places: OnceCell<Option<SourceMap>>,
}

#[derive(Default)]
struct CodeText {
    javascript: String,
    source_map: String,
}

/// A call site in the JavaScript. Line and column are counted from 1.
#[derive(Clone, Debug, PartialEq, Eq)]
struct CallSite {
    function: String,
    line: u32,
    column: u32,
}

impl CodeSource {
    pub(super) fn set(&self, javascript: &str, source_map: &str) {
        *self.text.borrow_mut() = CodeText {
            javascript: javascript.to_owned(),
            source_map: source_map.to_owned(),
        };
    }

    fn places(&self) -> Option<&SourceMap> {
        let places = self
            .places
            .get_or_init(|| SourceMap::parse(&self.text.borrow().source_map));
        places.as_ref()
    }

    fn line(&self, site: &CallSite) -> Option<String> {
        let text = self.text.borrow();
        let mut lines = text.javascript.split('\n');
        lines.nth(site.line as usize - 1).map(str::to_owned)
    }
}

/// Returns the function that the engine calls with each new error and its call sites. Its result
/// becomes the error's `stack`.
pub(super) fn stack_function<'js>(
    ctx: &Ctx<'js>,
    shared: &Rc<SharedState>,
) -> rquickjs::Result<Function<'js>> {
    let shared = Rc::clone(shared);
    let build = move |ctx: Ctx<'js>, error: Value<'js>, sites: Array<'js>| {
        let _extra = ExtraStack::new(&ctx, shared.stack_bytes.get());
        build_stack(&shared.source, &error, &sites)
    };
    Function::new(ctx.clone(), build)
}

fn build_stack<'js>(
    source: &CodeSource,
    error: &Value<'js>,
    sites: &Array<'js>,
) -> rquickjs::Result<String> {
    let mut frames = String::new();
    for (index, site) in sites.iter::<Object<'js>>().enumerate() {
        let site = site?;
        let file: Option<String> = call_getter(&site, "getFileName")?;
        let function: Option<String> = call_getter(&site, "getFunctionName")?;
        let function = function.filter(|name| !name.is_empty());
        if file.as_deref() != Some(CODE) {
            if index == 0 && file.is_none() {
                improve_message(error, |message| {
                    explain::explain_native(message, function.as_deref())
                })?;
            }
            continue;
        }
        let line: Option<u32> = call_getter(&site, "getLineNumber")?;
        let column: Option<u32> = call_getter(&site, "getColumnNumber")?;
        let line = line.and_then(|line| line.checked_sub(LINES_BEFORE));
        let (Some(line @ 1..), Some(column)) = (line, column) else {
            continue;
        };
        let site = CallSite {
            function: function.unwrap_or_else(|| "<anonymous>".to_owned()),
            line,
            column,
        };
        if index == 0 {
            improve_message(error, |message| {
                explain::explain_in_code(message, &source.line(&site)?, site.column as usize)
            })?;
        }
        let Some(place) = source.places().and_then(|it| it.original(line, column)) else {
            continue;
        };
        let name = &site.function;
        let _ = writeln!(
            frames,
            "    at {name} ({SHOWN_FILE}:{}:{})",
            place.line, place.column
        );
    }
    // The frames come first: they may improve the message.
    Ok(format!("{}\n{frames}", title(error)))
}

/// Returns the first line of a stack, such as `TypeError: x is not a function`.
fn title(error: &Value<'_>) -> String {
    let object = if error.is_error() {
        error.as_object()
    } else {
        None
    };
    let part = |name: &str| {
        // The property may be a getter of the user's code, which may throw.
        let part = object?.get::<_, Value<'_>>(name);
        if part.is_err() {
            let _ = error.ctx().catch();
        }
        part.ok()?.as_string()?.to_string().ok()
    };
    let name = part("name").unwrap_or_else(|| "Error".to_owned());
    match part("message").filter(|message| !message.is_empty()) {
        Some(message) => format!("{name}: {message}"),
        None => name,
    }
}

fn call_getter<'js, T: rquickjs::FromJs<'js>>(
    site: &Object<'js>,
    getter: &str,
) -> rquickjs::Result<Option<T>> {
    let method: Function<'js> = site.get(getter)?;
    let result: Value<'js> = method.call((This(site.clone()),))?;
    Ok(result.get::<T>().ok())
}

/// Gives the error a better message, if there is one.
fn improve_message(
    error: &Value<'_>,
    better: impl FnOnce(&str) -> Option<String>,
) -> rquickjs::Result<()> {
    if !error.is_error() {
        return Ok(());
    }
    let Some(error) = error.as_object() else {
        return Ok(());
    };
    let message: Value<'_> = error.get("message")?;
    let Some(message) = message.as_string().and_then(|it| it.to_string().ok()) else {
        return Ok(());
    };
    match better(&message) {
        Some(better) => error.set("message", better),
        None => Ok(()),
    }
}

/// Raises the engine's stack limit while it lives.
struct ExtraStack<'js> {
    ctx: Ctx<'js>,
    usual_bytes: usize,
}

impl<'js> ExtraStack<'js> {
    fn new(ctx: &Ctx<'js>, usual_bytes: usize) -> Self {
        let extra = Self {
            ctx: ctx.clone(),
            usual_bytes,
        };
        extra.set_limit(usual_bytes.saturating_add(EXTRA_STACK_BYTES));
        extra
    }

    #[expect(
        unsafe_code,
        reason = "the safe way locks the runtime, which is running"
    )]
    fn set_limit(&self, bytes: usize) {
        if self.usual_bytes == 0 {
            return;
        }
        // SAFETY: the context is alive, and so is its runtime. The call sets a number that the
        // engine compares with. The thread has more stack than the largest limit and this extra
        // together.
        unsafe {
            let runtime = rquickjs::qjs::JS_GetRuntime(self.ctx.as_raw().as_ptr());
            rquickjs::qjs::JS_SetMaxStackSize(runtime, bytes as rquickjs::qjs::size_t);
        }
    }
}

impl Drop for ExtraStack<'_> {
    fn drop(&mut self) {
        self.set_limit(self.usual_bytes);
    }
}
