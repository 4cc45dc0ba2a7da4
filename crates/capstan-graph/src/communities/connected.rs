//! What is not connected is not one community: apart it is worth at least as much.

use super::network::Network;
use crate::names::number;

/// Every connected piece of a community as one of its own.
pub(super) fn split(network: &Network, communities: &[u32]) -> Vec<u32> {
    const NONE: u32 = u32::MAX;
    let mut pieces = vec![NONE; communities.len()];
    let mut open = Vec::new();
    for first in 0..communities.len() {
        if pieces[first] != NONE {
            continue;
        }
        let piece = number(first);
        pieces[first] = piece;
        open.push(first);
        while let Some(node) = open.pop() {
            for (end, _) in network.edges(node) {
                if pieces[end] == NONE && communities[end] == communities[node] {
                    pieces[end] = piece;
                    open.push(end);
                }
            }
        }
    }
    pieces
}
