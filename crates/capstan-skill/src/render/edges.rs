//! The edges between leaves: which waits for which, and what is passed between them.

use std::collections::{BTreeMap, BTreeSet};

use super::sources::Sources;
use crate::{NodeKind, Plan};

/// An edge between two leaves; the second waits for the first.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Edge {
    /// The index of a node in the plan, like `to`.
    pub from: usize,
    pub to: usize,
    /// The fields that are passed, such as `diff`, `user.id`, or `if ready` for a field that only a condition
    /// reads. Empty if only the order matters.
    pub fields: Vec<String>,
}

/// Returns all edges that pass data, and those other edges that do not follow from the rest.
pub fn edges(plan: &Plan) -> Vec<Edge> {
    let mut data = data(plan);
    let mut edges = Vec::new();
    for (to, before) in order(plan) {
        let passed = data.remove(&to).unwrap_or_default();
        let mut all: BTreeMap<usize, BTreeSet<String>> = passed;
        for from in before {
            all.entry(from).or_default();
        }
        edges.extend(all.into_iter().map(|(from, fields)| Edge {
            from,
            to,
            fields: fields.into_iter().collect(),
        }));
    }
    edges
}

/// The passed fields by consumer, then by producer.
type PassedFields = BTreeMap<usize, BTreeMap<usize, BTreeSet<String>>>;

fn data(plan: &Plan) -> PassedFields {
    let mut sources = Sources::new(plan);
    let mut passed = PassedFields::new();
    // A composite's condition is evaluated before its first steps, so these inherit the fields that it reads.
    let mut asked: Vec<Vec<(usize, String)>> = Vec::with_capacity(plan.nodes.len());
    for (index, node) in plan.nodes.iter().enumerate() {
        let mut asks = match node.after.first() {
            Some(begin) if node.after.len() == 1 && is_begin(plan, *begin) => asked[*begin].clone(),
            _ => Vec::new(),
        };
        let condition = node.condition.iter().flat_map(|it| it.paths());
        for path in condition {
            let found = sources.find(node.scope, path);
            asks.extend(
                found
                    .iter()
                    .map(|(from, field)| (*from, format!("if {field}"))),
            );
        }
        let inputs = node.inputs.iter().flat_map(|(_, given)| given.paths());
        let mut gets = Vec::new();
        for path in inputs {
            gets.extend(sources.find(node.scope, path).iter().cloned());
        }
        if let NodeKind::Run(_) = node.kind {
            for (from, field) in gets.into_iter().chain(asks.iter().cloned()) {
                let fields = passed.entry(index).or_default().entry(from).or_default();
                fields.insert(field);
            }
        }
        asked.push(asks);
    }
    passed
}

fn is_begin(plan: &Plan, node: usize) -> bool {
    matches!(plan.nodes[node].kind, NodeKind::Begin(_))
}

/// Returns each leaf with the leaves that it waits for directly.
fn order(plan: &Plan) -> Vec<(usize, BTreeSet<usize>)> {
    let count = plan.nodes.len();
    // All leaves that finish before each leaf starts.
    let mut earlier: Vec<BitSet> = Vec::with_capacity(count);
    // The leaves after which each node has finished.
    let mut last: Vec<BTreeSet<usize>> = Vec::with_capacity(count);
    let mut order = Vec::new();
    for (index, node) in plan.nodes.iter().enumerate() {
        let before: BTreeSet<usize> = node
            .after
            .iter()
            .flat_map(|it| &last[*it])
            .copied()
            .collect();
        let mut further = BitSet::new(count);
        for leaf in &before {
            further.add_all(&earlier[*leaf]);
        }
        let direct: BTreeSet<usize> = before.into_iter().filter(|it| !further.has(*it)).collect();
        match node.kind {
            NodeKind::Run(_) => {
                for leaf in &direct {
                    further.add(*leaf);
                }
                order.push((index, direct));
                earlier.push(further);
                last.push(BTreeSet::from([index]));
            }
            NodeKind::Begin(_) | NodeKind::End(_) => {
                earlier.push(BitSet::new(0));
                last.push(direct);
            }
        }
    }
    order
}

/// A set of small numbers. Plans may have thousands of leaves that all wait for each other.
#[derive(Clone)]
struct BitSet(Vec<u64>);

impl BitSet {
    fn new(count: usize) -> Self {
        Self(vec![0; count.div_ceil(64)])
    }

    fn add(&mut self, index: usize) {
        self.0[index / 64] |= 1 << (index % 64);
    }

    fn has(&self, index: usize) -> bool {
        self.0[index / 64] & (1 << (index % 64)) != 0
    }

    fn add_all(&mut self, other: &Self) {
        for (own, other) in self.0.iter_mut().zip(&other.0) {
            *own |= other;
        }
    }
}
