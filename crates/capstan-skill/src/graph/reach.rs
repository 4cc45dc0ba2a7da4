//! What can be reached from a node.

use std::collections::BTreeSet;

use super::Graph;

/// The nodes that a path of one edge or more leads to from `from`: itself only if it is on a cycle.
pub fn reachable(graph: &Graph, from: usize) -> BTreeSet<usize> {
    let mut seen = vec![false; graph.len()];
    let mut waiting = vec![from];
    while let Some(node) = waiting.pop() {
        for &next in graph.successors(node) {
            if !seen[next] {
                seen[next] = true;
                waiting.push(next);
            }
        }
    }
    (0..graph.len()).filter(|&node| seen[node]).collect()
}
