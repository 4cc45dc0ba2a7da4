//! A directed graph: numbered nodes, and for each the nodes that its edges lead to.

/// Nodes `0..len()`; at most one edge from one node to another, and an edge may lead back to its node.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Graph {
    /// Where the successors of a node begin in `targets`; one entry more than there are nodes.
    starts: Vec<usize>,
    targets: Vec<usize>,
}

impl Graph {
    /// Edges may come in any order and more than once. One that names a node that is not there is left
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

    /// How many nodes there are.
    pub fn len(&self) -> usize {
        self.starts.len() - 1
    }

    pub fn is_empty(&self) -> bool {
        self.len() == 0
    }

    /// Where the edges of a node lead, in ascending order; nowhere if the node is not there.
    pub fn successors(&self, node: usize) -> &[usize] {
        match self.starts.get(node..).and_then(|rest| rest.get(..2)) {
            Some(&[start, end]) => &self.targets[start..end],
            _ => &[],
        }
    }

    /// All edges, in ascending order.
    pub fn edges(&self) -> impl Iterator<Item = (usize, usize)> {
        (0..self.len()).flat_map(|from| self.successors(from).iter().map(move |&to| (from, to)))
    }

    /// How many edges lead to each node.
    pub(super) fn in_degrees(&self) -> Vec<usize> {
        let mut degrees = vec![0; self.len()];
        for &target in &self.targets {
            degrees[target] += 1;
        }
        degrees
    }

    /// What it costs to look at these nodes and at all their edges.
    pub(super) fn size_of(&self, nodes: &[usize]) -> usize {
        let edges: usize = nodes.iter().map(|&node| self.successors(node).len()).sum();
        nodes.len() + edges
    }
}
