//! From TypeScript to everything that is known about it without running it.

use capstan_core::code::{Script, ScriptError, ScriptErrorKind, Stopped};
use oxc_allocator::Allocator;

use crate::source::{self, Lines};
use crate::{identity, reading, run};

/// In bytes.
pub const LONGEST_SOURCE: usize = 256 * 1024;

/// Reads TypeScript: what it is, what it calls and takes, and the JavaScript to run.
///
/// It recurses as deep as the code nests. Code that would take more than 2 MiB of stack, unoptimised,
/// is refused before that, as far as it can be told without parsing.
///
/// Code that is a function which nothing calls is refused: every run of it would fail.
pub fn read(source: &str) -> Result<Script, ScriptError> {
    read_as(source, run::Uncalled::Refuse)
}

/// The same for code that may be a function which nothing calls.
pub fn read_uncalled(source: &str) -> Result<Script, ScriptError> {
    read_as(source, run::Uncalled::Allow)
}

fn read_as(source: &str, uncalled: run::Uncalled) -> Result<Script, ScriptError> {
    if source.len() > LONGEST_SOURCE {
        return Err(too_long(source.len()));
    }
    let source = source.strip_prefix('\u{feff}').unwrap_or(source);
    let lines = Lines::of_text(source);
    source::check_nesting(source, &lines)?;

    let allocator = Allocator::default();
    let mut program = source::parse(&allocator, source, &lines)?;
    let (scoping, found) = {
        let semantic = source::analyse(&program, &lines)?;
        source::refuse(&program, semantic.scoping(), &lines)?;
        let found = reading::find(&program, semantic.scoping());
        (semantic.into_scoping(), found)
    };
    run::return_last_value(&mut program, &allocator, &lines, uncalled)?;
    run::strip_types(&mut program, scoping, &allocator, &lines)?;
    let mentions = reading::mentions(&program);
    let run::Printed {
        javascript,
        source_map,
    } = run::print(&mut program, &allocator, &lines);
    Ok(Script {
        hash: identity::hash(&mut program, &allocator),
        javascript,
        source_map,
        calls: found.calls,
        parameters: found.parameters,
        mentions,
    })
}

fn too_long(bytes: usize) -> ScriptError {
    ScriptError::new(
        ScriptErrorKind::Limit(Stopped::Source),
        format!(
            "the code has {bytes} bytes, {LONGEST_SOURCE} are allowed: pass data as `args`, not as literals"
        ),
    )
}
