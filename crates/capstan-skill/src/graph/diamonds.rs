//! Nodes that are reached in more than one way.

use super::Graph;
use super::components::components;

/// A node that several ways lead to.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Diamond {
    pub node: usize,
    /// Ways to it, each from the first node to this one, the shortest first, then in lexicographic order.
    pub paths: Vec<Vec<usize>>,
}

/// The diamonds below `from`, in ascending order, each with the first `most` of its paths.
///
/// A node has *several ways* if more than one path leads to it from `from`. It is a *diamond* if it has
/// several ways, unless another node explains them: one that has several ways itself, that all paths to
/// the first one pass through, and from which a single path leads on. So of `a → b → d → e` and
/// `a → c → d`, `d` is a diamond and `e` is not.
///
/// That is the same as to say: a node that at least two edges lead to, from nodes that are reached. If
/// only one edge does, the node before it explains all. If two do, whatever all paths pass through leads
/// on to the ends of both, and so explains nothing.
///
/// Edges that lie on cycles are passed over, as if they were not there: around a cycle there would be
/// ways without end, and it is a finding of its own.
///
/// All diamonds are found. Paths beyond a million nodes in total, the longest ones, are left out.
pub fn diamonds(graph: &Graph, from: usize, most: usize) -> Vec<Diamond> {
    if from >= graph.len() {
        return Vec::new();
    }
    let acyclic = Acyclic::new(graph);
    let edges = acyclic.edges_to_each(from);
    let mut diamonds: Vec<Diamond> = (0..graph.len())
        .filter(|&node| edges[node] > 1)
        .map(|node| Diamond {
            node,
            paths: Vec::new(),
        })
        .collect();
    if !diamonds.is_empty() {
        acyclic.fill(from, most, &mut diamonds);
    }
    diamonds
}

/// Nodes that are written down as parts of paths, in one call.
const MOST_WRITTEN: usize = 1_000_000;

/// A graph without the edges that lie on its cycles.
struct Acyclic<'a> {
    graph: &'a Graph,
    component: Vec<usize>,
}

/// A path: a node, and the path that leads to the node before it.
struct Way {
    node: usize,
    before: Option<usize>,
    length: usize,
}

impl<'a> Acyclic<'a> {
    fn new(graph: &'a Graph) -> Self {
        let mut component = vec![0; graph.len()];
        for nodes in components(graph) {
            for &node in &nodes {
                component[node] = nodes[0];
            }
        }
        Self { graph, component }
    }

    fn successors(&self, node: usize) -> impl Iterator<Item = usize> {
        let successors = self.graph.successors(node).iter().copied();
        successors.filter(move |&next| self.component[next] != self.component[node])
    }

    /// For each node, how many edges lead to it from nodes that are reached.
    fn edges_to_each(&self, from: usize) -> Vec<usize> {
        let mut edges = vec![0; self.graph.len()];
        let mut waiting = vec![from];
        while let Some(node) = waiting.pop() {
            for next in self.successors(node) {
                edges[next] += 1;
                if edges[next] == 1 {
                    waiting.push(next);
                }
            }
        }
        edges
    }

    /// Goes all ways at once, step by step, small numbers first: so they come up in the order in which
    /// paths are wanted. A way to a node that `most` others have reached before goes no further, for
    /// wherever it could lead, those others are there before it.
    fn fill(&self, from: usize, most: usize, diamonds: &mut [Diamond]) {
        let mut reached = vec![0; self.graph.len()];
        let mut written = 0;
        let mut ways = vec![Way {
            node: from,
            before: None,
            length: 1,
        }];
        let mut at = 0;
        while at < ways.len() {
            let Way { node, length, .. } = ways[at];
            if let Ok(place) = diamonds.binary_search_by_key(&node, |diamond| diamond.node) {
                written += length;
                if written > MOST_WRITTEN {
                    return;
                }
                diamonds[place].paths.push(path(&ways, at));
            }
            for next in self.successors(node) {
                if reached[next] < most {
                    reached[next] += 1;
                    ways.push(Way {
                        node: next,
                        before: Some(at),
                        length: length + 1,
                    });
                }
            }
            at += 1;
        }
    }
}

fn path(ways: &[Way], end: usize) -> Vec<usize> {
    let mut path = Vec::with_capacity(ways[end].length);
    let mut at = Some(end);
    while let Some(way) = at {
        path.push(ways[way].node);
        at = ways[way].before;
    }
    path.reverse();
    path
}
