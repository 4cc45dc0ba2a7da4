//! Splits communities into well-connected parts. Each part grows along edges, so it is connected.

use super::leiden::EPSILON;
use super::network::Network;
use super::numbering::renumber;
use super::walk::{Weights, shuffled};

/// Returns the part of each node, and how many parts there are. `communities` are numbered without
/// gaps.
pub(super) fn refine(network: &Network, communities: &[u32], count: usize) -> (Vec<u32>, usize) {
    let nodes = network.nodes();
    let mut whole = vec![0.0; count];
    for (node, community) in communities.iter().enumerate() {
        whole[*community as usize] += network.strengths[node];
    }
    let inside = |node: usize| {
        let own = communities[node];
        let edges = network.edges(node);
        edges.filter(move |(end, _)| communities[*end] == own)
    };
    // At first each node is a part of its own.
    let mut parts: Vec<u32> = (0..nodes as u32).collect();
    let mut is_alone = vec![true; nodes];
    let mut strengths = network.strengths.clone();
    // The weight between a part and the rest of its community.
    let mut bound: Vec<f64> = (0..nodes)
        .map(|node| inside(node).map(|(_, weight)| weight).sum())
        .collect();
    let holds = |bound: f64, strength: f64, whole: f64| {
        bound + EPSILON >= strength * (whole - strength) / network.total
    };
    let mut weights = Weights::new(nodes);
    for node in shuffled(nodes) {
        let node = node as usize;
        let whole = whole[communities[node] as usize];
        let strength = network.strengths[node];
        if !is_alone[node] || !holds(bound[node], strength, whole) {
            continue;
        }
        let own = communities[node];
        weights.collect(network, node, |end| {
            (communities[end] == own).then(|| parts[end])
        });
        let mut best = (parts[node], EPSILON);
        for (part, weight) in weights.around() {
            let index = part as usize;
            let gain = weight - strength * strengths[index] / network.total;
            if gain > best.1 && holds(bound[index], strengths[index], whole) {
                best = (part, gain);
            }
        }
        let part = best.0 as usize;
        if part == parts[node] as usize {
            continue;
        }
        // The weight between the two now lies inside the part.
        bound[part] += bound[node] - 2.0 * weights.to(best.0);
        strengths[part] += strength;
        parts[node] = best.0;
        is_alone[part] = false;
    }
    let count = renumber(&mut parts);
    (parts, count)
}
