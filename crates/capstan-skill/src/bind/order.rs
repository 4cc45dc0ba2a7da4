//! The order that a file states: by `execution`, or by nothing but the order of writing.

use std::collections::HashMap;

use crate::skill::{Block, StepBlock};

/// The steps as they are written, with which of them may be side by side.
pub(super) struct Written<'a> {
    /// Each with the way to it: which entry of which block.
    steps: Vec<(usize, Vec<Turn>, Option<&'a StepBlock>)>,
    /// By step: its place among them.
    places: HashMap<usize, usize>,
    /// `execution` says it, so what stands first is over first.
    is_stated: bool,
}

/// A place among others: one after the other, or side by side.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Turn {
    InTurn(usize),
    BesideOthers(usize),
}

impl<'a> Written<'a> {
    /// All steps, as they are composed.
    pub(super) fn composed(count: usize) -> Self {
        Self {
            steps: (0..count)
                .map(|index| (index, vec![Turn::InTurn(index)], None))
                .collect(),
            places: (0..count).map(|index| (index, index)).collect(),
            is_stated: false,
        }
    }

    /// `find` tells which step a name means; a name that means none is the caller's to tell.
    pub(super) fn stated(
        execution: &'a [Block],
        find: &mut dyn FnMut(&'a StepBlock) -> Option<usize>,
    ) -> Self {
        let mut written = Self {
            steps: Vec::new(),
            places: HashMap::new(),
            is_stated: true,
        };
        for (index, block) in execution.iter().enumerate() {
            written.add(block, vec![Turn::InTurn(index)], find);
        }
        written
    }

    fn add(
        &mut self,
        block: &'a Block,
        way: Vec<Turn>,
        find: &mut dyn FnMut(&'a StepBlock) -> Option<usize>,
    ) {
        match block {
            Block::Step(step) => {
                if let Some(index) = find(step) {
                    self.places.insert(index, self.steps.len());
                    self.steps.push((index, way, Some(step)));
                }
            }
            Block::Parallel(members) => {
                for (index, member) in members.iter().enumerate() {
                    let mut way = way.clone();
                    way.push(Turn::BesideOthers(index));
                    self.add(member, way, find);
                }
            }
        }
    }

    /// Every step that is run, as written.
    pub(super) fn steps(&self) -> impl Iterator<Item = usize> + '_ {
        self.steps.iter().map(|(index, ..)| *index)
    }

    pub(super) fn block(&self, step: usize) -> Option<&'a StepBlock> {
        self.find(step).and_then(|place| self.steps[place].2)
    }

    /// Whether one is written before another, and not beside it.
    pub(super) fn is_before(&self, first: usize, second: usize) -> bool {
        let (Some(first), Some(second)) = (self.find(first), self.find(second)) else {
            return false;
        };
        let (one, other) = (&self.steps[first].1, &self.steps[second].1);
        let parting = one.iter().zip(other).find(|(left, right)| left != right);
        matches!(parting, Some((Turn::InTurn(left), Turn::InTurn(right))) if left < right)
    }

    /// Steps that must be over before another begins, because the file says so.
    pub(super) fn required_before(&self, step: usize) -> impl Iterator<Item = usize> + '_ {
        let stated = self.is_stated.then(|| self.steps());
        let all = stated.into_iter().flatten();
        all.filter(move |other| self.is_before(*other, step))
    }

    /// What was written before, the last first: where values are looked for by their names.
    pub(super) fn earlier(&self, step: usize) -> Vec<usize> {
        let mut earlier: Vec<_> = self
            .steps()
            .filter(|other| self.is_before(*other, step))
            .collect();
        earlier.reverse();
        earlier
    }

    fn find(&self, step: usize) -> Option<usize> {
        self.places.get(&step).copied()
    }
}
