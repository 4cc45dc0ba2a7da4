//! Which steps wait for which others, directly or indirectly.

use super::BoundStep;

/// A transitive relation between steps, with one row of bits per step: the steps that it waits for.
pub(super) struct Waiting {
    rows: Vec<Vec<u64>>,
}

impl Waiting {
    pub(super) fn between(steps: &[Option<BoundStep>]) -> Self {
        let words = steps.len().div_ceil(64);
        let mut waiting = Self {
            rows: vec![vec![0; words]; steps.len()],
        };
        for (step, bound) in steps.iter().enumerate() {
            for before in bound.iter().flat_map(|bound| &bound.after) {
                waiting.set(step, *before);
            }
        }
        // Warshall's algorithm, a row at a time.
        for middle in 0..steps.len() {
            let through = waiting.rows[middle].clone();
            for step in 0..steps.len() {
                if waiting.has(step, middle) {
                    waiting.merge(step, &through);
                }
            }
        }
        waiting
    }

    /// Whether a step waits for another. A step waits for itself only if it is on a cycle.
    pub(super) fn has(&self, step: usize, other: usize) -> bool {
        self.rows[step][other / 64] & (1 << (other % 64)) != 0
    }

    /// Makes a step, and all steps that wait for it, wait for another one.
    pub(super) fn add(&mut self, step: usize, before: usize) {
        if self.has(step, before) {
            return;
        }
        self.set(step, before);
        let through = self.rows[before].clone();
        self.merge(step, &through);
        let row = self.rows[step].clone();
        for other in 0..self.rows.len() {
            if self.has(other, step) {
                self.merge(other, &row);
            }
        }
    }

    fn set(&mut self, step: usize, other: usize) {
        self.rows[step][other / 64] |= 1 << (other % 64);
    }

    fn merge(&mut self, step: usize, row: &[u64]) {
        for (word, other) in self.rows[step].iter_mut().zip(row) {
            *word |= other;
        }
    }
}
