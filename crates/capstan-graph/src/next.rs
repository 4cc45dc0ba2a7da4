//! What usually follows a node.

use capstan_core::code::{EdgeKind, Node};

use crate::graph::Graph;
use crate::link::Link;
use crate::names::Slot;

/// Something that followed.
#[derive(Clone, Debug, PartialEq)]
pub struct Next {
    pub node: Node,
    pub count: u64,
    /// How often something could have followed.
    pub out_of: u64,
}

impl Graph {
    /// What followed a node often enough, the likeliest first, then by name. `is_enough` is told how often it
    /// followed, and how often something could have: as often as anything did, or as the node itself followed
    /// something, which tells how often it was the last. Nothing where nothing is known.
    pub fn next(&self, node: &Node, is_enough: impl Fn(u64, u64) -> bool) -> Vec<Next> {
        let Some(slot) = self.names.find(node) else {
            return Vec::new();
        };
        let follows = |link: &&Link| link.bond.kind == EdgeKind::Sequence;
        let count = |link: &Link| u64::from(link.bond.observed);
        let links = || self.links(slot).iter().filter(follows);
        let followed = links().map(count).sum::<u64>();
        // To be called often says nothing where nothing followed enough.
        if !links().any(|link| is_enough(count(link), followed)) {
            return Vec::new();
        }
        let out_of = followed.max(self.followed_others(slot));
        let mut next: Vec<_> = links()
            .filter(|link| is_enough(count(link), out_of))
            .map(|link| Next {
                node: self.names.node(link.to).clone(),
                count: count(link),
                out_of,
            })
            .collect();
        next.sort_by(|one, two| two.count.cmp(&one.count).then(one.node.cmp(&two.node)));
        next
    }

    /// How often a node came after others.
    fn followed_others(&self, slot: Slot) -> u64 {
        let before = self.sources(slot).iter();
        let before = before.filter(|it| it.kind == EdgeKind::Sequence);
        let bonds = before.filter_map(|it| self.bond(it.from, slot));
        bonds.map(|bond| u64::from(bond.observed)).sum()
    }
}
