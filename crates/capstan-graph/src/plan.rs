//! An order for a set of nodes: what gives something comes before what uses it.

use std::collections::{BTreeSet, HashMap};

use capstan_core::code::{EdgeKind, Node};

use crate::graph::Graph;
use crate::link::Bond;

/// One node before another, by their places in what was given.
struct Before<'a> {
    first: usize,
    then: usize,
    bond: Bond,
    /// Both ends of what says so.
    ends: (&'a Node, &'a Node),
}

impl Graph {
    /// Producers before those that depend on them, parts before what contains them, and what usually comes
    /// first before what follows; alternatives say nothing. Where relations disagree, the surer wins, then
    /// the one that was seen more often. Where they say nothing, the order stays as given. Each is there once.
    pub fn in_order(&self, nodes: &[Node]) -> Vec<Node> {
        let mut places = HashMap::new();
        let mut given: Vec<&Node> = Vec::new();
        for node in nodes {
            // Only the first time counts.
            places.entry(node).or_insert_with(|| {
                given.push(node);
                given.len() - 1
            });
        }
        let mut all = self.befores(&given, &places);
        all.sort_by(|one, two| {
            let strongest = two.bond.strength().cmp(&one.bond.strength());
            strongest.then_with(|| one.ends.cmp(&two.ends))
        });
        let mut after: Vec<BTreeSet<usize>> = vec![BTreeSet::new(); given.len()];
        for Before { first, then, .. } in all {
            // The weakest of a cycle is passed over.
            if !reaches(&after, then, first) {
                after[first].insert(then);
            }
        }
        let places = in_order(&after).into_iter();
        places.map(|place| given[place].clone()).collect()
    }

    fn befores<'a>(
        &'a self,
        given: &[&'a Node],
        places: &HashMap<&Node, usize>,
    ) -> Vec<Before<'a>> {
        let mut befores = Vec::new();
        for (place, node) in given.iter().enumerate() {
            let Some(slot) = self.names.find(node) else {
                continue;
            };
            for link in self.links(slot) {
                let to = self.names.node(link.to);
                let Some(other) = places.get(to) else {
                    continue;
                };
                let (first, then) = match link.bond.kind {
                    EdgeKind::Dependency | EdgeKind::Contains => (*other, place),
                    EdgeKind::Sequence => (place, *other),
                    EdgeKind::Alternative => continue,
                };
                befores.push(Before {
                    first,
                    then,
                    bond: link.bond,
                    ends: (*node, to),
                });
            }
        }
        befores
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

/// Of those that nothing stands before any more, always the first that was given.
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
