//! Learns `sequence`: a call began after others had ended.

use std::collections::{BTreeSet, HashMap};

use capstan_core::code::{EdgeKind, Evidence, Node};

use super::calls::{Call, Calls};
use super::tally::Tally;

/// How many pairs of two groups count. If many calls follow many others, not every pair is
/// meaningful.
const MAX_PAIRS: usize = 32;

/// Calls that were sent together or overlap in time.
struct CallGroup<'a> {
    /// The number of its first batch.
    batch: u32,
    start: u64,
    end: u64,
    nodes: BTreeSet<&'a Node>,
}

/// Records a sequence from each node of a group to each of the next. A pair counts once, whatever
/// its number of calls.
pub(super) fn observe(calls: &Calls<'_>, tally: &mut Tally) {
    for siblings in calls.siblings().into_values() {
        let groups = groups(siblings.into_iter().map(|(_, call, node)| (call, node)));
        for neighbours in groups.windows(2) {
            let pairs = pairs(&neighbours[0].nodes, &neighbours[1].nodes);
            for (before, after) in pairs {
                tally.add(before, after, EdgeKind::Sequence, Evidence::Followed);
            }
        }
    }
}

/// Records that the session executed one node before these.
pub(super) fn in_session(before: &Node, first: &BTreeSet<&Node>, tally: &mut Tally) {
    for (before, after) in pairs(&BTreeSet::from([before]), first) {
        tally.add(
            before,
            after,
            EdgeKind::Sequence,
            Evidence::FollowedInSession,
        );
    }
}

fn pairs<'a>(before: &BTreeSet<&'a Node>, after: &BTreeSet<&'a Node>) -> Vec<(&'a Node, &'a Node)> {
    let all = before
        .iter()
        .flat_map(|before| after.iter().map(move |after| (*before, *after)));
    all.filter(|(before, after)| before != after)
        .take(MAX_PAIRS)
        .collect()
}

fn groups<'a>(calls: impl Iterator<Item = (&'a Call<'a>, &'a Node)>) -> Vec<CallGroup<'a>> {
    let mut batches: HashMap<u32, CallGroup<'a>> = HashMap::new();
    for (call, node) in calls {
        let group = batches.entry(call.batch).or_insert_with(|| CallGroup {
            batch: call.batch,
            start: call.start,
            end: call.end,
            nodes: BTreeSet::new(),
        });
        group.start = group.start.min(call.start);
        group.end = group.end.max(call.end);
        group.nodes.insert(node);
    }
    let mut batches: Vec<_> = batches.into_values().collect();
    batches.sort_by_key(|group| (group.start, group.batch));
    let mut groups: Vec<CallGroup<'a>> = Vec::new();
    for batch in batches {
        match groups.last_mut() {
            Some(last) if batch.start < last.end => {
                last.end = last.end.max(batch.end);
                last.nodes.extend(batch.nodes);
            }
            _ => groups.push(batch),
        }
    }
    groups
}
