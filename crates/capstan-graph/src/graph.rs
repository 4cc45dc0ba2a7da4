//! The graph and its changes.

use std::collections::BTreeMap;

use capstan_core::code::{Edge, Node};
use capstan_core::port::Direction;

use crate::cache::Cache;
use crate::declared::Declared;
use crate::digest::Digest;
use crate::link::{EdgeData, IncomingEdge, OutgoingEdge, Relation, is_held};
use crate::names::{Names, Slot};

/// Relations between capabilities, in memory. There is at most one edge per ordered pair, and no
/// node without edges. Answers depend on the content, never on the order of changes.
#[derive(Clone, Debug, Default)]
pub struct Graph {
    pub(crate) names: Names,
    /// The outgoing links by slot, each sorted by target.
    out: Vec<Vec<OutgoingEdge>>,
    /// The incoming links by slot, unsorted.
    into: Vec<Vec<IncomingEdge>>,
    declared: Declared,
    edges: usize,
    version: u64,
    digest: Digest,
    pub(crate) cache: Cache,
}

impl Graph {
    pub fn new() -> Self {
        Self::default()
    }

    /// Adds or replaces a stored edge. An edge that is too weak or leads from a node to itself
    /// removes the stored one. Returns whether the graph changed.
    pub fn put(&mut self, edge: &Edge) -> bool {
        if !is_held(edge) {
            return self.remove(&edge.from, &edge.to);
        }
        let from = self.names.intern(&edge.from);
        let to = self.names.intern(&edge.to);
        self.change(|graph| graph.set(from, to, EdgeData::from_edge(edge, false)))
    }

    /// Removes a stored edge. A declaration about the two nodes becomes visible again. Returns
    /// whether the graph changed.
    pub fn remove(&mut self, from: &Node, to: &Node) -> bool {
        let Some((from, to)) = self.names.find(from).zip(self.names.find(to)) else {
            return false;
        };
        match self.data(from, to) {
            Some(data) if !data.declared => self.change(|graph| graph.show_declared(from, to)),
            _ => false,
        }
    }

    /// Removes all stored edges. Declarations become visible again. Returns whether the graph
    /// changed.
    pub fn clear_stored(&mut self) -> bool {
        self.change(|graph| {
            let slots = 0..u32::try_from(graph.out.len()).unwrap_or(u32::MAX);
            let stored: Vec<_> = slots
                .flat_map(|from| graph.links(from).iter().map(move |link| (from, *link)))
                .filter(|(_, link)| !link.data.declared)
                .map(|(from, link)| (from, link.to))
                .collect();
            for (from, to) in stored {
                graph.show_declared(from, to);
            }
        })
    }

    /// Removes a node with its edges, its declarations, and the declarations of others about it.
    /// They may declare it again. Returns whether the graph changed.
    pub fn remove_node(&mut self, node: &Node) -> bool {
        self.change(|graph| {
            graph.replace_declarations(node, BTreeMap::new());
            let Some(slot) = graph.names.find(node) else {
                return;
            };
            let out = graph.links(slot).iter().map(|link| (slot, link.to));
            let into = graph.sources(slot).iter().map(|it| (it.from, slot));
            let pairs: Vec<_> = out.chain(into).collect();
            // From the ends of the lists, where few elements have to move.
            for (from, to) in pairs.into_iter().rev() {
                graph.declared.remove_all((from, to));
                graph.unset(from, to);
            }
        })
    }

    /// Replaces all relations that a skill, code or a card declares. Stored edges hide declared
    /// ones; of several declarations about the same nodes, the strongest counts. Returns whether
    /// the graph changed.
    pub fn declare(&mut self, owner: &Node, edges: &[Edge]) -> bool {
        if self.has_declared(owner, edges) {
            return false;
        }
        self.change(|graph| {
            let mut bonds = BTreeMap::new();
            for edge in edges.iter().filter(|edge| is_held(edge)) {
                let pair = (graph.names.intern(&edge.from), graph.names.intern(&edge.to));
                add(&mut bonds, pair, EdgeData::from_edge(edge, true));
            }
            graph.replace_declarations(owner, bonds);
        })
    }

    /// Returns the number of nodes with edges.
    pub fn node_count(&self) -> usize {
        self.names.len()
    }

    pub fn edge_count(&self) -> usize {
        self.edges
    }

    pub fn contains(&self, node: &Node) -> bool {
        self.names.find(node).is_some()
    }

    pub fn edge(&self, from: &Node, to: &Node) -> Option<Relation> {
        let data = self.data(self.names.find(from)?, self.names.find(to)?)?;
        Some(data.relation(from, to))
    }

    /// Returns the relations that are only declared, in the order of their ends.
    pub fn declared(&self) -> Vec<Relation> {
        let slots = 0..u32::try_from(self.out.len()).unwrap_or(u32::MAX);
        let links = slots.flat_map(|from| self.links(from).iter().map(move |link| (from, *link)));
        let declared = links.filter(|(_, link)| link.data.declared);
        let mut relations: Vec<_> = declared
            .map(|(from, link)| self.relation(from, link))
            .collect();
        relations.sort_by(|one, two| (&one.from, &one.to).cmp(&(&two.from, &two.to)));
        relations
    }

    /// Returns the relations of one node: those from it first, then those to it, each in the order
    /// of the other end.
    pub fn edges(&self, node: &Node, direction: Direction) -> Vec<Relation> {
        let Some(slot) = self.names.find(node) else {
            return Vec::new();
        };
        let mut relations = Vec::new();
        if direction != Direction::To {
            let links = self.links(slot).iter();
            relations.extend(links.map(|link| self.relation(slot, *link)));
            relations.sort_by(|one, two| one.to.cmp(&two.to));
        }
        if direction != Direction::From {
            let sources = self.sources(slot).iter();
            let bonds = sources.filter_map(|it| Some((it.from, self.data(it.from, slot)?)));
            let mut into: Vec<_> = bonds
                .map(|(from, data)| data.relation(self.names.node(from), node))
                .collect();
            into.sort_by(|one, two| one.from.cmp(&two.from));
            relations.extend(into);
        }
        relations
    }

