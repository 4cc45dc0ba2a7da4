//! Topological order.

use std::cmp::Reverse;
use std::collections::BinaryHeap;

use super::Graph;

/// Returns the lexicographically smallest topological order; an edge a → b means that b waits for a. At each
/// position stands the smallest node that waits for no later one.
///
/// # Errors
///
/// Returns the nodes that are on cycles or wait for such nodes, in ascending order.
pub fn order(graph: &Graph) -> Result<Vec<usize>, Vec<usize>> {
    let mut missing = graph.in_degrees();
    let mut ready: BinaryHeap<Reverse<usize>> = (0..graph.len())
        .filter(|&node| missing[node] == 0)
        .map(Reverse)
        .collect();
    let mut order = Vec::with_capacity(graph.len());
    while let Some(Reverse(node)) = ready.pop() {
        order.push(node);
        for &waiting in graph.successors(node) {
            missing[waiting] -= 1;
            if missing[waiting] == 0 {
                ready.push(Reverse(waiting));
            }
        }
    }
    if order.len() == graph.len() {
        Ok(order)
    } else {
        Err((0..graph.len()).filter(|&node| missing[node] > 0).collect())
    }
}
