//! What usually follows a node.

use capstan_core::code::{EdgeKind, Node};

use crate::graph::Graph;
use crate::link::Link;

/// Something that followed.
#[derive(Clone, Debug, PartialEq)]
pub struct Next {
    pub node: Node,
    pub count: u64,
    /// How often anything followed.
    pub out_of: u64,
}

impl Graph {
    /// What followed a node often enough, the likeliest first, then by name. `is_enough` is told how often it
    /// followed, and how often anything did. Nothing where nothing is known.
    pub fn next(&self, node: &Node, is_enough: impl Fn(u64, u64) -> bool) -> Vec<Next> {
        let Some(slot) = self.names.find(node) else {
            return Vec::new();
        };
        let follows = |link: &&Link| link.bond.kind == EdgeKind::Sequence;
        let count = |link: &Link| u64::from(link.bond.observed);
        let links = || self.links(slot).iter().filter(follows);
        let out_of = links().map(count).sum();
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
}