    /// Returns a number that grows with every visible change. It starts anew with the process.
    pub fn version(&self) -> u64 {
        self.version
    }

    /// Returns a text that depends only on the graph's content: equal for equal graphs, different
    /// for others.
    pub fn digest(&self) -> String {
        self.digest.to_string()
    }

    pub(crate) fn links(&self, slot: Slot) -> &[OutgoingEdge] {
        self.out.get(slot as usize).map_or(&[], Vec::as_slice)
    }

    pub(crate) fn sources(&self, slot: Slot) -> &[IncomingEdge] {
        self.into.get(slot as usize).map_or(&[], Vec::as_slice)
    }

    pub(crate) fn data(&self, from: Slot, to: Slot) -> Option<EdgeData> {
        let links = self.links(from);
        let place = links.binary_search_by_key(&to, |link| link.to).ok()?;
        Some(links[place].data)
    }

    pub(crate) fn relation(&self, from: Slot, link: OutgoingEdge) -> Relation {
        let (from, to) = (self.names.node(from), self.names.node(link.to));
        link.data.relation(from, to)
    }

    /// Returns whether an owner has declared exactly these edges, so that nothing has to be done.
    fn has_declared(&self, owner: &Node, edges: &[Edge]) -> bool {
        let mut bonds = BTreeMap::new();
        for edge in edges.iter().filter(|edge| is_held(edge)) {
            let (from, to) = (self.names.find(&edge.from), self.names.find(&edge.to));
            let Some(pair) = from.zip(to) else {
                return false;
            };
            add(&mut bonds, pair, EdgeData::from_edge(edge, true));
        }
        match self.declared.declared_by(owner) {
            Some(said) => *said == bonds,
            None => bonds.is_empty(),
        }
    }

    fn replace_declarations(&mut self, owner: &Node, bonds: BTreeMap<(Slot, Slot), EdgeData>) {
        // New declarations first, so that their nodes keep their slots while others are removed.
        for (from, to) in self.declared.replace(owner, bonds) {
            if self.data(from, to).is_none_or(|data| data.declared) {
                self.show_declared(from, to);
            }
        }
    }

    /// Shows the strongest declaration about two nodes that have no stored edge.
    fn show_declared(&mut self, from: Slot, to: Slot) {
        match self.declared.best((from, to)) {
            Some(data) => self.set(from, to, data),
            None => self.unset(from, to),
        }
    }

    fn set(&mut self, from: Slot, to: Slot, data: EdgeData) {
        let span = self.names.span();
        if self.out.len() < span {
            self.out.resize_with(span, Vec::new);
            self.into.resize_with(span, Vec::new);
        }
        let links = &mut self.out[from as usize];
        let sources = &mut self.into[to as usize];
        let source = IncomingEdge::new(from, data);
        match links.binary_search_by_key(&to, |link| link.to) {
            Ok(place) => {
                let before = std::mem::replace(&mut links[place].data, data);
                if before == data {
                    return;
                }
                if IncomingEdge::new(from, before) != source
                    && let Some(held) = sources.iter_mut().find(|it| it.from == from)
                {
                    *held = source;
                }
                self.discount(from, to, before);
            }
            Err(place) => {
                links.insert(place, OutgoingEdge { to, data });
                sources.push(source);
                self.edges += 1;
            }
        }
        self.digest = self.digest.with(self.digest_of(from, to, data));
        self.cache.clear();
    }

    fn unset(&mut self, from: Slot, to: Slot) {
        let links = &mut self.out[from as usize];
        let Ok(place) = links.binary_search_by_key(&to, |link| link.to) else {
            return;
        };
        let link = links.remove(place);
        let sources = &mut self.into[to as usize];
        if let Some(place) = sources.iter().rposition(|it| it.from == from) {
            sources.swap_remove(place);
        }
        self.edges -= 1;
        self.discount(from, to, link.data);
        self.cache.clear();
        for slot in [from, to] {
            if self.links(slot).is_empty() && self.sources(slot).is_empty() {
                self.names.release(slot);
            }
        }
    }

    fn discount(&mut self, from: Slot, to: Slot, data: EdgeData) {
        self.digest = self.digest.without(self.digest_of(from, to, data));
    }

    fn digest_of(&self, from: Slot, to: Slot, data: EdgeData) -> Digest {
        Digest::from_edge(self.names.digest(from), self.names.digest(to), data)
    }

    /// Applies a change, and counts it only if it is visible.
    fn change(&mut self, change: impl FnOnce(&mut Self)) -> bool {
        let before = self.digest;
        change(self);
        let changed = self.digest != before;
        self.version += u64::from(changed);
        changed
    }
}

impl<'a> Extend<&'a Edge> for Graph {
    fn extend<T: IntoIterator<Item = &'a Edge>>(&mut self, edges: T) {
        for edge in edges {
            self.put(edge);
        }
    }
}

impl<'a> FromIterator<&'a Edge> for Graph {
    fn from_iter<T: IntoIterator<Item = &'a Edge>>(edges: T) -> Self {
        let mut graph = Self::new();
        graph.extend(edges);
        graph
    }
}

fn add(bonds: &mut BTreeMap<(Slot, Slot), EdgeData>, pair: (Slot, Slot), data: EdgeData) {
    let held = bonds.entry(pair).or_insert(data);
    *held = held.stronger(data);
}
