//! Whether a text matches a pattern.

use super::parse;
use super::program::Program;
use crate::budget::Budget;

/// The longest expressions that are read.
const LONGEST: usize = 1000;

/// Whether a text matches a pattern; nothing if the pattern is not read, or that costs too much.
pub(crate) fn matches(pattern: &str, text: &str, budget: &Budget) -> Option<bool> {
    if pattern.len() > LONGEST || !budget.spend(1 + pattern.len() / 8) {
        return None;
    }
    let program = Program::of(&parse::parse(pattern)?)?;
    // Which letters make words outside of ASCII is read in different ways.
    if program.has_word_edges() && !text.is_ascii() {
        return None;
    }
    let cost = program.len().saturating_mul(text.len() + 1) / 16;
    budget.spend(cost).then(|| program.matches(text))
}
