//! Finds nodes that can be reached along several paths.

use super::Graph;
use super::components::components;

/// A node that several paths lead to.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Diamond {
    pub node: usize,
    /// Paths from the root to this node, the shortest first, then in lexicographic order.
    pub paths: Vec<Vec<usize>>,
}

/// The diamonds below several roots, and whether they are all.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Diamonds {
    /// Each root that has diamonds, in the order of the arguments.
    pub below: Vec<(usize, Vec<Diamond>)>,
    /// Whether all roots were searched, and no path was left out except those above the requested number.
    pub complete: bool,
}

/// Returns the diamonds below `from` in ascending order, each with the first `most` of its paths.
///
/// A node has *several paths* if more than one path leads to it from `from`. It is a *diamond* if it has
/// several paths, unless another node explains them: a node that has several paths itself, that lies on all
/// paths to the first one, and from which a single path leads on. In `a → b → d → e` and `a → c → d`, `d` is
/// a diamond and `e` is not.
///
/// Equivalently, a diamond is a node with at least two incoming edges from reachable nodes. With only one
/// such edge, the node before it explains everything. With two, any node on all paths leads on to the starts
/// of both, and so explains nothing.
///
/// Edges on cycles are ignored: a cycle would yield infinitely many paths, and is reported separately.
///
/// All diamonds are found. Paths are limited to a hundred thousand nodes in total, and the longest are left
/// out, so a distant diamond may have fewer than two paths, or none.
pub fn diamonds(graph: &Graph, from: usize, most: usize) -> Vec<Diamond> {
    DiamondSearch::new(graph, most).below(from)
}

/// Returns the diamonds below each of `roots`, as [`diamonds`] does. The whole graph is examined once, then
/// the part below each root. The search stops before the next root once it has examined some millions of
/// edges.
pub fn all_diamonds(
    graph: &Graph,
    roots: impl IntoIterator<Item = usize>,
    most: usize,
) -> Diamonds {
    let mut search = DiamondSearch::new(graph, most);
    let mut below = Vec::new();
    for root in roots {
        if search.work > MOST_WORK {
            search.complete = false;
            break;
        }
        let diamonds = search.below(root);
        if !diamonds.is_empty() {
            below.push((root, diamonds));
        }
    }
    Diamonds {
        below,
        complete: search.complete,
    }
}

/// The largest number of nodes in all paths from one root.
const MOST_WRITTEN: usize = 100_000;

/// The largest number of examined edges plus recorded nodes below all roots. The search then takes a fraction
/// of a second.
const MOST_WORK: usize = 20_000_000;

struct DiamondSearch {
    /// The graph without the edges on its cycles.
    graph: Graph,
    most: usize,
    nodes: Vec<DiamondNode>,
    work: usize,
    complete: bool,
}

#[derive(Clone, Default)]
struct DiamondNode {
    /// The number of incoming edges from reachable nodes.
    edges: usize,
    /// The number of paths to it that have been followed.
    ways: usize,
}

/// The end of a path: a node, and the index of the link before it.
struct PathLink {
    node: usize,
    before: Option<usize>,
    length: usize,
}

impl DiamondSearch {
    fn new(graph: &Graph, most: usize) -> Self {
        Self {
            graph: without_cycles(graph),
            most,
            nodes: vec![DiamondNode::default(); graph.len()],
            work: 0,
            complete: true,
        }
    }

    fn below(&mut self, from: usize) -> Vec<Diamond> {
        let reached = self.reach(from);
        let mut diamonds: Vec<Diamond> = reached
            .iter()
            .filter(|&&node| self.nodes[node].edges > 1)
            .map(|&node| Diamond {
                node,
                paths: Vec::new(),
            })
            .collect();
        if !diamonds.is_empty() {
            diamonds.sort_unstable_by_key(|diamond| diamond.node);
            self.fill(from, &mut diamonds);
        }
        for node in reached {
            self.nodes[node] = DiamondNode::default();
        }
        diamonds
    }

    /// Returns the reachable nodes, and counts the incoming edges of each.
    fn reach(&mut self, from: usize) -> Vec<usize> {
        let mut reached = Vec::new();
        let mut waiting = vec![from];
        while let Some(node) = waiting.pop() {
            for &next in self.graph.successors(node) {
                self.work += 1;
                self.nodes[next].edges += 1;
                if self.nodes[next].edges == 1 {
                    reached.push(next);
                    waiting.push(next);
                }
            }
        }
        reached
    }

    /// Follows all paths breadth first and in ascending order, so that they appear in the required order. A
    /// path to a node that `most` others have reached is not followed further: wherever it leads, those
    /// others arrive first.
    fn fill(&mut self, from: usize, diamonds: &mut [Diamond]) {
        let mut written = 0;
        let mut ways = vec![PathLink {
            node: from,
            before: None,
            length: 1,
        }];
        let mut at = 0;
        while let Some(&PathLink { node, length, .. }) = ways.get(at) {
            if let Ok(place) = diamonds.binary_search_by_key(&node, |diamond| diamond.node) {
                written += length;
                self.work += length;
                if written > MOST_WRITTEN {
                    self.complete = false;
                    return;
                }
                diamonds[place].paths.push(path(&ways, at));
            }
            for &next in self.graph.successors(node) {
                self.work += 1;
                if self.nodes[next].ways < self.most {
                    self.nodes[next].ways += 1;
                    ways.push(PathLink {
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

fn without_cycles(graph: &Graph) -> Graph {
    let mut component = vec![0; graph.len()];
    for nodes in components(graph) {
        for &node in &nodes {
            component[node] = nodes[0];
        }
    }
    let kept = graph
        .edges()
        .filter(|&(from, to)| component[from] != component[to]);
    Graph::new(graph.len(), kept)
}

fn path(ways: &[PathLink], end: usize) -> Vec<usize> {
    let mut path = Vec::with_capacity(ways[end].length);
    let mut at = Some(end);
    while let Some(way) = at {
        path.push(ways[way].node);
        at = ways[way].before;
    }
    path.reverse();
    path
}
