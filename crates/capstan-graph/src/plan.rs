//! An order for a set of nodes: what gives something comes before what uses it.

use std::collections::{BTreeSet, HashMap};

use capstan_core::code::{EdgeKind, Node};

use crate::graph::Graph;
use crate::link::{Bond, Relation};

/// Nodes in an order, and what had to be passed over to find one.
#[derive(Clone, Debug, PartialEq)]
pub struct Plan {
    pub nodes: Vec<Node>,
    /// Relations that say otherwise: each was the weakest of a cycle.
    pub against: Vec<Relation>,
}

/// One node before another, by their places in what was given.
struct Before {
    first: usize,
    then: usize,
    bond: Bond,
    relation: Relation,
}

impl Graph {
    /// Producers before those that depend on them, parts before what contains them, and what usually comes
    /// first before what follows; alternatives say nothing. Where relations disagree, the surer wins, then
    /// the one that was seen more often. Where they say nothing, the order stays as given.
    pub fn plan(&self, nodes: &[Node]) -> Plan {
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
            let names = |it: &Before| (it.relation.from.clone(), it.relation.to.clone());
            strongest.then_with(|| names(one).cmp(&names(two)))
        });
        let mut after: Vec<BTreeSet<usize>> = vec![BTreeSet::new(); given.len()];
        let mut against = Vec::new();
        for before in all {
            match reaches(&after, before.then, before.first) {
                true => against.push(before.relation),
                false => {
                    after[before.first].insert(before.then);
                }
            }
        }
        let nodes = in_order(&after).into_iter();
        Plan {
            nodes: nodes.map(|place| given[place].clone()).collect(),
            against,
        }
    }

    fn befores(&self, given: &[&Node], places: &HashMap<&Node, usize>) -> Vec<Before> {
        let mut befores = Vec::new();
        for (place, node) in given.iter().enumerate() {
            let Some(slot) = self.names.find(node) else {
                continue;
            };
            for link in self.links(slot) {
                let Some(other) = places.get(self.names.node(link.to)) else {
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
                    relation: self.relation(slot, *link),
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
