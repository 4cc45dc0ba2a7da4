//! The order of steps in a file: by `execution`, or else by position in `composes`.

use std::collections::HashMap;

use crate::skill::{Block, StepBlock};

/// The steps in the order of the file, with the information which of them may run in parallel.
pub(super) struct WrittenOrder<'a> {
    /// Each step with its position in the nested blocks, and its block.
    steps: Vec<(usize, Vec<Position>, Option<&'a StepBlock>)>,
    /// Maps a step to its index in `steps`.
    places: HashMap<usize, usize>,
    /// Whether `execution` gives the order. Then an earlier step finishes before a later one starts.
    is_stated: bool,
}

/// A position among siblings: in sequence, or in parallel.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Position {
    Sequential(usize),
    Parallel(usize),
}

impl<'a> WrittenOrder<'a> {
    /// Creates the order of `composes`, for a skill without `execution`.
    pub(super) fn composed(count: usize) -> Self {
        Self {
            steps: (0..count)
                .map(|index| (index, vec![Position::Sequential(index)], None))
                .collect(),
            places: (0..count).map(|index| (index, index)).collect(),
            is_stated: false,
        }
    }

    /// Creates the order of `execution`. `find` returns the step that a block runs, and reports unknown names
    /// itself.
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
            written.add(block, vec![Position::Sequential(index)], find);
        }
        written
    }

    fn add(
        &mut self,
        block: &'a Block,
        way: Vec<Position>,
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
                    way.push(Position::Parallel(index));
                    self.add(member, way, find);
                }
            }
        }
    }

    /// Returns every step that runs, in the order of the file.
    pub(super) fn steps(&self) -> impl Iterator<Item = usize> + '_ {
        self.steps.iter().map(|(index, ..)| *index)
    }

    pub(super) fn block(&self, step: usize) -> Option<&'a StepBlock> {
        self.find(step).and_then(|place| self.steps[place].2)
    }

    /// Whether the first step comes before the second in the file, and not in parallel with it.
    pub(super) fn is_before(&self, first: usize, second: usize) -> bool {
        let (Some(first), Some(second)) = (self.find(first), self.find(second)) else {
            return false;
        };
        let (one, other) = (&self.steps[first].1, &self.steps[second].1);
        let parting = one.iter().zip(other).find(|(left, right)| left != right);
        matches!(parting, Some((Position::Sequential(left), Position::Sequential(right))) if left < right)
    }

    /// Returns the steps that must finish before this one starts, because `execution` says so.
    pub(super) fn required_before(&self, step: usize) -> impl Iterator<Item = usize> + '_ {
        let stated = self.is_stated.then(|| self.steps());
        let all = stated.into_iter().flatten();
        all.filter(move |other| self.is_before(*other, step))
    }

    /// Returns the steps before this one, the latest first. Values are looked up by name in this order.
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
