//! Every elementary cycle of a graph, by Johnson's algorithm.

use std::collections::{BTreeMap, BTreeSet};

use super::Graph;
use super::components::Splitter;

/// Cycles that were found, and whether these are all.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Cycles {
    /// Each as its nodes, the smallest first; from the last an edge leads back to the first.
    pub cycles: Vec<Vec<usize>>,
    /// There are no others.
    pub complete: bool,
    /// How many others were seen.
    pub more: usize,
    /// The others that were seen are all others.
    pub is_counted: bool,
}

/// Every elementary cycle once, in lexicographic order; an edge from a node to itself is a cycle of
/// one node.
///
/// There may be more than anybody can count. It stops, and says so, where there are more than `most`,
/// or where the search has looked at some millions of edges; what it found until then are the first in
/// lexicographic order. The work for each cycle is at most proportional to the size of the graph.
pub fn elementary_cycles(graph: &Graph, most: usize) -> Cycles {
    search(Search::new(graph, most))
}

/// The same, and how many more there are, as far as they can be counted in a fraction of a second.
pub fn counted_cycles(graph: &Graph, most: usize) -> Cycles {
    search(Search {
        counts: true,
        ..Search::new(graph, most)
    })
}

fn search(mut search: Search<'_>) -> Cycles {
    let is_counted = search.all().is_ok();
    Cycles {
        cycles: search.cycles,
        complete: is_counted && search.more == 0,
        more: search.more,
        is_counted,
    }
}

/// Edges that are looked at, and nodes that are written down, before the search ends. It takes a
/// fraction of a second.
const MOST_WORK: usize = 5_000_000;

/// There is more, but it is not searched for.
struct Enough;

struct Search<'a> {
    graph: &'a Graph,
    most: usize,
    work: usize,
    cycles: Vec<Vec<usize>>,
    /// Whether it goes on to count those that are not kept.
    counts: bool,
    more: usize,
    nodes: Vec<Node>,
    /// From the start of the cycle to where the search is.
    path: Vec<Place>,
}

#[derive(Clone, Default)]
struct Node {
    /// The start of the search that it takes part in, plus one.
    takes_part: usize,
    /// It is on the path, or from it no way leads to the start that does not cross the path.
    blocked: bool,
    /// Which nodes are blocked for as long as this one is.
    blocks: BTreeSet<usize>,
}

struct Place {
    node: usize,
    /// How many of its successors have been looked at.
    looked: usize,
    /// Whether a cycle goes through it and the path before it.
    on_cycle: bool,
}

impl<'a> Search<'a> {
    fn new(graph: &'a Graph, most: usize) -> Self {
        Self {
            graph,
            most,
            work: 0,
            cycles: Vec::new(),
            counts: false,
            more: 0,
            nodes: vec![Node::default(); graph.len()],
            path: Vec::new(),
        }
    }

    /// The cycles of which a node is the smallest, for each node in ascending order. Without that node
    /// its component falls into smaller ones, and each of these has cycles: so none is searched in vain.
    fn all(&mut self) -> Result<(), Enough> {
        let mut splitter = Splitter::new(self.graph);
        let everything: Vec<usize> = (0..self.graph.len()).collect();
        let mut waiting: BTreeMap<usize, Vec<usize>> = BTreeMap::new();
        let mut parts = splitter.split_cyclic(&everything);
        loop {
            waiting.extend(parts.into_iter().map(|part| (part[0], part)));
            let Some((start, part)) = waiting.pop_first() else {
                return Ok(());
            };
            self.spend(self.graph.size_of(&part))?;
            self.from(start, &part)?;
            parts = splitter.split_cyclic(&part[1..]);
        }
    }

    /// The cycles of a component that go through its smallest node.
    fn from(&mut self, start: usize, part: &[usize]) -> Result<(), Enough> {
        // Nothing is blocked: from each node of a component a way leads to the start, so each search before
        // ended with all nodes unblocked.
        for &node in part {
            self.nodes[node].takes_part = start + 1;
        }
        self.enter(start);
        while let Some(place) = self.path.last_mut() {
            let node = place.node;
            let Some(&next) = self.graph.successors(node).get(place.looked) else {
                self.leave(start);
                continue;
            };
            place.looked += 1;
            if next == start {
                place.on_cycle = true;
                self.found()?;
            } else if self.nodes[next].takes_part == start + 1 && !self.nodes[next].blocked {
                self.enter(next);
            }
            self.spend(1)?;
        }
        Ok(())
    }

    fn enter(&mut self, node: usize) {
        self.nodes[node].blocked = true;
        self.path.push(Place {
            node,
            looked: 0,
            on_cycle: false,
        });
    }

    fn leave(&mut self, start: usize) {
        let Some(place) = self.path.pop() else {
            return;
        };
        if place.on_cycle {
            self.unblock(place.node);
            if let Some(before) = self.path.last_mut() {
                before.on_cycle = true;
            }
            return;
        }
        for &next in self.graph.successors(place.node) {
            let next = &mut self.nodes[next];
            if next.takes_part == start + 1 {
                next.blocks.insert(place.node);
            }
        }
    }

    fn unblock(&mut self, node: usize) {
        let mut waiting = vec![node];
        while let Some(node) = waiting.pop() {
            let node = &mut self.nodes[node];
            if node.blocked {
                node.blocked = false;
                waiting.extend(std::mem::take(&mut node.blocks));
            }
        }
    }

    fn found(&mut self) -> Result<(), Enough> {
        if self.cycles.len() == self.most {
            self.more += 1;
            return if self.counts {
                self.spend(1)
            } else {
                Err(Enough)
            };
        }
        self.spend(self.path.len())?;
        self.cycles
            .push(self.path.iter().map(|place| place.node).collect());
        Ok(())
    }

    fn spend(&mut self, work: usize) -> Result<(), Enough> {
        self.work = self.work.saturating_add(work);
        if self.work > MOST_WORK {
            return Err(Enough);
        }
        Ok(())
    }
}
