//! PageRank: the probability of being at a node after following edges at random, weighted by
//! confidence.

use capstan_core::code::Node;

use crate::compact::Compact;
use crate::graph::Graph;

/// The probability of following an edge instead of jumping anywhere.
const DAMPING: f64 = 0.85;

/// The sum of all changes in a round below which the ranks have converged.
const TOLERANCE: f64 = 1e-10;

/// The maximum number of rounds. It suffices for any graph: each round changes 0.85 times as much
/// as the one before.
const MAX_ROUNDS: usize = 200;

impl Graph {
    /// Returns every node with its rank, in the order of names. The ranks sum to one. The result is
    /// computed once after a change.
    pub fn page_rank(&self) -> impl Iterator<Item = (&Node, f64)> {
        let slots = self.order().slots.iter();
        let nodes = slots.map(|slot| self.names.node(*slot));
        nodes.zip(self.ranks().iter().copied())
    }

    pub fn rank(&self, node: &Node) -> Option<f64> {
        let slot = self.names.find(node)?;
        Some(self.ranks()[self.order().place(slot) as usize])
    }

    pub(crate) fn ranks(&self) -> &[f64] {
        let ranks = &self.cache.ranks;
        ranks.get_or_init(|| converge(&self.compact()))
    }
}

fn converge(graph: &Compact) -> Vec<f64> {
    let count = graph.nodes();
    if count == 0 {
        return Vec::new();
    }
    let all = count as f64;
    let totals: Vec<f64> = (0..count)
        .map(|node| graph.edges(node).map(|(_, weight)| weight).sum())
        .collect();
    let mut ranks = vec![1.0 / all; count];
    let mut next = vec![0.0; count];
    for _ in 0..MAX_ROUNDS {
        // From a node without outgoing edges, the next node is random.
        let stuck: f64 = (0..count)
            .filter(|node| totals[*node] == 0.0)
            .map(|node| ranks[node])
            .sum();
        next.fill((1.0 - DAMPING + DAMPING * stuck) / all);
        for node in 0..count {
            let share = DAMPING * ranks[node] / totals[node];
            for (end, weight) in graph.edges(node) {
                next[end] += share * weight;
            }
        }
        let change: f64 = ranks.iter().zip(&next).map(|(a, b)| (a - b).abs()).sum();
        std::mem::swap(&mut ranks, &mut next);
        if change < TOLERANCE {
            break;
        }
    }
    ranks
}
