//! Orders a set of nodes: producers come before consumers.

use std::collections::{BTreeSet, HashMap};

use capstan_core::code::{EdgeKind, Node};

use crate::graph::Graph;
use crate::link::EdgeData;

/// States that one node comes before another, by their indices.
struct Precedence<'a> {
    first: usize,
    then: usize,
    data: EdgeData,
    /// Both ends of the relation behind it.
    ends: (&'a Node, &'a Node),
}

impl Graph {
    /// Orders nodes: producers before the nodes that depend on them, parts before the nodes that
    /// contain them, and usual predecessors before successors. Alternatives say nothing. If
    /// relations disagree, the more certain one wins, then the more frequent. Otherwise the given
    /// order stays. Each node is returned once.
    pub fn in_order(&self, nodes: &[Node]) -> Vec<Node> {
        let mut places = HashMap::new();
        let mut given: Vec<&Node> = Vec::new();
        for node in nodes {
            // Only the first occurrence counts.
            places.entry(node).or_insert_with(|| {
                given.push(node);
                given.len() - 1
            });
        }
        let mut all = self.precedences(&given, &places);
        all.sort_by(|one, two| {
            let strongest = two.data.strength().cmp(&one.data.strength());
            strongest.then_with(|| one.ends.cmp(&two.ends))
        });
        let mut after: Vec<BTreeSet<usize>> = vec![BTreeSet::new(); given.len()];
        for Precedence { first, then, .. } in all {
            // The weakest relation of a cycle is ignored.
            if !reaches(&after, then, first) {
                after[first].insert(then);
            }
        }
        let places = in_order(&after).into_iter();
        places.map(|place| given[place].clone()).collect()
    }

    fn precedences<'a>(
        &'a self,
        given: &[&'a Node],
        places: &HashMap<&Node, usize>,
    ) -> Vec<Precedence<'a>> {
        let mut precedences = Vec::new();
        for (place, node) in given.iter().enumerate() {
            let Some(slot) = self.names.find(node) else {
                continue;
            };
            for link in self.links(slot) {
                let to = self.names.node(link.to);
                let Some(other) = places.get(to) else {
                    continue;
                };
                let (first, then) = match link.data.kind {
                    EdgeKind::Dependency | EdgeKind::Contains => (*other, place),
                    EdgeKind::Sequence => (place, *other),
                    EdgeKind::Alternative => continue,
                };
                precedences.push(Precedence {
                    first,
                    then,
                    data: link.data,
                    ends: (*node, to),
                });
            }
        }
        precedences
    }
}

fn reaches(after: &[BTreeSet<usize>], from: usize, to: usize) -> bool {
    let mut seen = BTreeSet::from([from]);
    let mut open = vec![from];
    while let Some(here) = open.pop() {
        if here == to {
            return true;
        }
        open.extend(after[here].iter().filter(|next| seen.insert(**next)));
    }
    false
}

/// Returns the order: of the nodes without remaining predecessors, always the first that was given.
fn in_order(after: &[BTreeSet<usize>]) -> Vec<usize> {
    let mut before = vec![0_usize; after.len()];
    for then in after.iter().flatten() {
        before[*then] += 1;
    }
    let mut ready: BTreeSet<usize> = (0..after.len())
        .filter(|place| before[*place] == 0)
        .collect();
    let mut order = Vec::new();
    while let Some(place) = ready.pop_first() {
        order.push(place);
        for then in &after[place] {
            before[*then] -= 1;
            if before[*then] == 0 {
                ready.insert(*then);
            }
        }
    }
    order
}
