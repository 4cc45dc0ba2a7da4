//! Which nodes belong together: communities of high modularity, each of them connected.
//!
//! The method is Leiden (Traag, Waltman, van Eck 2019) with everything that is left to chance there decided by
//! names: nodes move to the best community, communities are refined into parts that hold together, and
//! the parts are the nodes of the next round.

mod connected;
mod leiden;
mod network;
mod numbering;
mod refine;
mod walk;

use capstan_core::code::Node;

use crate::graph::Graph;

use network::Network;

impl Graph {
    /// Every node with the number of its community, in the order of names. The largest community is
    /// number 0. Directions do not count. Worked out once after a change.
    pub fn communities(&self) -> impl Iterator<Item = (&Node, u32)> {
        let slots = self.order().slots.iter();
        let nodes = slots.map(|slot| self.names.node(*slot));
        nodes.zip(self.community_numbers().iter().copied())
    }

    pub fn community(&self, node: &Node) -> Option<u32> {
        let slot = self.names.find(node)?;
        Some(self.community_numbers()[self.order().place(slot) as usize])
    }

    pub(crate) fn community_numbers(&self) -> &[u32] {
        let communities = &self.cache.communities;
        communities.get_or_init(|| {
            let network = Network::of(&self.compact());
            let found = leiden::communities(&network);
            numbering::by_size(&connected::split(&network, &found))
        })
    }
}
