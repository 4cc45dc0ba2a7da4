//! A directed graph: numbered nodes, and the successors of each.

/// A graph with the nodes `0..len()` and at most one edge per ordered pair. An edge may lead from a node to
/// itself.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Graph {
    /// The index in `targets` of the first successor of each node, and at last the length of `targets`.
    starts: Vec<usize>,
    targets: Vec<usize>,
}

impl Graph {
    /// Creates a graph. Edges may be in any order and repeated. Edges of nodes outside `0..nodes` are left
    /// out.
    pub fn new(nodes: usize, edges: impl IntoIterator<Item = (usize, usize)>) -> Self {
        let mut edges: Vec<(usize, usize)> = edges
            .into_iter()
            .filter(|&(from, to)| from < nodes && to < nodes)
            .collect();
        edges.sort_unstable();
        edges.dedup();

        let mut starts = vec![0; nodes + 1];
        for &(from, _) in &edges {
            starts[from + 1] += 1;
        }
        for node in 0..nodes {
            starts[node + 1] += starts[node];
        }
        Self {
            starts,
            targets: edges.into_iter().map(|(_, to)| to).collect(),
        }
    }

    /// Returns the number of nodes.
    pub fn len(&self) -> usize {
        self.starts.len() - 1
    }

    pub fn is_empty(&self) -> bool {
        self.len() == 0
    }

    /// Returns the successors of a node in ascending order; empty if the node does not exist.
    pub fn successors(&self, node: usize) -> &[usize] {
        match self.starts.get(node..).and_then(|rest| rest.get(..2)) {
            Some(&[start, end]) => &self.targets[start..end],
            _ => &[],
        }
    }

    /// Returns all edges in ascending order.
    pub fn edges(&self) -> impl Iterator<Item = (usize, usize)> {
        (0..self.len()).flat_map(|from| self.successors(from).iter().map(move |&to| (from, to)))
    }

    /// Returns the number of incoming edges of each node.
    pub(super) fn in_degrees(&self) -> Vec<usize> {
        let mut degrees = vec![0; self.len()];
        for &target in &self.targets {
            degrees[target] += 1;
        }
        degrees
    }

    /// Returns the number of these nodes plus the number of their outgoing edges.
    pub(super) fn size_of(&self, nodes: &[usize]) -> usize {
        let edges: usize = nodes.iter().map(|&node| self.successors(node).len()).sum();
        nodes.len() + edges
    }
}
