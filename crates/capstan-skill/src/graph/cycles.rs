//! Finds every elementary cycle of a graph with Johnson's algorithm.

use std::collections::{BTreeMap, BTreeSet};

use super::Graph;
use super::components::Splitter;

/// The cycles that were found, and whether they are all.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Cycles {
    /// The nodes of each cycle, the smallest first. An edge leads from the last node back to the first.
    pub cycles: Vec<Vec<usize>>,
    /// Whether there are no other cycles.
    pub complete: bool,
    /// How many further cycles were counted.
    pub more: usize,
    /// Whether `more` is the exact number of further cycles.
    pub is_counted: bool,
}

/// Returns every elementary cycle once, in lexicographic order. An edge from a node to itself is a cycle of
/// one node.
///
/// The number of cycles can be exponential. The search stops after `most` cycles, or after examining some
/// millions of edges; the result says so. The cycles found until then are the first in lexicographic order.
/// The work per cycle is at most proportional to the size of the graph.
pub fn elementary_cycles(graph: &Graph, most: usize) -> Cycles {
    search(CycleSearch::new(graph, most))
}

/// Like [`elementary_cycles`], but also counts further cycles, as far as that is possible in a fraction of a
/// second.
pub fn counted_cycles(graph: &Graph, most: usize) -> Cycles {
    search(CycleSearch {
        counts: true,
        ..CycleSearch::new(graph, most)
    })
}

fn search(mut search: CycleSearch<'_>) -> Cycles {
    let is_counted = search.all().is_ok();
    Cycles {
        cycles: search.cycles,
        complete: is_counted && search.more == 0,
        more: search.more,
        is_counted,
    }
}

/// The largest number of examined edges plus recorded nodes. The search then takes a fraction of a second.
const MOST_WORK: usize = 5_000_000;

/// The search stopped before it was complete.
struct LimitReached;

struct CycleSearch<'a> {
    graph: &'a Graph,
    most: usize,
    work: usize,
    cycles: Vec<Vec<usize>>,
    /// Whether to count further cycles after `most` cycles.
    counts: bool,
    more: usize,
    nodes: Vec<CycleNode>,
    /// The path from the start of the cycle to the current node.
    path: Vec<PathEntry>,
}

#[derive(Clone, Default)]
struct CycleNode {
    /// The start node, plus one, of the latest search that includes this node.
    takes_part: usize,
    /// Whether the node is on the path, or reaches the start only across the path.
    blocked: bool,
    /// The nodes that stay blocked as long as this one is.
    blocks: BTreeSet<usize>,
}

struct PathEntry {
    node: usize,
    /// How many of its successors have been examined.
    looked: usize,
    /// Whether a cycle leads through it and the path before it.
    on_cycle: bool,
}

impl<'a> CycleSearch<'a> {
    fn new(graph: &'a Graph, most: usize) -> Self {
        Self {
            graph,
            most,
            work: 0,
            cycles: Vec::new(),
            counts: false,
            more: 0,
            nodes: vec![CycleNode::default(); graph.len()],
            path: Vec::new(),
        }
    }

    /// Finds, for each node in ascending order, the cycles whose smallest node it is. Without that node its
    /// component splits into smaller ones, and only those with cycles are searched, so no search is in vain.
    fn all(&mut self) -> Result<(), LimitReached> {
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

    /// Finds the cycles of a component that lead through its smallest node.
    fn from(&mut self, start: usize, part: &[usize]) -> Result<(), LimitReached> {
        // Nothing is blocked here: every node of a component reaches the start, so each earlier search ended
        // with all nodes unblocked.
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
        self.path.push(PathEntry {
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

    fn found(&mut self) -> Result<(), LimitReached> {
        if self.cycles.len() == self.most {
            self.more += 1;
            return if self.counts {
                self.spend(1)
            } else {
                Err(LimitReached)
            };
        }
        self.spend(self.path.len())?;
        self.cycles
            .push(self.path.iter().map(|place| place.node).collect());
        Ok(())
    }

    fn spend(&mut self, work: usize) -> Result<(), LimitReached> {
        self.work = self.work.saturating_add(work);
        if self.work > MOST_WORK {
            return Err(LimitReached);
        }
        Ok(())
    }
}
