//! How much work one question may cost. Schemas come from strangers.

use std::cell::Cell;

/// Counts down. Whoever works on a schema asks before each piece of work, and gives up when told so.
#[derive(Debug)]
pub(crate) struct Budget {
    left: Cell<u32>,
    depth: Cell<u32>,
}

/// Pieces of work for one question: each takes some tens of nanoseconds.
const WORK: u32 = 60_000;

/// How deep questions may nest. Documents read from JSON text are at most 128 deep.
const DEPTH: u32 = 160;

impl Budget {
    pub(crate) fn new() -> Self {
        Self::of(WORK)
    }

    pub(crate) fn of(work: u32) -> Self {
        Self {
            left: Cell::new(work),
            depth: Cell::new(0),
        }
    }

    /// Takes this much work; no if there is not so much left, and from then on always no.
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

    /// Does something one level deeper; nothing if that is too deep or there is no work left.
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
