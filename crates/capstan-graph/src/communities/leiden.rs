//! The rounds of the algorithm: move, refine and merge, until nothing can be merged.

use std::collections::VecDeque;

use super::network::Network;
use super::numbering::renumber;
use super::refine::refine;
use super::walk::{Weights, shuffled};

/// The smallest gain that counts, so that rounding errors do not.
pub(super) const EPSILON: f64 = 1e-9;

/// How often the whole algorithm runs, each time from the last result. More runs find hardly any
/// improvement.
const RUNS: usize = 2;

/// Returns the community of each node.
pub(super) fn communities(network: &Network) -> Vec<u32> {
    let mut found: Vec<u32> = (0..network.nodes() as u32).collect();
    for _ in 0..RUNS {
        found = once(network, found);
    }
    found
}

fn once(network: &Network, begin: Vec<u32>) -> Vec<u32> {
    let mut communities = begin;
    let count = move_nodes(network, &mut communities);
    let (parts, part_count) = refine(network, &communities, count);
    if part_count == network.nodes() {
        return communities;
    }
    // A part lies in one community.
    let mut of_parts = vec![0; part_count];
    for (node, part) in parts.iter().enumerate() {
        of_parts[*part as usize] = communities[node];
    }
    let merged = network.merged(&parts, part_count);
    let of_parts = once(&merged, of_parts);
    parts.iter().map(|part| of_parts[*part as usize]).collect()
}

/// Moves nodes to the communities where they add most, until no move gains anything. Returns the
/// number of communities.
fn move_nodes(network: &Network, communities: &mut [u32]) -> usize {
    let nodes = network.nodes();
    renumber(communities);
    let mut strengths = vec![0.0; nodes];
    let mut sizes = vec![0_u32; nodes];
    for (node, community) in communities.iter().enumerate() {
        strengths[*community as usize] += network.strengths[node];
        sizes[*community as usize] += 1;
    }
    let mut empty: Vec<u32> = (0..nodes as u32)
        .rev()
        .filter(|community| sizes[*community as usize] == 0)
        .collect();
    let mut queue: VecDeque<u32> = shuffled(nodes).into();
    let mut waits = vec![true; nodes];
    let mut weights = Weights::new(nodes);
    while let Some(next) = queue.pop_front() {
        let node = next as usize;
        waits[node] = false;
        let own = communities[node];
        let strength = network.strengths[node];
        strengths[own as usize] -= strength;
        sizes[own as usize] -= 1;
        weights.collect(network, node, |end| Some(communities[end]));
        let gain = |community: u32, weight: f64| {
            weight - strength * strengths[community as usize] / network.total
        };
        let mut best = (own, gain(own, weights.to(own)) + EPSILON);
        for (community, weight) in weights.around() {
            let gain = gain(community, weight);
            if gain > best.1 {
                best = (community, gain);
            }
        }
        if best.1 < 0.0 && sizes[own as usize] > 0 {
            // Alone the node adds nothing, which is better than a loss.
            if let Some(alone) = empty.pop() {
                best.0 = alone;
            }
        }
        let community = best.0;
        strengths[community as usize] += strength;
        sizes[community as usize] += 1;
        if community == own {
            continue;
        }
        if sizes[own as usize] == 0 {
            empty.push(own);
        }
        communities[node] = community;
        for (end, _) in network.edges(node) {
            if communities[end] != community && !waits[end] {
                waits[end] = true;
                queue.push_back(end as u32);
            }
        }
    }
    renumber(communities)
}
