//! One after the other, each after all that it waits for.

use std::cmp::Reverse;
use std::collections::BinaryHeap;

use super::Graph;

/// An edge a → b says that b waits for a. Of all orders in which nobody is before whom it waits for,
/// this is the lexicographically smallest: at each place stands the smallest node that can go.
///
/// # Errors
///
/// Where there are cycles, the nodes that can never go, in ascending order: those on cycles, and those
/// that wait for them.
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
