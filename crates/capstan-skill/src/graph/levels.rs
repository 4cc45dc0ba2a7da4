//! Which nodes can go together, and after which others.

use super::Graph;

/// An edge a → b says that b waits for a. Level 0 waits for nothing, and each node of level k waits for
/// at least one of level k−1 and for none of its own level or of a later one: a node's level is the
/// length of the longest path to it. Nodes are in ascending order.
///
/// # Errors
///
/// Where there are cycles, the nodes that can never go, in ascending order: those on cycles, and those
/// that wait for them.
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
