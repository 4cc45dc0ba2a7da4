//! The scripts of the engine. Each is compiled once per process, when it is first needed: compiling
//! takes longer than everything else in the setup of an engine.

use std::sync::OnceLock;

use rquickjs::module::WriteOptions;
use rquickjs::{Ctx, Function, Module};

/// A script whose default export is a function.
pub(super) struct EngineScript {
    name: &'static str,
    text: &'static str,
    compiled: OnceLock<Vec<u8>>,
}

/// Sets up the environment of the code; loaded in every engine.
pub(super) static HOST: EngineScript = EngineScript::new(
    "capstan",
    concat!(
        include_str!("js/plain.js"),
        include_str!("js/console.js"),
        include_str!("js/host.js")
    ),
);

/// Loaded when code first uses them.
static LIBRARIES: [EngineScript; 2] = [
    EngineScript::new("capstan:web", include_str!("js/web.js")),
    EngineScript::new("capstan:intl", include_str!("js/intl.js")),
];

/// Returns the function that sets up the library with this name.
pub(super) fn library<'js>(ctx: &Ctx<'js>, name: &str) -> rquickjs::Result<Function<'js>> {
    let has_name = |script: &&EngineScript| script.name.strip_prefix("capstan:") == Some(name);
    match LIBRARIES.iter().find(has_name) {
        Some(script) => script.load(ctx),
        None => Err(rquickjs::Error::Unknown),
    }
}

impl EngineScript {
    const fn new(name: &'static str, text: &'static str) -> Self {
        Self {
            name,
            text,
            compiled: OnceLock::new(),
        }
    }

    /// Returns the function that the script exports.
    pub(super) fn load<'js>(&'static self, ctx: &Ctx<'js>) -> rquickjs::Result<Function<'js>> {
        let module = match self.compiled.get() {
            Some(compiled) => load_compiled(ctx, compiled)?,
            None => {
                let module = Module::declare(ctx.clone(), self.name, self.text)?;
                let compiled = module.write(WriteOptions::default())?;
                // If another thread was faster, it stored the same.
                let _ = self.compiled.set(compiled);
                module
            }
        };
        let (module, _done) = module.eval()?;
        module.get("default")
    }
}

#[expect(unsafe_code, reason = "the engine does not check what was compiled")]
fn load_compiled<'js>(ctx: &Ctx<'js>, compiled: &'static [u8]) -> rquickjs::Result<Module<'js>> {
    // SAFETY: this engine compiled the bytes, in this process, and they live as long as the
    // process.
    unsafe { Module::load(ctx.clone(), compiled) }
}
