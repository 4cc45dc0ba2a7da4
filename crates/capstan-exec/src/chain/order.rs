//! The order of reads and writes. A read sees every write that is listed before it. Writes do not wait for reads, so
//! that they share requests: reads before the first write are sent beside it, and a read between two writes may see
//! both. Reads after a write are sent together when all writes before the last of them have ended, except a read that
//! a later write refers to.

use capstan_core::Outcome;

use super::conduct::Chain;
use super::parcel::Parcel;
use super::step::ActiveStep;
use super::writes::Lane;

impl Chain<'_> {
    /// Returns, by step, whether it is a read that must wait for a write. Each downstream server has an order of its own.
    pub(super) fn reads_that_wait(&self) -> Vec<bool> {
        if !self.context.in_order {
            return vec![false; self.steps.len()];
        }
        let mut lanes: Vec<LaneOfReads> = Vec::new();
        let mut waits = vec![false; self.steps.len()];
        let needed = self.needed_by_open_writes();
        for (index, step) in self.steps.iter().enumerate() {
            let lane = step.lane();
            let at = lanes.iter().position(|known| known.lane == lane);
            if step.is_write() {
                let is_open = step.finished().is_none();
                match at {
                    Some(at) => lanes[at].has_open_write |= is_open,
                    None => lanes.push(LaneOfReads {
                        lane,
                        has_open_write: is_open,
                        free: Vec::new(),
                    }),
                }
            } else if let Some(at) = at
                && step.finished().is_none()
            {
                let lane = &mut lanes[at];
                if lane.has_open_write {
                    waits[index] = true;
                    // Earlier reads wait, too, and share its request.
                    lane.free
                        .drain(..)
                        .for_each(|free: usize| waits[free] = true);
                } else if !needed[index] {
                    lane.free.push(index);
                }
            }
        }
        waits
    }

    /// Marks reads that are sent now with the last write listed after them whose effect they show.
    pub(super) fn note_later_writes(&mut self, parcels: &[Parcel]) {
        for pending in parcels.iter().flat_map(Parcel::wants) {
            let step = &self.steps[pending.step];
            if step.is_write() {
                continue;
            }
            let has_happened = |later: &ActiveStep<'_>| {
                later.is_write()
                    && later.lane() == step.lane()
                    && later
                        .finished()
                        .is_some_and(|it| it.outcome() != Outcome::NotApplied)
            };
            let later = &self.steps[pending.step + 1..];
            let last = later.iter().rev().find(|later| has_happened(later));
            self.steps[pending.step].later_write = last.map(|it| it.prepared.place);
        }
    }

    /// Returns, by step, whether a write that has not ended refers to it, directly or indirectly.
    fn needed_by_open_writes(&self) -> Vec<bool> {
        let mut needed = vec![false; self.steps.len()];
        for (index, step) in self.steps.iter().enumerate().rev() {
            let is_open_write = step.is_write() && step.finished().is_none();
            if is_open_write || needed[index] {
                for before in step.prepared.needs() {
                    needed[before] = true;
                }
            }
        }
        needed
    }
}

/// The reads and writes of one lane, as far as the list was read.
struct LaneOfReads {
    lane: Lane,
    has_open_write: bool,
    /// Reads after a write that could be sent now.
    free: Vec<usize>,
}
