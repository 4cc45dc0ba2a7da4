//! What others say about nodes: skills about their parts, code about what it calls. Beside what is stored,
//! and hidden by it.

use std::collections::{BTreeMap, HashMap};
use std::sync::Arc;

use capstan_core::code::Node;

use crate::link::Bond;
use crate::names::Slot;

pub(crate) type Pair = (Slot, Slot);

#[derive(Clone, Debug, Default)]
pub(crate) struct Declared {
    owners: HashMap<Arc<Node>, BTreeMap<Pair, Bond>>,
    /// Who says something about two nodes. Never empty.
    about: HashMap<Pair, Vec<(Arc<Node>, Bond)>>,
}

impl Declared {
    /// The strongest that somebody says.
    pub(crate) fn best(&self, pair: Pair) -> Option<Bond> {
        let said = self.about.get(&pair)?.iter().map(|(_, bond)| *bond);
        said.reduce(Bond::stronger)
    }

    pub(crate) fn says(&self, owner: &Node) -> Option<&BTreeMap<Pair, Bond>> {
        self.owners.get(owner)
    }

    /// An owner says this from now on; given back is about what it said something before or does now.
    pub(crate) fn replace(&mut self, owner: &Node, bonds: BTreeMap<Pair, Bond>) -> Vec<Pair> {
        let mut touched: Vec<Pair> = bonds.keys().copied().collect();
        if let Some((owner, before)) = self.owners.remove_entry(owner) {
            for pair in before.into_keys() {
                self.forget(pair, &owner);
                if !bonds.contains_key(&pair) {
                    touched.push(pair);
                }
            }
        }
        if !bonds.is_empty() {
            let owner = Arc::new(owner.clone());
            for (pair, bond) in &bonds {
                let about = self.about.entry(*pair).or_default();
                about.push((Arc::clone(&owner), *bond));
            }
            self.owners.insert(owner, bonds);
        }
        touched
    }

    /// Nobody says anything about two nodes any more.
    pub(crate) fn silence(&mut self, pair: Pair) {
        for (owner, _) in self.about.remove(&pair).unwrap_or_default() {
            if let Some(said) = self.owners.get_mut(&owner) {
                said.remove(&pair);
                if said.is_empty() {
                    self.owners.remove(&owner);
                }
            }
        }
    }

    fn forget(&mut self, pair: Pair, owner: &Arc<Node>) {
        if let Some(about) = self.about.get_mut(&pair) {
            about.retain(|(who, _)| !Arc::ptr_eq(who, owner));
            if about.is_empty() {
                self.about.remove(&pair);
            }
        }
    }
}
