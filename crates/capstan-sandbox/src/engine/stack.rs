//! Stacks of errors, in places of the TypeScript: made when an error is made, so that code that catches
//! it reads the same places as whoever is told of it. Also says more than the engine does about what
//! went wrong, where the text of the code shows it.

use std::cell::{OnceCell, RefCell};
use std::fmt::Write;
use std::rc::Rc;

use capstan_script::Places;
use rquickjs::function::This;
use rquickjs::{Array, Ctx, Function, Object, Value};

use super::explain;
use super::prepared::CODE;
use super::shared::Shared;

/// What stands in the stacks instead of a file.
pub(crate) const SHOWN: &str = "code.ts";

/// The line of the engine's text on which the code begins.
const LINES_BEFORE: u32 = 1;

/// The engine's own stack may be full when an error is made of that; this much more is there to say so.
const TO_TELL: usize = 256 << 10;

/// The text that is run, and the way back from its places.
#[derive(Default)]
pub(super) struct Source {
    text: RefCell<Text>,
    places: OnceCell<Option<Places>>,
}

#[derive(Default)]
struct Text {
    javascript: String,
    source_map: String,
}

/// Where the engine is, in its own terms: line and column are those of the JavaScript, from 1.
#[derive(Clone, Debug, PartialEq, Eq)]
struct Site {
    function: String,
    line: u32,
    column: u32,
}

impl Source {
    pub(super) fn set(&self, javascript: &str, source_map: &str) {
        *self.text.borrow_mut() = Text {
            javascript: javascript.to_owned(),
            source_map: source_map.to_owned(),
        };
    }

    fn places(&self) -> Option<&Places> {
        let places = self
            .places
            .get_or_init(|| Places::parse(&self.text.borrow().source_map));
        places.as_ref()
    }

    fn line(&self, site: &Site) -> Option<String> {
        let text = self.text.borrow();
        let mut lines = text.javascript.split('\n');
        lines.nth(site.line as usize - 1).map(str::to_owned)
    }
}

/// The function that the engine calls with each new error and where it was made. What it returns is the
/// error's `stack`.
pub(super) fn stack_function<'js>(
    ctx: &Ctx<'js>,
    shared: &Rc<Shared>,
) -> rquickjs::Result<Function<'js>> {
    let shared = Rc::clone(shared);
    let stack = move |ctx: Ctx<'js>, error: Value<'js>, sites: Array<'js>| {
        let _room = Room::make(&ctx, shared.stack_bytes.get());
        stack(&shared.source, &error, &sites)
    };
    Function::new(ctx.clone(), stack)
}

fn stack<'js>(source: &Source, error: &Value<'js>, sites: &Array<'js>) -> rquickjs::Result<String> {
    let mut frames = String::new();
    for (index, site) in sites.iter::<Object<'js>>().enumerate() {
        let site = site?;
        let file: Option<String> = ask(&site, "getFileName")?;
        let function: Option<String> = ask(&site, "getFunctionName")?;
        let function = function.filter(|name| !name.is_empty());
        if file.as_deref() != Some(CODE) {
            if index == 0 && file.is_none() {
                say_more(error, |message| {
                    explain::within_native(message, function.as_deref())
                })?;
            }
            continue;
        }
        let line: Option<u32> = ask(&site, "getLineNumber")?;
        let column: Option<u32> = ask(&site, "getColumnNumber")?;
        let line = line.and_then(|line| line.checked_sub(LINES_BEFORE));
        let (Some(line @ 1..), Some(column)) = (line, column) else {
            continue;
        };
        let site = Site {
            function: function.unwrap_or_else(|| "<anonymous>".to_owned()),
            line,
            column,
        };
        if index == 0 {
            say_more(error, |message| {
                explain::in_code(message, &source.line(&site)?, site.column as usize)
            })?;
        }
        let Some(place) = source.places().and_then(|it| it.original(line, column)) else {
            continue;
        };
        let name = &site.function;
        let _ = writeln!(
            frames,
            "    at {name} ({SHOWN}:{}:{})",
            place.line, place.column
        );
    }
    // Frames first: they may improve the message.
    Ok(format!("{}\n{frames}", title(error)))
}

/// The first line of a stack, as `TypeError: x is not a function`.
fn title(error: &Value<'_>) -> String {
    let object = if error.is_error() {
        error.as_object()
    } else {
        None
    };
    let part = |name: &str| {
        // User code may be behind it, and may throw.
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

fn ask<'js, T: rquickjs::FromJs<'js>>(
    site: &Object<'js>,
    what: &str,
) -> rquickjs::Result<Option<T>> {
    let method: Function<'js> = site.get(what)?;
    let said: Value<'js> = method.call((This(site.clone()),))?;
    Ok(said.get::<T>().ok())
}

/// Gives the error a better message, if there is one.
fn say_more(
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

/// More room on the engine's stack while it lives.
struct Room<'js> {
    ctx: Ctx<'js>,
    usual: usize,
}

impl<'js> Room<'js> {
    fn make(ctx: &Ctx<'js>, usual: usize) -> Self {
        let room = Self {
            ctx: ctx.clone(),
            usual,
        };
        room.set(usual.saturating_add(TO_TELL));
        room
    }

    #[expect(
        unsafe_code,
        reason = "the safe way locks the runtime, which is running"
    )]
    fn set(&self, bytes: usize) {
        if self.usual == 0 {
            return;
        }
        // SAFETY: the context is alive, and so is its runtime; the call sets a number that the engine
        // compares with. The thread has more stack than the largest limit and this together.
        unsafe {
            let runtime = rquickjs::qjs::JS_GetRuntime(self.ctx.as_raw().as_ptr());
            rquickjs::qjs::JS_SetMaxStackSize(runtime, bytes as rquickjs::qjs::size_t);
        }
    }
}

impl Drop for Room<'_> {
    fn drop(&mut self) {
        self.set(self.usual);
    }
}
