//! The communities of a graph, by node.

use capstan_core::code::Node;

use super::network::Network;
use super::{connected, leiden, numbering};
use crate::graph::Graph;

impl Graph {
    /// Returns every node with the number of its community, in the order of names. The largest
    /// community has number 0. Directions do not count. The result is computed once after a change.
    pub fn communities(&self) -> impl Iterator<Item = (&Node, u32)> {
        let slots = self.order().slots.iter();
        let nodes = slots.map(|slot| self.names.node(*slot));
        nodes.zip(self.community_numbers().iter().copied())
    }

    /// Returns the number of a node's community; `None` if the graph does not have the node.
    pub fn community(&self, node: &Node) -> Option<u32> {
        let slot = self.names.find(node)?;
        Some(self.community_numbers()[self.order().place(slot) as usize])
    }

    pub(crate) fn community_numbers(&self) -> &[u32] {
        let communities = &self.cache.communities;
        communities.get_or_init(|| {
            let network = Network::from_graph(&self.compact());
            let found = leiden::communities(&network);
            numbering::by_size(&connected::split(&network, &found))
        })
    }
}
