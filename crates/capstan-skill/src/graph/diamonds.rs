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

/// The diamonds below several nodes, and whether that is all.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Diamonds {
    /// For each first node that has any, in the order in which they were given.
    pub below: Vec<(usize, Vec<Diamond>)>,
    /// Whether all first nodes were looked at, and no paths left out but for what was asked for.
    pub complete: bool,
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
/// All diamonds are found. Paths beyond a hundred thousand nodes in total, the longest ones, are left
/// out, so that a diamond that is far away may have less than two, or none.
pub fn diamonds(graph: &Graph, from: usize, most: usize) -> Vec<Diamond> {
    Search::new(graph, most).below(from)
}

/// As [`diamonds`], below each of `roots`; the whole graph is looked at once, and then for each root
/// what is below it. It ends before the next root when it has looked at some millions of edges.
pub fn all_diamonds(
    graph: &Graph,
    roots: impl IntoIterator<Item = usize>,
    most: usize,
) -> Diamonds {
    let mut search = Search::new(graph, most);
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

/// Nodes that are written down as parts of paths from one root.
const MOST_WRITTEN: usize = 100_000;

/// Edges that are looked at, and nodes that are written down, below all roots. It takes a fraction of a
/// second.
const MOST_WORK: usize = 20_000_000;

struct Search {
    /// The graph without the edges that lie on its cycles.
    graph: Graph,
    most: usize,
    nodes: Vec<Node>,
    work: usize,
    complete: bool,
}

#[derive(Clone, Default)]
struct Node {
    /// How many edges lead to it, from nodes that are reached.
    edges: usize,
    /// How many ways to it have been followed.
    ways: usize,
}

/// A path: a node, and the path that leads to the node before it.
struct Way {
    node: usize,
    before: Option<usize>,
    length: usize,
}

impl Search {
    fn new(graph: &Graph, most: usize) -> Self {
        Self {
            graph: without_cycles(graph),
            most,
            nodes: vec![Node::default(); graph.len()],
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
            self.nodes[node] = Node::default();
        }
        diamonds
    }

    /// The nodes that are reached, and how many edges lead to each.
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

    /// Goes all ways at once, step by step, small numbers first: so they come up in the order in which
    /// paths are wanted. A way to a node that `most` others have reached before goes no further, for
    /// wherever it could lead, those others are there before it.
    fn fill(&mut self, from: usize, diamonds: &mut [Diamond]) {
        let mut written = 0;
        let mut ways = vec![Way {
            node: from,
            before: None,
            length: 1,
        }];
        let mut at = 0;
        while let Some(&Way { node, length, .. }) = ways.get(at) {
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
