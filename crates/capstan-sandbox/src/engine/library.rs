//! The scripts of the engine. Each is compiled once for each process, when it is first needed: that
//! takes longer than all the rest of an engine.

use std::sync::OnceLock;

use rquickjs::module::WriteOptions;
use rquickjs::{Ctx, Function, Module};

/// A script whose default export is a function.
pub(super) struct Script {
    name: &'static str,
    text: &'static str,
    compiled: OnceLock<Vec<u8>>,
}

/// The world as code sees it: set up in every engine.
pub(super) static HOST: Script = Script::new(
    "capstan",
    concat!(
        include_str!("js/plain.js"),
        include_str!("js/console.js"),
        include_str!("js/host.js")
    ),
);

/// What is set up when code first uses it.
static LIBRARIES: [Script; 2] = [
    Script::new("capstan:web", include_str!("js/web.js")),
    Script::new("capstan:intl", include_str!("js/intl.js")),
];

/// The function that sets up the library with this name.
pub(super) fn library<'js>(ctx: &Ctx<'js>, name: &str) -> rquickjs::Result<Function<'js>> {
    let known = |script: &&Script| script.name.strip_prefix("capstan:") == Some(name);
    match LIBRARIES.iter().find(known) {
        Some(script) => script.load(ctx),
        None => Err(rquickjs::Error::Unknown),
    }
}

impl Script {
    const fn new(name: &'static str, text: &'static str) -> Self {
        Self {
            name,
            text,
            compiled: OnceLock::new(),
        }
    }

    /// The function that the script exports.
    pub(super) fn load<'js>(&'static self, ctx: &Ctx<'js>) -> rquickjs::Result<Function<'js>> {
        let module = match self.compiled.get() {
            Some(compiled) => load(ctx, compiled)?,
            None => {
                let module = Module::declare(ctx.clone(), self.name, self.text)?;
                let compiled = module.write(WriteOptions::default())?;
                // If another thread was quicker, it wrote the same.
                let _ = self.compiled.set(compiled);
                module
            }
        };
        let (module, _done) = module.eval()?;
        module.get("default")
    }
}

#[expect(unsafe_code, reason = "the engine does not check what was compiled")]
fn load<'js>(ctx: &Ctx<'js>, compiled: &'static [u8]) -> rquickjs::Result<Module<'js>> {
    // SAFETY: this engine compiled it, in this process; and it lives as long as that.
    unsafe { Module::load(ctx.clone(), compiled) }
}
