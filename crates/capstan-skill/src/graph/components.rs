//! Strongly connected components: nodes that all reach each other. Every cycle is inside of one.

use super::Graph;

/// The strongly connected components, each in ascending order, by their smallest nodes. A node that is
/// on no cycle is a component of its own.
pub fn components(graph: &Graph) -> Vec<Vec<usize>> {
    let all: Vec<usize> = (0..graph.len()).collect();
    let mut components = Splitter::new(graph).split(&all);
    components.sort_unstable();
    components
}

/// Splits parts of a graph into components, again and again, at a cost that depends on the part alone.
///
/// It is Tarjan's algorithm, with a stack of its own in place of recursion: paths may be as long as the
/// graph is large.
pub(super) struct Splitter<'a> {
    graph: &'a Graph,
    nodes: Vec<Visit>,
    /// Nodes on the way to where the search is.
    path: Vec<usize>,
    /// Nodes that have been seen and are in no component yet.
    open: Vec<usize>,
}

#[derive(Clone, Default)]
struct Visit {
    state: State,
    /// When it was seen.
    index: usize,
    /// The earliest open node that is known to be reached from it.
    low: usize,
    /// How many of its successors have been looked at.
    looked: usize,
}

#[derive(Clone, Copy, Default, PartialEq, Eq)]
enum State {
    /// Not of the part that is split, or already in a component.
    #[default]
    Outside,
    Unseen,
    Open,
}

impl<'a> Splitter<'a> {
    pub(super) fn new(graph: &'a Graph) -> Self {
        Self {
            graph,
            nodes: vec![Visit::default(); graph.len()],
            path: Vec::new(),
            open: Vec::new(),
        }
    }

    /// The components of the graph that has only these nodes, each in ascending order.
    pub(super) fn split(&mut self, part: &[usize]) -> Vec<Vec<usize>> {
        for &node in part {
            self.nodes[node].state = State::Unseen;
        }
        let mut components = Vec::new();
        let mut seen = 0;
        for &root in part {
            if self.nodes[root].state == State::Unseen {
                self.visit(root, &mut seen, &mut components);
            }
        }
        components
    }

    /// The parts that have cycles: more than one node, or one with an edge to itself.
    pub(super) fn split_cyclic(&mut self, part: &[usize]) -> Vec<Vec<usize>> {
        let mut components = self.split(part);
        components.retain(|component| match component[..] {
            [node] => self.graph.successors(node).binary_search(&node).is_ok(),
            _ => true,
        });
        components
    }

    fn visit(&mut self, root: usize, seen: &mut usize, components: &mut Vec<Vec<usize>>) {
        self.enter(root, seen);
        while let Some(&node) = self.path.last() {
            let looked = self.nodes[node].looked;
            if let Some(&next) = self.graph.successors(node).get(looked) {
                self.nodes[node].looked += 1;
                match self.nodes[next].state {
                    State::Outside => {}
                    State::Unseen => self.enter(next, seen),
                    State::Open => self.lower(node, self.nodes[next].index),
                }
            } else {
                self.path.pop();
                if let Some(&before) = self.path.last() {
                    self.lower(before, self.nodes[node].low);
                }
                if self.nodes[node].low == self.nodes[node].index {
                    components.push(self.close(node));
                }
            }
        }
    }

    fn enter(&mut self, node: usize, seen: &mut usize) {
        self.nodes[node] = Visit {
            state: State::Open,
            index: *seen,
            low: *seen,
            looked: 0,
        };
        *seen += 1;
        self.path.push(node);
        self.open.push(node);
    }

    fn lower(&mut self, node: usize, low: usize) {
        let visit = &mut self.nodes[node];
        visit.low = visit.low.min(low);
    }

    /// Takes what has been seen since the first node of a component: all of that belongs to it.
    fn close(&mut self, first: usize) -> Vec<usize> {
        let index = self.nodes[first].index;
        let start = self
            .open
            .partition_point(|&node| self.nodes[node].index < index);
        let mut component = self.open.split_off(start);
        for &node in &component {
            self.nodes[node].state = State::Outside;
        }
        component.sort_unstable();
        component
    }
}
