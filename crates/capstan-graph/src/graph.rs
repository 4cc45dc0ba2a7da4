//! The graph, and how it changes.

use std::collections::BTreeMap;

use capstan_core::code::{Edge, Node};
use capstan_core::port::Direction;

use crate::cache::Cache;
use crate::declared::Declared;
use crate::digest::Digest;
use crate::link::{Bond, Link, Relation, Source, is_held};
use crate::names::{Names, Slot};

/// Relations between capabilities, in memory. There is one edge from each to each other, and no node
/// without edges. What it answers depends on what it holds, never on the order in which that came.
#[derive(Clone, Debug, Default)]
pub struct Graph {
    pub(crate) names: Names,
    /// By node, in the order of the numbers.
    out: Vec<Vec<Link>>,
    /// By node, in no order.
    into: Vec<Vec<Source>>,
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

    /// Takes over an edge of the store, as it is now. One that is too weak to be held, or leads from a
    /// node to itself, counts as none. Says whether something changed.
    pub fn put(&mut self, edge: &Edge) -> bool {
        if !is_held(edge) {
            return self.remove(&edge.from, &edge.to);
        }
        let from = self.names.intern(&edge.from);
        let to = self.names.intern(&edge.to);
        self.change(|graph| graph.set(from, to, Bond::of(edge, false)))
    }

    /// An edge is no longer in the store. What somebody declares about the two is seen again.
    pub fn remove(&mut self, from: &Node, to: &Node) -> bool {
        let Some((from, to)) = self.names.find(from).zip(self.names.find(to)) else {
            return false;
        };
        match self.bond(from, to) {
            Some(bond) if !bond.declared => self.change(|graph| graph.settle(from, to)),
            _ => false,
        }
    }

    /// Nothing is in the store any more. What is declared is seen again.
    pub fn forget_stored(&mut self) -> bool {
        self.change(|graph| {
            let slots = 0..u32::try_from(graph.out.len()).unwrap_or(u32::MAX);
            let stored: Vec<_> = slots
                .flat_map(|from| graph.links(from).iter().map(move |link| (from, *link)))
                .filter(|(_, link)| !link.bond.declared)
                .map(|(from, link)| (from, link.to))
                .collect();
            for (from, to) in stored {
                graph.settle(from, to);
            }
        })
    }

    /// A node is gone: with its edges, with what it declared, and with what others declared about it.
    /// They may declare it again.
    pub fn remove_node(&mut self, node: &Node) -> bool {
        self.change(|graph| {
            graph.say(node, BTreeMap::new());
            let Some(slot) = graph.names.find(node) else {
                return;
            };
            let out = graph.links(slot).iter().map(|link| (slot, link.to));
            let into = graph.sources(slot).iter().map(|it| (it.from, slot));
            let pairs: Vec<_> = out.chain(into).collect();
            // From the ends of the lists, where little has to move.
            for (from, to) in pairs.into_iter().rev() {
                graph.declared.silence((from, to));
                graph.unset(from, to);
            }
        })
    }

    /// What a skill, code or a card says of itself and others: everything that it says, instead of what it
    /// said before. What is in the store about the same two hides it; of several that are declared, the
    /// strongest counts.
    pub fn declare(&mut self, owner: &Node, edges: &[Edge]) -> bool {
        if self.already_says(owner, edges) {
            return false;
        }
        self.change(|graph| {
            let mut bonds = BTreeMap::new();
            for edge in edges.iter().filter(|edge| is_held(edge)) {
                let pair = (graph.names.intern(&edge.from), graph.names.intern(&edge.to));
                add(&mut bonds, pair, Bond::of(edge, true));
            }
            graph.say(owner, bonds);
        })
    }

