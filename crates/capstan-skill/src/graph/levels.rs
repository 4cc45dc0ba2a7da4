//! Sorts nodes into levels that can be processed together.

use super::Graph;

/// Sorts the nodes into levels; an edge a → b means that b waits for a. The level of a node is the length of
/// the longest path to it: level 0 waits for nothing, and each node of level k waits for a node of level k−1
/// and for none of level k or later. The nodes of a level are in ascending order.
///
/// # Errors
///
/// Returns the nodes that are on cycles or wait for such nodes, in ascending order.
pub fn levels(graph: &Graph) -> Result<Vec<Vec<usize>>, Vec<usize>> {
    let mut missing = graph.in_degrees();
    let mut ready: Vec<usize> = (0..graph.len())
        .filter(|&node| missing[node] == 0)
        .collect();
    let mut levels = Vec::new();
    let mut placed = 0;
    while !ready.is_empty() {
        let mut next = Vec::new();
        for &node in &ready {
            for &waiting in graph.successors(node) {
                missing[waiting] -= 1;
                if missing[waiting] == 0 {
                    next.push(waiting);
                }
            }
        }
        next.sort_unstable();
        placed += ready.len();
        levels.push(std::mem::replace(&mut ready, next));
    }
    if placed == graph.len() {
        Ok(levels)
    } else {
        Err((0..graph.len()).filter(|&node| missing[node] > 0).collect())
    }
}
