//! Chooses the order of steps, where the data alone does not determine it.

use std::collections::BTreeSet;

use super::steps::{DraftStep, InputSource};

/// One entry of `execution`: the indices of steps that run in parallel.
pub(super) type StepGroup = Vec<usize>;

/// Returns the entries of `execution`. Returns none if every order that the data allows is as good as the
/// observed one. Only a read after a write must be made to wait for it; writes keep their order anyway.
pub(super) fn blocks(steps: &[DraftStep<'_>]) -> Vec<StepGroup> {
    let before = before(steps);
    let is_late = |reads: usize| {
        let earlier = (0..reads).filter(|it| steps[*it].writes());
        let mut earlier = earlier.filter(|it| steps[*it].call.batch < steps[reads].call.batch);
        !steps[reads].writes() && earlier.any(|write| !before[reads].contains(&write))
    };
    if !(0..steps.len()).any(is_late) {
        return Vec::new();
    }
    let turns: BTreeSet<_> = steps.iter().map(|step| step.turn).collect();
    let mut blocks = Vec::new();
    for turn in turns {
        let of_turn = (0..steps.len()).filter(|it| steps[*it].turn == turn);
        let (writes, reads): (Vec<_>, Vec<_>) = of_turn.partition(|it| steps[*it].writes());
        match writes.len() {
            // In parallel they would lose their order.
            2.. => {
                blocks.push(reads);
                blocks.extend(writes.into_iter().map(|write| vec![write]));
            }
            _ => {
                let mut all = [reads, writes].concat();
                all.sort_unstable();
                blocks.push(all);
            }
        }
    }
    blocks.retain(|block| !block.is_empty());
    blocks
}

/// Returns for each step those that finish before it starts, because of its inputs or the order of writes.
fn before(steps: &[DraftStep<'_>]) -> Vec<BTreeSet<usize>> {
    let mut before: Vec<BTreeSet<usize>> = Vec::with_capacity(steps.len());
    for (number, step) in steps.iter().enumerate() {
        let taken = step.inputs.iter().filter_map(|input| match input.source() {
            InputSource::FromSteps(_, from) => Some(from.iter().copied()),
            InputSource::Literal | InputSource::FromSkill => None,
        });
        let mut direct: BTreeSet<usize> = taken.flatten().collect();
        if step.writes() {
            direct.extend((0..number).filter(|it| steps[*it].writes()));
        }
        let mut all = direct.clone();
        for earlier in direct {
            all.extend(&before[earlier]);
        }
        before.push(all);
    }
    before
}
