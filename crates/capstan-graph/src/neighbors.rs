//! Finds the nodes near a node.

use std::collections::hash_map::Entry;
use std::collections::{HashMap, HashSet};

use capstan_core::code::{EdgeKind, Node};
use capstan_core::port::Direction;

use crate::graph::Graph;
use crate::link::Relation;
use crate::missing::Missing;
use crate::names::Slot;

/// A node, and how it was reached.
#[derive(Clone, Debug, PartialEq)]
pub struct Neighbor {
    pub node: Node,
    /// The number of edges to it.
    pub distance: u32,
    /// The last edge; among several, the most certain.
    pub via: Relation,
}

/// Which edges are followed.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Around<'a> {
    pub direction: Direction,
    /// Only edges of these kinds; empty means all.
    pub kinds: &'a [EdgeKind],
    /// The maximum number of edges to a node.
    pub depth: u32,
    /// The maximum number of neighbours, the nearest first.
    pub limit: usize,
}

impl Default for Around<'_> {
    fn default() -> Self {
        Self {
            direction: Direction::Both,
            kinds: &[],
            depth: 1,
            limit: usize::MAX,
        }
    }
}

/// An edge over which a node was reached.
struct Hop {
    from: Slot,
    to: Slot,
    confidence: f64,
}

impl Graph {
    /// Returns the nodes around a node: the nearest first, then the most certain, then by name.
    pub fn neighbors(&self, node: &Node, around: &Around<'_>) -> Result<Vec<Neighbor>, Missing> {
        let find = self.names.find(node);
        let start = find.ok_or_else(|| Missing::Node(node.clone()))?;
        let mut found = Vec::new();
        let mut seen = HashSet::from([start]);
        let mut last = vec![start];
        for distance in 1..=around.depth {
            if found.len() >= around.limit {
                break;
            }
            let mut reached: HashMap<Slot, Hop> = HashMap::new();
            for here in &last {
                for (there, way) in self.hops(*here, around) {
                    if seen.contains(&there) {
                        continue;
                    }
                    match reached.entry(there) {
                        Entry::Vacant(entry) => {
                            entry.insert(way);
                        }
                        Entry::Occupied(mut entry) if self.is_surer(&way, entry.get()) => {
                            entry.insert(way);
                        }
                        Entry::Occupied(_) => {}
                    }
                }
            }
            if reached.is_empty() {
                break;
            }
            let mut level: Vec<(Slot, Hop)> = reached.into_iter().collect();
            level.sort_by(|(one, way), (two, other)| {
                let surest = other.confidence.total_cmp(&way.confidence);
                surest.then_with(|| self.names.node(*one).cmp(self.names.node(*two)))
            });
            last = level.iter().map(|(slot, _)| *slot).collect();
            seen.extend(&last);
            let room = around.limit - found.len();
            let told = level.into_iter().take(room).filter_map(|(slot, way)| {
                let data = self.data(way.from, way.to)?;
                Some(Neighbor {
                    node: self.names.node(slot).clone(),
                    distance,
                    via: data.relation(self.names.node(way.from), self.names.node(way.to)),
                })
            });
            found.extend(told);
        }
        Ok(found)
    }

    /// Returns the edges of a node to follow, with the node at the other end.
    fn hops(&self, here: Slot, around: &Around<'_>) -> impl Iterator<Item = (Slot, Hop)> {
        let wanted = |kind: EdgeKind| around.kinds.is_empty() || around.kinds.contains(&kind);
        let out = self.links(here).iter();
        let out =
            out.filter(move |link| around.direction != Direction::To && wanted(link.data.kind));
        let out = out.map(move |link| Hop {
            from: here,
            to: link.to,
            confidence: link.data.confidence(),
        });
        let into = self.sources(here).iter();
        let into = into.filter(move |it| around.direction != Direction::From && wanted(it.kind));
        let into = into.map(move |it| Hop {
            from: it.from,
            to: here,
            confidence: it.confidence(),
        });
        let out = out.map(|way| (way.to, way));
        out.chain(into.map(|way| (way.from, way)))
    }

    fn is_surer(&self, way: &Hop, than: &Hop) -> bool {
        let names = |way: &Hop| (self.names.node(way.from), self.names.node(way.to));
        let surer = way.confidence.total_cmp(&than.confidence);
        surer.then_with(|| names(than).cmp(&names(way))).is_gt()
    }
}
