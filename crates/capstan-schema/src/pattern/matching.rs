//! Matches texts against patterns.

use super::parse;
use super::program::Program;
use crate::budget::Budget;

/// The longest pattern that is parsed, in bytes.
const LONGEST: usize = 1000;

/// Whether a text matches a pattern; `None` if the pattern is not supported or the budget is exceeded.
pub(crate) fn matches(pattern: &str, text: &str, budget: &Budget) -> Option<bool> {
    if pattern.len() > LONGEST || !budget.spend(1 + pattern.len() / 8) {
        return None;
    }
    let program = Program::compile(&parse::parse(pattern)?)?;
    // Engines disagree on which letters outside of ASCII form words.
    if program.has_word_boundaries() && !text.is_ascii() {
        return None;
    }
    let cost = program.len().saturating_mul(text.len() + 1) / 16;
    budget.spend(cost).then(|| program.matches(text))
}
