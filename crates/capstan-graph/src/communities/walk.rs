//! Visits the nodes of a network one by one.

use super::network::Network;

/// The weights between a node and the communities around it. One instance serves all nodes, to
/// avoid allocations.
#[derive(Debug)]
pub(super) struct Weights {
    to: Vec<f64>,
    touched: Vec<u32>,
}

impl Weights {
    pub(super) fn new(communities: usize) -> Self {
        Self {
            to: vec![0.0; communities],
            touched: Vec::new(),
        }
    }

    /// Collects the weights of a node's neighbours by community. `community` returns `None` for
    /// neighbours that do not count.
    pub(super) fn collect(
        &mut self,
        network: &Network,
        node: usize,
        community: impl Fn(usize) -> Option<u32>,
    ) {
        for touched in self.touched.drain(..) {
            self.to[touched as usize] = 0.0;
        }
        for (end, weight) in network.edges(node) {
            if let Some(community) = community(end) {
                if self.to[community as usize] == 0.0 {
                    self.touched.push(community);
                }
                self.to[community as usize] += weight;
            }
        }
    }

    /// Returns the weight to each community around the last node.
    pub(super) fn around(&self) -> impl Iterator<Item = (u32, f64)> {
        self.touched.iter().map(|it| (*it, self.to(*it)))
    }

    pub(super) fn to(&self, community: u32) -> f64 {
        self.to[community as usize]
    }
}

/// Returns all numbers below `count`, always in the same shuffled order. Nodes with similar names
/// are often neighbours in the graph, and moving them one after the other finds worse communities.
pub(super) fn shuffled(count: usize) -> Vec<u32> {
    let mut numbers: Vec<u32> = (0..count as u32).collect();
    let mut state = 0x9e37_79b9_7f4a_7c15_u64;
    for last in (1..count).rev() {
        // The mixer of splitmix64.
        state = state.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let mut mixed = state;
        mixed = (mixed ^ (mixed >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        mixed = (mixed ^ (mixed >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
        mixed ^= mixed >> 31;
        let other = mixed % (last as u64 + 1);
        numbers.swap(last, other as usize);
    }
    numbers
}
