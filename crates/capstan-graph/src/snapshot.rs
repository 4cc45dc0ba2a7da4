//! The whole graph, in pages.

use std::collections::BTreeSet;

use capstan_core::code::{EdgeKind, EdgeSource, Node};

use crate::cursor::Cursor;
use crate::graph::Graph;
use crate::link::{EdgeData, Relation};
use crate::names::{Slot, number};

/// Selects edges; an empty field selects everything. Only the nodes at the ends of selected edges
/// are shown.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Filter {
    /// Only edges of these kinds; empty means all.
    pub kinds: Vec<EdgeKind>,
    /// Only edges of these sources; empty means all.
    pub sources: Vec<EdgeSource>,
    pub min_confidence: Option<f64>,
    /// Both ends have names with this prefix.
    pub prefix: Option<String>,
    /// Both ends are of this kind.
    pub nodes: Option<NodeKind>,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum NodeKind {
    Code,
    Named,
}

/// Selects a page.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Page {
    /// The maximum number of edges; at least one is shown.
    pub edges: usize,
    /// The end of the page before.
    pub after: Option<Cursor>,
}

/// Edges in the order of their ends, and the nodes at these ends in the order of their names. Each
/// page is a graph of its own. Every edge is on one page; nodes may be on several.
#[derive(Clone, Debug, PartialEq)]
pub struct Snapshot {
    pub nodes: Vec<SnapshotNode>,
    pub edges: Vec<Relation>,
    /// The number of nodes on all pages.
    pub total_nodes: usize,
    /// The number of edges on all pages.
    pub total_edges: usize,
    /// Where the next page starts; `None` on the last.
    pub next: Option<Cursor>,
}

#[derive(Clone, Debug, PartialEq)]
pub struct SnapshotNode {
    pub node: Node,
    /// The rank in the whole graph.
    pub rank: f64,
    /// The community in the whole graph.
    pub community: u32,
}

impl Graph {
    /// Returns one page of the graph.
    pub fn snapshot(&self, filter: &Filter, page: &Page) -> Snapshot {
        let order = self.order();
        let begin = page.after.as_ref().map_or((0, 0), |it| self.after(it));
        let (total_nodes, total_edges) = self.totals(filter);
        let mut edges: Vec<Relation> = Vec::new();
        let mut shown = BTreeSet::new();
        let mut next = None;
        'rows: for (place, slot) in order.slots.iter().enumerate().skip(begin.0 as usize) {
            let mut row = self.selected_edges(filter, *slot);
            row.sort_unstable_by_key(|(to, _)| *to);
            let from = number(place);
            for (to, data) in row.into_iter().filter(|(to, _)| (from, *to) >= begin) {
                if edges.len() >= page.edges.max(1) {
                    next = edges.last().map(|last| Cursor {
                        from: last.from.clone(),
                        to: last.to.clone(),
                    });
                    break 'rows;
                }
                let end = self.names.node(order.slots[to as usize]);
                edges.push(data.relation(self.names.node(*slot), end));
                shown.extend([from, to]);
            }
        }
        Snapshot {
            nodes: shown.into_iter().map(|it| self.shown(it)).collect(),
            edges,
            total_nodes,
            total_edges,
            next,
        }
    }

    /// Returns how many nodes and edges a filter selects.
    fn totals(&self, filter: &Filter) -> (usize, usize) {
        if *filter == Filter::default() {
            return (self.node_count(), self.edge_count());
        }
        let slots = &self.order().slots;
        let mut matched = vec![false; slots.len()];
        let mut edges = 0;
        for (place, slot) in slots.iter().enumerate() {
            for (to, _) in self.selected_edges(filter, *slot) {
                matched[place] = true;
                matched[to as usize] = true;
                edges += 1;
            }
        }
        (matched.into_iter().filter(|it| *it).count(), edges)
    }

    /// Returns the targets of a node's selected edges by position, in no particular order.
    fn selected_edges(&self, filter: &Filter, slot: Slot) -> Vec<(u32, EdgeData)> {
        if !self.accepts_node(filter, slot) {
            return Vec::new();
        }
        let slots = &self.order().slots;
        self.row(slot)
            .filter(|(_, data)| filter.accepts(*data))
            .filter(|(to, _)| self.accepts_node(filter, slots[*to as usize]))
            .collect()
    }

    fn shown(&self, place: u32) -> SnapshotNode {
        let place = place as usize;
        SnapshotNode {
            node: self.names.node(self.order().slots[place]).clone(),
            rank: self.ranks()[place],
            community: self.community_numbers()[place],
        }
    }

    /// Returns the positions of the first edge after the cursor's, which may be gone.
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

    fn accepts_node(&self, filter: &Filter, slot: Slot) -> bool {
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
    fn accepts(&self, data: EdgeData) -> bool {
        (self.kinds.is_empty() || self.kinds.contains(&data.kind))
            && (self.sources.is_empty() || self.sources.contains(&data.source))
            && self
                .min_confidence
                .is_none_or(|least| data.confidence() >= least)
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
