//! Strongly connected components: sets of nodes that all reach each other. Every cycle is inside one.

use super::Graph;

/// Returns the strongly connected components, sorted by their smallest nodes, each in ascending order. A node
/// that is on no cycle is a component of its own.
pub fn components(graph: &Graph) -> Vec<Vec<usize>> {
    let all: Vec<usize> = (0..graph.len()).collect();
    let mut components = Splitter::new(graph).split(&all);
    components.sort_unstable();
    components
}

/// Splits parts of a graph into components repeatedly. The cost depends only on the size of the part.
///
/// This is Tarjan's algorithm with an explicit stack instead of recursion, because paths may be as long as
/// the graph is large.
pub(super) struct Splitter<'a> {
    graph: &'a Graph,
    nodes: Vec<Visit>,
    /// The nodes on the path to the current node.
    path: Vec<usize>,
    /// The visited nodes that are in no component yet.
    open: Vec<usize>,
}

#[derive(Clone, Default)]
struct Visit {
    state: VisitState,
    /// The position of the node in the order of visits.
    index: usize,
    /// The earliest open node that is known to be reachable from it.
    low: usize,
    /// How many of its successors have been examined.
    looked: usize,
}

#[derive(Clone, Copy, Default, PartialEq, Eq)]
enum VisitState {
    /// Not in the part that is split, or already in a component.
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

    /// Returns the components of the subgraph with only these nodes, each in ascending order.
    pub(super) fn split(&mut self, part: &[usize]) -> Vec<Vec<usize>> {
        for &node in part {
            self.nodes[node].state = VisitState::Unseen;
        }
        let mut components = Vec::new();
        let mut seen = 0;
        for &root in part {
            if self.nodes[root].state == VisitState::Unseen {
                self.visit(root, &mut seen, &mut components);
            }
        }
        components
    }

    /// Returns the components that have cycles: those with several nodes, or with an edge from a node to
    /// itself.
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
                    VisitState::Outside => {}
                    VisitState::Unseen => self.enter(next, seen),
                    VisitState::Open => self.lower(node, self.nodes[next].index),
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
            state: VisitState::Open,
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

    /// Removes and returns the component that starts at this node: everything visited since then belongs to
    /// it.
    fn close(&mut self, first: usize) -> Vec<usize> {
        let index = self.nodes[first].index;
        let start = self
            .open
            .partition_point(|&node| self.nodes[node].index < index);
        let mut component = self.open.split_off(start);
        for &node in &component {
            self.nodes[node].state = VisitState::Outside;
        }
        component.sort_unstable();
        component
    }
}
