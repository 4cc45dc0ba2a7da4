//! Finds the shortest path between two nodes. An edge costs one divided by its confidence.

use std::cmp::Reverse;
use std::collections::BinaryHeap;

use capstan_core::code::Node;

use crate::graph::Graph;
use crate::link::{OutgoingEdge, Relation};
use crate::missing::Missing;
use crate::names::Slot;

/// A path along edges.
#[derive(Clone, Debug, PartialEq)]
pub struct Path {
    /// The nodes from the first to the last, both included.
    pub nodes: Vec<Node>,
    /// The edges, one fewer than nodes.
    pub edges: Vec<Relation>,
    /// The sum of one divided by the confidence of each edge.
    pub cost: f64,
}

/// Costs are counted in fractions of one. 84 is divisible by everything that today's confidences
/// need, and the million serves others. So sums are exact, and equal paths are recognized as equal.
const UNIT: f64 = 84_000_000.0;

/// The cost to the end, and the number of edges.
type Distance = (u64, u32);

const FAR: Distance = (u64::MAX, u32::MAX);

impl Graph {
    /// Returns the cheapest path. Among paths of equal cost it has the fewest edges, then the first
    /// names.
    pub fn path(&self, from: &Node, to: &Node) -> Result<Path, Missing> {
        let find = |node: &Node| {
            let found = self.names.find(node);
            found.ok_or_else(|| Missing::Node(node.clone()))
        };
        let (start, end) = (find(from)?, find(to)?);
        let Some(distances) = self.distances(start, end) else {
            return Err(Missing::Path {
                from: from.clone(),
                to: to.clone(),
            });
        };
        let mut path = Path {
            nodes: vec![from.clone()],
            edges: Vec::new(),
            cost: distances[start as usize].0 as f64 / UNIT,
        };
        let mut here = start;
        while here != end {
            let left = distances[here as usize];
            let leads_there = |link: &&OutgoingEdge| {
                let (cost, edges) = distances[link.to as usize];
                left == (
                    cost.saturating_add(price(link.data.confidence())),
                    edges.saturating_add(1),
                )
            };
            let names = |link: &&OutgoingEdge| self.names.node(link.to);
            let ways = self.links(here).iter().filter(leads_there);
            let Some(link) = ways.min_by_key(names) else {
                break;
            };
            path.edges.push(self.relation(here, *link));
            path.nodes.push(self.names.node(link.to).clone());
            here = link.to;
        }
        Ok(path)
    }

    /// Returns the distance to the end from every node that is at most as far as the start; `None`
    /// if there is no path from the start.
    fn distances(&self, start: Slot, end: Slot) -> Option<Vec<Distance>> {
        let mut distances = vec![FAR; self.names.span()];
        let mut queue = BinaryHeap::from([Reverse(((0, 0), end))]);
        distances[end as usize] = (0, 0);
        while let Some(Reverse((distance, slot))) = queue.pop() {
            if slot == start {
                return Some(distances);
            }
            if distance > distances[slot as usize] {
                continue;
            }
            for source in self.sources(slot) {
                let longer = (distance.0 + price(source.confidence()), distance.1 + 1);
                if longer < distances[source.from as usize] {
                    distances[source.from as usize] = longer;
                    queue.push(Reverse((longer, source.from)));
                }
            }
        }
        None
    }
}

fn price(confidence: f64) -> u64 {
    (UNIT / confidence).round() as u64
}

#[cfg(test)]
mod tests {
    use capstan_core::code::{EdgeKind, EdgeSource};

    use super::*;

    #[test]
    fn prices_are_exact() {
        for kind in EdgeKind::ALL {
            for source in EdgeSource::ALL {
                let exact = UNIT / kind.confidence(source);
                assert!((exact - exact.round()).abs() < 1e-6, "{kind:?} {source:?}");
            }
        }
    }
}
