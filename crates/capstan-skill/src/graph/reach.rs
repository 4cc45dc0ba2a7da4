//! Reachability.

use std::collections::BTreeSet;

use super::Graph;

/// Returns the nodes that can be reached from `from` along at least one edge. It includes `from` itself only
/// if that is on a cycle.
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
