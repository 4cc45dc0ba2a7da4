//! Nesting that would exhaust the stack of a parser that recurses.

use capstan_core::code::ScriptError;

use super::Lines;

pub(crate) fn check(_source: &str, _lines: &Lines<'_>) -> Result<(), ScriptError> {
    Ok(())
}
