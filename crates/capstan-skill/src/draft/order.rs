//! In which order the steps are run, where the data alone does not say it.

use std::collections::BTreeSet;

use super::steps::{Step, Way};

/// One entry of `execution`: steps side by side, by their numbers.
pub(super) type Block = Vec<usize>;

/// Nothing where every order that the data allows is as good as the one that was seen. Only what reads
/// after a write has to be told to wait for it: writes keep their order by themselves.
pub(super) fn blocks(steps: &[Step<'_>]) -> Vec<Block> {
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
            // Side by side they would lose their order.
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

/// By step: those that are over before it begins, by what it takes and by the order of writes.
fn before(steps: &[Step<'_>]) -> Vec<BTreeSet<usize>> {
    let mut before: Vec<BTreeSet<usize>> = Vec::with_capacity(steps.len());
    for (number, step) in steps.iter().enumerate() {
        let taken = step.inputs.iter().filter_map(|input| match input.way() {
            Way::Taken(_, from) => Some(from.iter().copied()),
            Way::Literal | Way::Asked => None,
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
