//! Reading, and running what was read.

use capstan_core::code::{CallTarget, Place, Script, ScriptError};
use capstan_script::{SourceMap, read, read_uncalled};
use rquickjs::{CatchResultExt, CaughtError, Context, Promise, Runtime};
use serde_json::Value;

pub(crate) fn script(code: &str) -> Script {
    read_uncalled(code).unwrap_or_else(|error| panic!("{error} at {:?}: {code}", error.place))
}

pub(crate) fn refusal(code: &str) -> ScriptError {
    match read(code) {
        Ok(_) => panic!("it was read: {code}"),
        Err(error) => error,
    }
}

pub(crate) fn hash(code: &str) -> String {
    script(code).hash.to_string()
}

pub(crate) fn calls(code: &str) -> Vec<String> {
    let calls = script(code).calls.into_iter();
    let calls = calls.map(|call| match call {
        CallTarget::Capstan(id) => format!("capstan {id}"),
        CallTarget::Mcp { server, tool } => format!("mcp {server} {tool}"),
        CallTarget::Caps(name) => format!("caps {name}"),
    });
    calls.collect()
}

/// What code gives when it is run: JSON, or what was thrown and where.
pub(crate) fn run(code: &str) -> Result<Value, Thrown> {
    run_with(code, "{}")
}

#[derive(Debug, PartialEq)]
pub(crate) struct Thrown {
    pub(crate) message: String,
    /// Where in the TypeScript.
    pub(crate) place: Option<Place>,
}

/// As `run`, with globals given as JavaScript.
pub(crate) fn run_with(code: &str, args: &str) -> Result<Value, Thrown> {
    let script = script(code);
    let context = Context::full(&Runtime::new().unwrap()).unwrap();
    context.with(|ctx| {
        let setup = format!(
            "globalThis.args = {args}; globalThis.seen = [];
             globalThis.capstan = {{ issue: {{ view: async (x) => ({{ viewed: x }}), fail: async () => {{ throw new Error('failed') }} }} }};"
        );
        ctx.eval::<(), _>(setup).unwrap();
        let wrapped = format!(
            "(async () => {{ const it = await (async function () {{\n{}\n}})(); return JSON.stringify(it === undefined ? null : it) }})()",
            script.javascript
        );
        let promise: Promise<'_> = match ctx.eval(wrapped).catch(&ctx) {
            Ok(promise) => promise,
            Err(error) => panic!("{error}: {}", script.javascript),
        };
        match promise.finish::<String>().catch(&ctx) {
            Ok(text) => Ok(serde_json::from_str(&text).unwrap()),
            Err(error) => Err(thrown(&error, &script)),
        }
    })
}

fn thrown(error: &CaughtError<'_>, script: &Script) -> Thrown {
    let CaughtError::Exception(exception) = error else {
        return Thrown {
            message: error.to_string(),
            place: None,
        };
    };
    let stack = exception.stack().unwrap_or_default();
    let places = SourceMap::parse(&script.source_map).unwrap();
    // `    at name (eval_script:4:7)`: the first with a line is the innermost.
    let frame = stack.lines().find_map(|line| {
        let inner = line.trim().trim_end_matches(')');
        let mut parts = inner.rsplit(':');
        let column: u32 = parts.next()?.parse().ok()?;
        let line: u32 = parts.next()?.parse().ok()?;
        Some((line, column))
    });
    Thrown {
        message: exception.message().unwrap_or_default(),
        // One line stands before the code.
        place: frame.and_then(|(line, column)| places.original(line - 1, column)),
    }
}
