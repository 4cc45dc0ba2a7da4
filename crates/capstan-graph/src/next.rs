//! Finds what usually follows a node.

use capstan_core::code::{EdgeKind, Node};

use crate::graph::Graph;
use crate::link::OutgoingEdge;
use crate::names::Slot;

/// A node that followed another.
#[derive(Clone, Debug, PartialEq)]
pub struct Next {
    pub node: Node,
    pub count: u64,
    /// How often something could have followed.
    pub out_of: u64,
}

impl Graph {
    /// Returns what followed a node often enough, the most likely first, then by name. `is_enough`
    /// receives how often it followed, and how often something could have followed. The latter is
    /// the larger of how often anything followed and how often the node itself followed something;
    /// the difference shows how often the node was the last. Returns nothing for an unknown node.
    pub fn next(&self, node: &Node, is_enough: impl Fn(u64, u64) -> bool) -> Vec<Next> {
        let Some(slot) = self.names.find(node) else {
            return Vec::new();
        };
        let follows = |link: &&OutgoingEdge| link.data.kind == EdgeKind::Sequence;
        let count = |link: &OutgoingEdge| u64::from(link.data.observed);
        let links = || self.links(slot).iter().filter(follows);
        let followed = links().map(count).sum::<u64>();
        // If nothing followed often enough, it does not matter how often the node was called.
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

    /// Returns how often a node came after others.
    fn followed_others(&self, slot: Slot) -> u64 {
        let before = self.sources(slot).iter();
        let before = before.filter(|it| it.kind == EdgeKind::Sequence);
        let bonds = before.filter_map(|it| self.data(it.from, slot));
        bonds.map(|data| u64::from(data.observed)).sum()
    }
}
