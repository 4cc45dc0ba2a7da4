//! What is near a node.

use std::collections::HashMap;
use std::collections::hash_map::Entry;

use capstan_core::code::{EdgeKind, Node};
use capstan_core::port::Direction;

use crate::graph::Graph;
use crate::link::{Bond, Relation};
use crate::missing::Missing;
use crate::names::Slot;

/// A node, and how it was reached.
#[derive(Clone, Debug, PartialEq)]
pub struct Neighbor {
    pub node: Node,
    /// Over how many edges.
    pub distance: u32,
    /// The last of them. Of several, the surest.
    pub via: Relation,
}

/// What of a graph is followed.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Around<'a> {
    pub direction: Direction,
    /// Only these; none means all.
    pub kinds: &'a [EdgeKind],
    /// Over at most so many edges.
    pub depth: u32,
    /// At most so many, the nearest first.
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
struct Way {
    from: Slot,
    to: Slot,
    bond: Bond,
}

impl Graph {
    /// Nodes around one: the nearest first, then the surest, then by name.
    pub fn neighbors(&self, node: &Node, around: &Around<'_>) -> Result<Vec<Neighbor>, Missing> {
        let find = self.names.find(node);
        let start = find.ok_or_else(|| Missing::Node(node.clone()))?;
        let mut found = Vec::new();
        let mut seen = HashMap::from([(start, 0)]);
        let mut last = vec![start];
        for distance in 1..=around.depth {
            let mut reached: HashMap<Slot, Way> = HashMap::new();
            for here in &last {
                for (there, way) in self.ways(*here, around) {
                    if seen.contains_key(&there) {
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
            if reached.is_empty() || found.len() >= around.limit {
                break;
            }
            let mut level: Vec<(Slot, Way)> = reached.into_iter().collect();
            level.sort_by(|(one, way), (two, other)| {
                let surest = other.bond.confidence().total_cmp(&way.bond.confidence());
                surest.then_with(|| self.names.node(*one).cmp(self.names.node(*two)))
            });
            last = level.iter().map(|(slot, _)| *slot).collect();
            seen.extend(last.iter().map(|slot| (*slot, distance)));
            let room = around.limit - found.len();
            found.extend(level.into_iter().take(room).map(|(slot, way)| {
                Neighbor {
                    node: self.names.node(slot).clone(),
                    distance,
                    via: way
                        .bond
                        .relation(self.names.node(way.from), self.names.node(way.to)),
                }
            }));
        }
        Ok(found)
    }

    /// The edges of a node that are to be followed, with the node at their other end.
    fn ways(&self, here: Slot, around: &Around<'_>) -> impl Iterator<Item = (Slot, Way)> {
        let wanted = |bond: Bond| around.kinds.is_empty() || around.kinds.contains(&bond.kind);
        let out = self.links(here).iter().map(move |link| {
            let (to, bond) = (link.to, link.bond);
            (
                to,
                Way {
                    from: here,
                    to,
                    bond,
                },
            )
        });
        let into = self.incoming(here).map(move |(from, bond)| {
            let way = Way {
                from,
                to: here,
                bond,
            };
            (from, way)
        });
        let out = out.filter(|_| around.direction != Direction::To);
        let into = into.filter(|_| around.direction != Direction::From);
        out.chain(into).filter(move |(_, way)| wanted(way.bond))
    }

    fn is_surer(&self, way: &Way, than: &Way) -> bool {
        let names = |way: &Way| (self.names.node(way.from), self.names.node(way.to));
        let surer = way.bond.confidence().total_cmp(&than.bond.confidence());
        surer.then_with(|| names(than).cmp(&names(way))).is_gt()
    }
}
