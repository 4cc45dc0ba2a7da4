//! Reads TypeScript and returns everything that is known about it without running it.

use capstan_core::code::{Script, ScriptError, ScriptErrorKind, Stopped};
use oxc_allocator::Allocator;

use crate::source::{self, Lines};
use crate::{identity, reading, run};

/// The longest source that is read, in bytes.
pub const MAX_SOURCE_BYTES: usize = 256 * 1024;

/// Reads TypeScript: its identity, what it calls and which arguments it takes, and the JavaScript
/// to run.
///
/// The parser recurses as deep as the code nests. Code that would need more than 2 MiB of stack in
/// an unoptimised build is refused before parsing, as far as that can be known then.
///
/// Code that is only a function that nothing calls is refused: every run of it would fail.
pub fn read(source: &str) -> Result<Script, ScriptError> {
    read_as(source, run::Uncalled::Refuse)
}

/// Reads TypeScript like [`read`], but accepts a function that nothing calls.
pub fn read_uncalled(source: &str) -> Result<Script, ScriptError> {
    read_as(source, run::Uncalled::Allow)
}

fn read_as(source: &str, uncalled: run::Uncalled) -> Result<Script, ScriptError> {
    if source.len() > MAX_SOURCE_BYTES {
        return Err(too_long(source.len()));
    }
    let source = source.strip_prefix('\u{feff}').unwrap_or(source);
    let lines = Lines::from_text(source);
    source::check_nesting(source, &lines)?;

    let allocator = Allocator::default();
    let mut program = source::parse(&allocator, source, &lines)?;
    let (scoping, facts) = {
        let semantic = source::analyse(&program, &lines)?;
        source::check_supported(&program, semantic.scoping(), &lines)?;
        let facts = reading::find_facts(&program, semantic.scoping());
        (semantic.into_scoping(), facts)
    };
    run::return_last_value(&mut program, &allocator, &lines, uncalled)?;
    run::strip_types(&mut program, scoping, &allocator, &lines)?;
    let mentions = reading::mentions(&program);
    let run::PrintedCode {
        javascript,
        source_map,
    } = run::print(&mut program, &allocator, &lines);
    Ok(Script {
        hash: identity::hash(&mut program, &allocator),
        javascript,
        source_map,
        calls: facts.calls,
        parameters: facts.parameters,
        mentions,
    })
}

fn too_long(bytes: usize) -> ScriptError {
    ScriptError::new(
        ScriptErrorKind::Limit(Stopped::Source),
        format!(
            "the code has {bytes} bytes, at most {MAX_SOURCE_BYTES} are allowed: pass data as `args`, not as literals"
        ),
    )
}
