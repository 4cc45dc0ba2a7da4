//! What usually follows a node.

use capstan_core::code::{EdgeKind, Node};

use crate::graph::Graph;
use crate::link::Link;

/// As if something else had followed so often: who was seen once is no rule yet.
pub const UNSEEN: f64 = 2.0;

/// Something that followed.
#[derive(Clone, Debug, PartialEq)]
pub struct Next {
    pub node: Node,
    /// How often it followed, out of all that followed and `UNSEEN`.
    pub probability: f64,
    pub count: u64,
    /// How often anything followed.
    pub out_of: u64,
}

impl Graph {
    /// What followed a node, the likeliest first, then by name. Nothing where nothing is known.
    pub fn next(&self, node: &Node) -> Vec<Next> {
        let Some(slot) = self.names.find(node) else {
            return Vec::new();
        };
        let follows = |link: &&Link| link.bond.kind == EdgeKind::Sequence;
        let links: Vec<_> = self.links(slot).iter().filter(follows).collect();
        let counts = links.iter().map(|link| u64::from(link.bond.observed));
        let out_of = counts.sum::<u64>();
        let total = out_of as f64 + UNSEEN;
        let mut next: Vec<_> = links
            .iter()
            .map(|link| Next {
                node: self.names.node(link.to).clone(),
                probability: f64::from(link.bond.observed) / total,
                count: link.bond.observed.into(),
                out_of,
            })
            .collect();
        next.sort_by(|one, two| two.count.cmp(&one.count).then(one.node.cmp(&two.node)));
        next
    }
}
