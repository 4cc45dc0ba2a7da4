//! The best of many.

use std::cmp::{Ordering, Reverse};
use std::collections::BinaryHeap;

/// Better is greater; of equals, the key that comes first.
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

/// Keeps the best of those that are offered.
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

    /// What scores less is surely not among the best.
    pub(crate) fn least(&self) -> f32 {
        let least = self.kept.peek().filter(|_| self.kept.len() >= self.most);
        least.map_or(f32::NEG_INFINITY, |Reverse(least)| least.score)
    }

    /// Keeps a candidate if it is among the best and is wanted, which is asked only then.
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
