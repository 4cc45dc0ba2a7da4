//! Which leaf waits for which, and what is passed on between them.

use std::collections::{BTreeMap, BTreeSet};

use super::sources::Sources;
use crate::{NodeKind, Plan};

/// One leaf waits for another.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Edge {
    /// A number among the nodes of the plan, as `to` is.
    pub from: usize,
    pub to: usize,
    /// What is passed on: `diff`, `user.id`, `if ready` for what only a condition asks. Nothing where one
    /// simply comes after the other.
    pub fields: Vec<String>,
}

/// Everything that is passed on, and of the mere order what does not follow from the rest.
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

/// By who gets it, and who gives it.
type Passed = BTreeMap<usize, BTreeMap<usize, BTreeSet<String>>>;

fn data(plan: &Plan) -> Passed {
    let mut sources = Sources::new(plan);
    let mut passed = Passed::new();
    // What the condition of a composite asks is asked before its first steps.
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

/// Each leaf with those that it waits for, without those that these wait for already.
fn order(plan: &Plan) -> Vec<(usize, BTreeSet<usize>)> {
    let count = plan.nodes.len();
    // All leaves that are over before a leaf begins.
    let mut earlier: Vec<Bits> = Vec::with_capacity(count);
    // The leaves after which a node is over.
    let mut last: Vec<BTreeSet<usize>> = Vec::with_capacity(count);
    let mut order = Vec::new();
    for (index, node) in plan.nodes.iter().enumerate() {
        let before: BTreeSet<usize> = node
            .after
            .iter()
            .flat_map(|it| &last[*it])
            .copied()
            .collect();
        let mut further = Bits::new(count);
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
                earlier.push(Bits::new(0));
                last.push(direct);
            }
        }
    }
    order
}

/// A set of small numbers: plans may have thousands of leaves that all wait for each other.
#[derive(Clone)]
struct Bits(Vec<u64>);

impl Bits {
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
