//! A regular expression as a tree.

/// A part of a regular expression.
#[derive(Clone, Debug)]
pub(super) enum Node {
    Set(Set),
    Start,
    End,
    /// A word boundary (`true`), or its absence.
    WordBoundary(bool),
    Sequence(Vec<Node>),
    Alternatives(Vec<Node>),
    Repeated(Box<Node>, u32, Option<u32>),
}

/// A set of characters.
#[derive(Clone, Debug, Default)]
pub(super) struct Set {
    pub(super) negated: bool,
    pub(super) ranges: Vec<(char, char)>,
}

impl Set {
    pub(super) fn has(&self, one: char) -> bool {
        let within = |range: &(char, char)| (range.0..=range.1).contains(&one);
        self.ranges.iter().any(within) != self.negated
    }
}
