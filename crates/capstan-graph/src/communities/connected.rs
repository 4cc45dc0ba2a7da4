//! Splits communities that are not connected. This never lowers the modularity.

use super::network::Network;
use crate::names::number;

/// Turns every connected piece of a community into a community of its own.
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
