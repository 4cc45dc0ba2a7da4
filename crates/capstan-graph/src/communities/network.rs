//! The graph without directions, in which communities are found.

use crate::compact::Compact;
use crate::names::number;

/// Nodes by number, and the weights between them. An edge of a node to itself counts only for its
/// strength.
#[derive(Debug)]
pub(super) struct Network {
    begins: Vec<u32>,
    ends: Vec<u32>,
    weights: Vec<f64>,
    /// The sum of the weights of a node's edges.
    pub(super) strengths: Vec<f64>,
    /// The sum of the strengths of all nodes.
    pub(super) total: f64,
}

impl Network {
    pub(super) fn from_graph(graph: &Compact) -> Self {
        let nodes = graph.nodes();
        let all = || (0..nodes).flat_map(|from| graph.edges(from).map(move |edge| (from, edge)));
        let mut counts = vec![0; nodes];
        for (from, (to, _)) in all() {
            counts[from] += 1;
            counts[to] += 1;
        }
        let mut network = Self::empty(&counts);
        let mut next: Vec<u32> = network.begins[..nodes].to_vec();
        for (from, (to, weight)) in all() {
            for (here, there) in [(from, to), (to, from)] {
                network.ends[next[here] as usize] = number(there);
                network.weights[next[here] as usize] = weight;
                network.strengths[here] += weight;
                next[here] += 1;
            }
        }
        network.total = network.strengths.iter().sum();
        network
    }

    pub(super) fn nodes(&self) -> usize {
        self.strengths.len()
    }

    pub(super) fn edges(&self, node: usize) -> impl Iterator<Item = (usize, f64)> {
        let range = self.begins[node] as usize..self.begins[node + 1] as usize;
        let ends = self.ends[range.clone()].iter();
        let weights = self.weights[range].iter();
        ends.zip(weights)
            .map(|(end, weight)| (*end as usize, *weight))
    }

    /// Merges each part into one node. Parts are numbered without gaps.
    pub(super) fn merged(&self, parts: &[u32], count: usize) -> Self {
        let mut members: Vec<Vec<u32>> = vec![Vec::new(); count];
        for (node, part) in parts.iter().enumerate() {
            members[*part as usize].push(number(node));
        }
        let mut merged = Self::empty(&[]);
        merged.total = self.total;
        let mut weight_to = vec![0.0; count];
        let mut touched: Vec<u32> = Vec::new();
        for (part, members) in members.iter().enumerate() {
            let mut strength = 0.0;
            for node in members {
                strength += self.strengths[*node as usize];
                for (end, weight) in self.edges(*node as usize) {
                    let other = parts[end];
                    if other as usize == part {
                        continue;
                    }
                    if weight_to[other as usize] == 0.0 {
                        touched.push(other);
                    }
                    weight_to[other as usize] += weight;
                }
            }
            touched.sort_unstable();
            for other in touched.drain(..) {
                merged.ends.push(other);
                let weight = std::mem::take(&mut weight_to[other as usize]);
                merged.weights.push(weight);
            }
            merged.begins.push(number(merged.ends.len()));
            merged.strengths.push(strength);
        }
        merged
    }

    fn empty(counts: &[u32]) -> Self {
        let mut begins = vec![0];
        let mut edges = 0;
        for count in counts {
            edges += count;
            begins.push(edges);
        }
        Self {
            begins,
            ends: vec![0; edges as usize],
            weights: vec![0.0; edges as usize],
            strengths: vec![0.0; counts.len()],
            total: 0.0,
        }
    }
}
