//! One cycle for each knot of nodes, for where all cycles would be too many.

use std::collections::VecDeque;

use super::Graph;
use super::components::Splitter;

/// For each strongly connected component that has cycles, by its smallest node: its shortest cycle, the
/// smallest node first; of several, the lexicographically first.
///
/// In a component of many hundred nodes or more it may be longer than the shortest: the search, which
/// starts from one node after the other, ends when it has looked at some millions of edges.
pub fn one_cycle_each(graph: &Graph) -> Vec<Vec<usize>> {
    let everything: Vec<usize> = (0..graph.len()).collect();
    let mut components = Splitter::new(graph).split_cyclic(&everything);
    components.sort_unstable();
    let mut search = Search::new(graph);
    components
        .iter()
        .map(|component| search.shortest(component))
        .collect()
}

/// Edges that are looked at in one component, after a first cycle was found.
const MOST_WORK: usize = 2_000_000;

struct Search<'a> {
    graph: &'a Graph,
    nodes: Vec<Node>,
    waiting: VecDeque<usize>,
    work: usize,
}

#[derive(Clone, Default)]
struct Node {
    /// The smallest node of its component, plus one; other components are not entered.
    component: usize,
    /// The start of the search that last came by, plus one.
    seen: usize,
    /// Where that search came from.
    before: usize,
    /// How far that search had gone.
    depth: usize,
}

impl<'a> Search<'a> {
    fn new(graph: &'a Graph) -> Self {
        Self {
            graph,
            nodes: vec![Node::default(); graph.len()],
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

    /// The shortest cycle through a node and larger ones, if it is shorter than `below`; those through
    /// smaller ones have been searched for from there.
    ///
    /// Breadth comes before depth and small numbers before large ones, so the first cycle that closes is
    /// the lexicographically first of the shortest.
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