    /// How many nodes have edges.
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
        let bond = self.bond(self.names.find(from)?, self.names.find(to)?)?;
        Some(bond.relation(from, to))
    }

    /// What stands in skills and code alone, in the order of the ends.
    pub fn declared(&self) -> Vec<Relation> {
        let slots = 0..u32::try_from(self.out.len()).unwrap_or(u32::MAX);
        let links = slots.flat_map(|from| self.links(from).iter().map(move |link| (from, *link)));
        let declared = links.filter(|(_, link)| link.bond.declared);
        let mut relations: Vec<_> = declared
            .map(|(from, link)| self.relation(from, link))
            .collect();
        relations.sort_by(|one, two| (&one.from, &one.to).cmp(&(&two.from, &two.to)));
        relations
    }

    /// Those of one node: from it first, then to it, in the order of the other end.
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
            let bonds = sources.filter_map(|it| Some((it.from, self.bond(it.from, slot)?)));
            let mut into: Vec<_> = bonds
                .map(|(from, bond)| bond.relation(self.names.node(from), node))
                .collect();
            into.sort_by(|one, two| one.from.cmp(&two.from));
            relations.extend(into);
        }
        relations
    }

    /// Another number after every change that can be seen. It begins anew with the process.
    pub fn version(&self) -> u64 {
        self.version
    }

    /// The same text for the same graph, whatever came before; another for another.
    pub fn digest(&self) -> String {
        self.digest.to_string()
    }

    pub(crate) fn links(&self, slot: Slot) -> &[Link] {
        self.out.get(slot as usize).map_or(&[], Vec::as_slice)
    }

    pub(crate) fn sources(&self, slot: Slot) -> &[Source] {
        self.into.get(slot as usize).map_or(&[], Vec::as_slice)
    }

    pub(crate) fn bond(&self, from: Slot, to: Slot) -> Option<Bond> {
        let links = self.links(from);
        let place = links.binary_search_by_key(&to, |link| link.to).ok()?;
        Some(links[place].bond)
    }

    pub(crate) fn relation(&self, from: Slot, link: Link) -> Relation {
        let (from, to) = (self.names.node(from), self.names.node(link.to));
        link.bond.relation(from, to)
    }

    /// Whether an owner would declare what it declared before: then nothing is to be done.
    fn already_says(&self, owner: &Node, edges: &[Edge]) -> bool {
        let mut bonds = BTreeMap::new();
        for edge in edges.iter().filter(|edge| is_held(edge)) {
            let (from, to) = (self.names.find(&edge.from), self.names.find(&edge.to));
            let Some(pair) = from.zip(to) else {
                return false;
            };
            add(&mut bonds, pair, Bond::of(edge, true));
        }
        match self.declared.says(owner) {
            Some(said) => *said == bonds,
            None => bonds.is_empty(),
        }
    }

    fn say(&mut self, owner: &Node, bonds: BTreeMap<(Slot, Slot), Bond>) {
        // New ones first: what was numbered for them keeps its number while others go.
        for (from, to) in self.declared.replace(owner, bonds) {
            if self.bond(from, to).is_none_or(|bond| bond.declared) {
                self.settle(from, to);
            }
        }
    }

    /// What is seen between two of which the store says nothing.
    fn settle(&mut self, from: Slot, to: Slot) {
        match self.declared.best((from, to)) {
            Some(bond) => self.set(from, to, bond),
            None => self.unset(from, to),
        }
    }

    fn set(&mut self, from: Slot, to: Slot, bond: Bond) {
        let span = self.names.span();
        if self.out.len() < span {
            self.out.resize_with(span, Vec::new);
            self.into.resize_with(span, Vec::new);
        }
        let links = &mut self.out[from as usize];
        let sources = &mut self.into[to as usize];
        let source = Source::of(from, bond);
        match links.binary_search_by_key(&to, |link| link.to) {
            Ok(place) => {
                let before = std::mem::replace(&mut links[place].bond, bond);
                if before == bond {
                    return;
                }
                if Source::of(from, before) != source
                    && let Some(held) = sources.iter_mut().find(|it| it.from == from)
                {
                    *held = source;
                }
                self.discount(from, to, before);
            }
            Err(place) => {
                links.insert(place, Link { to, bond });
                sources.push(source);
                self.edges += 1;
            }
        }
        self.digest = self.digest.with(self.digest_of(from, to, bond));
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
        self.discount(from, to, link.bond);
        self.cache.clear();
        for slot in [from, to] {
            if self.links(slot).is_empty() && self.sources(slot).is_empty() {
                self.names.release(slot);
            }
        }
    }

    fn discount(&mut self, from: Slot, to: Slot, bond: Bond) {
        self.digest = self.digest.without(self.digest_of(from, to, bond));
    }

    fn digest_of(&self, from: Slot, to: Slot, bond: Bond) -> Digest {
        Digest::of_edge(self.names.digest(from), self.names.digest(to), bond)
    }

    /// Counts a change only if it can be seen.
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

fn add(bonds: &mut BTreeMap<(Slot, Slot), Bond>, pair: (Slot, Slot), bond: Bond) {
    let held = bonds.entry(pair).or_insert(bond);
    *held = held.stronger(bond);
}
