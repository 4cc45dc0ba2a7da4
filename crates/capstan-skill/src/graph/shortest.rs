//! Finds one cycle per component, for graphs that have too many cycles.

use std::collections::VecDeque;

use super::Graph;
use super::components::Splitter;

/// Returns the shortest cycle of each strongly connected component that has cycles, sorted by smallest node.
/// Each cycle begins with its smallest node. Of several shortest cycles, the lexicographically first is
/// returned.
///
/// In a component of many hundred nodes, the result may not be the shortest cycle: the search starts from one
/// node after the other, and stops after examining some millions of edges.
pub fn one_cycle_each(graph: &Graph) -> Vec<Vec<usize>> {
    let everything: Vec<usize> = (0..graph.len()).collect();
    let mut components = Splitter::new(graph).split_cyclic(&everything);
    components.sort_unstable();
    let mut search = ShortestCycleSearch::new(graph);
    components
        .iter()
        .map(|component| search.shortest(component))
        .collect()
}

/// The largest number of edges that are examined in one component after the first cycle was found.
const MOST_WORK: usize = 2_000_000;

struct ShortestCycleSearch<'a> {
    graph: &'a Graph,
    nodes: Vec<ShortestCycleNode>,
    waiting: VecDeque<usize>,
    work: usize,
}

#[derive(Clone, Default)]
struct ShortestCycleNode {
    /// The smallest node of its component, plus one. Other components are not entered.
    component: usize,
    /// The start node, plus one, of the search that visited it last.
    seen: usize,
    /// The node before it in that search.
    before: usize,
    /// Its depth in that search.
    depth: usize,
}

impl<'a> ShortestCycleSearch<'a> {
    fn new(graph: &'a Graph) -> Self {
        Self {
            graph,
            nodes: vec![ShortestCycleNode::default(); graph.len()],
            waiting: VecDeque::new(),
            work: 0,
        }
    }

    fn shortest(&mut self, component: &[usize]) -> Vec<usize> {
        for &node in component {
            self.nodes[node].component = component[0] + 1;
        }
        self.work = 0;
        let mut shortest: Option<Vec<usize>> = None;
        for &start in component {
            let below = shortest.as_ref().map_or(usize::MAX, Vec::len);
            if below == 1 || (shortest.is_some() && self.work > MOST_WORK) {
                break;
            }
            if let Some(shorter) = self.through(start, below) {
                shortest = Some(shorter);
            }
        }
        shortest.unwrap_or_default()
    }

    /// Returns the shortest cycle through this node and larger ones, if it is shorter than `below`. Cycles
    /// through smaller nodes were found in the searches from those.
    ///
    /// The search is breadth first and in ascending order, so the first cycle that closes is the
    /// lexicographically first of the shortest.
    fn through(&mut self, start: usize, below: usize) -> Option<Vec<usize>> {
        let component = self.nodes[start].component;
        self.nodes[start].depth = 1;
        self.waiting.clear();
        self.waiting.push_back(start);
        while let Some(node) = self.waiting.pop_front() {
            let depth = self.nodes[node].depth;
            if depth >= below {
                return None;
            }
            for &next in self.graph.successors(node) {
                self.work += 1;
                if next == start {
                    return Some(self.path(start, node));
                }
                let place = &mut self.nodes[next];
                if next > start && place.component == component && place.seen != start + 1 {
                    place.seen = start + 1;
                    place.before = node;
                    place.depth = depth + 1;
                    self.waiting.push_back(next);
                }
            }
        }
        None
    }

    fn path(&self, start: usize, end: usize) -> Vec<usize> {
        let mut path = vec![end];
        let mut node = end;
        while node != start {
            node = self.nodes[node].before;
            path.push(node);
        }
        path.reverse();
        path
    }
}
