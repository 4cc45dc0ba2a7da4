//! Keeps the best of many candidates.

use std::cmp::{Ordering, Reverse};
use std::collections::BinaryHeap;

/// A candidate. A better one is greater; among equals, the one with the first key.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Candidate<'a> {
    pub(crate) score: f32,
    pub(crate) key: &'a str,
    pub(crate) document: u32,
}

impl Ord for Candidate<'_> {
    fn cmp(&self, other: &Self) -> Ordering {
        let by_score = self.score.total_cmp(&other.score);
        by_score.then_with(|| other.key.cmp(self.key))
    }
}

impl PartialOrd for Candidate<'_> {
    fn partial_cmp(&self, other: &Self) -> Option<Ordering> {
        Some(self.cmp(other))
    }
}

impl PartialEq for Candidate<'_> {
    fn eq(&self, other: &Self) -> bool {
        self.cmp(other) == Ordering::Equal
    }
}

impl Eq for Candidate<'_> {}

/// Keeps the best candidates.
#[derive(Debug)]
pub(crate) struct Top<'a> {
    most: usize,
    kept: BinaryHeap<Reverse<Candidate<'a>>>,
}

impl<'a> Top<'a> {
    pub(crate) fn new(most: usize) -> Self {
        Self {
            most,
            kept: BinaryHeap::new(),
        }
    }

    /// Returns the score that a candidate must reach to be among the best.
    pub(crate) fn least(&self) -> f32 {
        if self.kept.len() < self.most {
            return f32::NEG_INFINITY;
        }
        let least = self.kept.peek();
        least.map_or(f32::NEG_INFINITY, |Reverse(least)| least.score)
    }

    /// Keeps a candidate if it is among the best and wanted. `wanted` is called only if it is among
    /// the best.
    pub(crate) fn offer(&mut self, candidate: Candidate<'a>, wanted: impl FnOnce() -> bool) {
        let full = self.kept.len() >= self.most;
        if full
            && self
                .kept
                .peek()
                .is_none_or(|Reverse(least)| candidate <= *least)
        {
            return;
        }
        if !wanted() {
            return;
        }
        if full {
            self.kept.pop();
        }
        self.kept.push(Reverse(candidate));
    }

    pub(crate) fn into_kept(self) -> impl Iterator<Item = Candidate<'a>> {
        self.kept.into_iter().map(|Reverse(it)| it)
    }
}
