//! The graph as a whole, in pages.

use std::collections::BTreeSet;

use capstan_core::code::{EdgeKind, EdgeSource, Node};

use crate::cursor::Cursor;
use crate::graph::Graph;
use crate::link::{Bond, Relation};
use crate::names::{Slot, number};

/// Which edges are shown; what says nothing lets everything pass. With them go the nodes at their ends, and no
/// others.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Filter {
    /// Only these; none means all.
    pub kinds: Vec<EdgeKind>,
    /// Only these; none means all.
    pub sources: Vec<EdgeSource>,
    pub min_confidence: Option<f64>,
    /// Both ends have names that begin so.
    pub prefix: Option<String>,
    /// Both ends are of this kind.
    pub nodes: Option<NodeKind>,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum NodeKind {
    Code,
    Named,
}

/// Which part of it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Page {
    /// At most so many edges, and at least one.
    pub edges: usize,
    /// Where the page before ended.
    pub after: Option<Cursor>,
}

/// Edges in the order of their ends, and the nodes at these ends in the order of their names: each page is a
/// graph of its own. Every edge is on one page; nodes may be on several.
#[derive(Clone, Debug, PartialEq)]
pub struct Snapshot {
    pub nodes: Vec<SnapshotNode>,
    pub edges: Vec<Relation>,
    /// Of all pages.
    pub total_nodes: usize,
    /// Of all pages.
    pub total_edges: usize,
    /// Where the next page begins. Nothing on the last.
    pub next: Option<Cursor>,
}

#[derive(Clone, Debug, PartialEq)]
pub struct SnapshotNode {
    pub node: Node,
    /// In the whole graph.
    pub rank: f64,
    /// In the whole graph.
    pub community: u32,
}

impl Graph {
    pub fn snapshot(&self, filter: &Filter, page: &Page) -> Snapshot {
        let order = self.order();
        let begins_at = page.after.as_ref().map(|cursor| self.after(cursor));
        let most = page.edges.max(1);
        let mut snapshot = Snapshot {
            nodes: Vec::new(),
            edges: Vec::new(),
            total_nodes: 0,
            total_edges: 0,
            next: None,
        };
        let mut shown = BTreeSet::new();
        let mut matched = vec![false; order.slots.len()];
        let passes: Vec<bool> = order
            .slots
            .iter()
            .map(|it| self.lets(filter, *it))
            .collect();
        let mut row = Vec::new();
        for (place, slot) in order.slots.iter().enumerate() {
            if !passes[place] {
                continue;
            }
            row.clear();
            let wanted = |(to, bond): &(u32, Bond)| passes[*to as usize] && filter.wants(*bond);
            row.extend(self.row(*slot).filter(wanted));
            snapshot.total_edges += row.len();
            for (to, _) in &row {
                matched[place] = true;
                matched[*to as usize] = true;
            }
            let from = number(place);
            let is_before = begins_at.is_some_and(|(begin, _)| from < begin);
            if is_before || snapshot.next.is_some() {
                continue;
            }
            row.sort_unstable_by_key(|(to, _)| *to);
            for (to, bond) in &row {
                if begins_at.is_some_and(|begin| (from, *to) < begin) {
                    continue;
                }
                if snapshot.edges.len() == most {
                    snapshot.next = snapshot.edges.last().map(|last| Cursor {
                        from: last.from.clone(),
                        to: last.to.clone(),
                    });
                    break;
                }
                let end = self.names.node(order.slots[*to as usize]);
                let relation = bond.relation(self.names.node(*slot), end);
                snapshot.edges.push(relation);
                shown.extend([from, *to]);
            }
        }
        snapshot.total_nodes = matched.iter().filter(|it| **it).count();
        snapshot.nodes = shown.into_iter().map(|it| self.shown(it)).collect();
        snapshot
    }

    fn shown(&self, place: u32) -> SnapshotNode {
        let place = place as usize;
        SnapshotNode {
            node: self.names.node(self.order().slots[place]).clone(),
            rank: self.ranks()[place],
            community: self.community_numbers()[place],
        }
    }

    /// The places of the first edge that comes after one, which may be gone.
    fn after(&self, cursor: &Cursor) -> (u32, u32) {
        let slots = &self.order().slots;
        let find = |node: &Node| slots.binary_search_by(|slot| self.names.node(*slot).cmp(node));
        match find(&cursor.from) {
            Ok(from) => match find(&cursor.to) {
                Ok(to) => (number(from), number(to + 1)),
                Err(to) => (number(from), number(to)),
            },
            Err(from) => (number(from), 0),
        }
    }

    fn lets(&self, filter: &Filter, slot: Slot) -> bool {
        let node = self.names.node(slot);
        let kind = match node {
            Node::Code(_) => NodeKind::Code,
            Node::Named(_) => NodeKind::Named,
        };
        let prefix = filter.prefix.as_deref().unwrap_or_default();
        filter.nodes.is_none_or(|wanted| wanted == kind) && node.as_str().starts_with(prefix)
    }
}

impl Filter {
    fn wants(&self, bond: Bond) -> bool {
        (self.kinds.is_empty() || self.kinds.contains(&bond.kind))
            && (self.sources.is_empty() || self.sources.contains(&bond.source))
            && self
                .min_confidence
                .is_none_or(|least| bond.confidence() >= least)
    }
}

impl Default for Page {
    fn default() -> Self {
        Self {
            edges: 1000,
            after: None,
        }
    }
}
