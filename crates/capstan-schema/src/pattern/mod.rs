//! Regular expressions of schemas, as far as they are read: what they have in common with all engines.
//!
//! Not read are references back, looking around, and properties of characters (`\p{…}`). Texts are
//! matched in time that grows with their length alone, whatever the expression.

mod parse;
mod program;

use crate::budget::Budget;
use program::Program;

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

/// A part of a regular expression.
#[derive(Clone, Debug)]
enum Node {
    Set(Set),
    Start,
    End,
    /// Between a letter and something else, or not there.
    WordEdge(bool),
    Sequence(Vec<Node>),
    Alternatives(Vec<Node>),
    Repeated(Box<Node>, u32, Option<u32>),
}

/// Characters.
#[derive(Clone, Debug, Default)]
struct Set {
    negated: bool,
    ranges: Vec<(char, char)>,
}

impl Set {
    fn has(&self, one: char) -> bool {
        let within = |range: &(char, char)| (range.0..=range.1).contains(&one);
        self.ranges.iter().any(within) != self.negated
    }
}
