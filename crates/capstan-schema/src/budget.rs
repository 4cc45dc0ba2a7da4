//! Limits the work for one question, because schemas come from strangers.

use std::cell::Cell;

/// A count-down of work. All code that examines schemas spends from it before each piece of work, and gives
/// up once it is exhausted.
#[derive(Debug)]
pub(crate) struct Budget {
    left: Cell<u32>,
    depth: Cell<u32>,
}

/// The work for one question. A unit takes some tens of nanoseconds.
const WORK: u32 = 60_000;

/// The largest depth of nested questions. Documents parsed from JSON text are at most 128 deep.
const DEPTH: u32 = 160;

impl Budget {
    pub(crate) fn new() -> Self {
        Self::with_work(WORK)
    }

    pub(crate) fn with_work(work: u32) -> Self {
        Self {
            left: Cell::new(work),
            depth: Cell::new(0),
        }
    }

    /// Spends work. Returns false if too little is left, and from then on always.
    pub(crate) fn spend(&self, work: usize) -> bool {
        let work = u32::try_from(work).unwrap_or(u32::MAX);
        match self.left.get().checked_sub(work) {
            Some(left) => {
                self.left.set(left);
                true
            }
            None => {
                self.left.set(0);
                false
            }
        }
    }

    pub(crate) fn is_spent(&self) -> bool {
        self.left.get() == 0
    }

    /// Runs a function one level deeper; returns `None` if that is too deep or the budget is exhausted.
    pub(crate) fn deeper<T>(&self, work: impl FnOnce() -> T) -> Option<T> {
        let depth = self.depth.get();
        if depth >= DEPTH || !self.spend(1) {
            return None;
        }
        self.depth.set(depth + 1);
        let done = work();
        self.depth.set(depth);
        Some(done)
    }
}
