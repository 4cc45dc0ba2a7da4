//! Relations that skills, cards and code declare. They exist beside the stored ones, which hide
//! them.

use std::collections::{BTreeMap, HashMap};
use std::sync::Arc;

use capstan_core::code::Node;

use crate::link::EdgeData;
use crate::names::Slot;

pub(crate) type Pair = (Slot, Slot);

#[derive(Clone, Debug, Default)]
pub(crate) struct Declared {
    owners: HashMap<Arc<Node>, BTreeMap<Pair, EdgeData>>,
    /// The declarations about two nodes. Never empty.
    about: HashMap<Pair, Vec<(Arc<Node>, EdgeData)>>,
}

impl Declared {
    /// Returns the strongest declaration about two nodes.
    pub(crate) fn best(&self, pair: Pair) -> Option<EdgeData> {
        let said = self.about.get(&pair)?.iter().map(|(_, data)| *data);
        said.reduce(EdgeData::stronger)
    }

    pub(crate) fn declared_by(&self, owner: &Node) -> Option<&BTreeMap<Pair, EdgeData>> {
        self.owners.get(owner)
    }

    /// Replaces all declarations of an owner. Returns the pairs that it declared before or declares
    /// now.
    pub(crate) fn replace(&mut self, owner: &Node, bonds: BTreeMap<Pair, EdgeData>) -> Vec<Pair> {
        let mut touched: Vec<Pair> = bonds.keys().copied().collect();
        if let Some((owner, before)) = self.owners.remove_entry(owner) {
            for pair in before.into_keys() {
                self.remove(pair, &owner);
                if !bonds.contains_key(&pair) {
                    touched.push(pair);
                }
            }
        }
        if !bonds.is_empty() {
            let owner = Arc::new(owner.clone());
            for (pair, data) in &bonds {
                let about = self.about.entry(*pair).or_default();
                about.push((Arc::clone(&owner), *data));
            }
            self.owners.insert(owner, bonds);
        }
        touched
    }

    /// Removes all declarations about two nodes.
    pub(crate) fn remove_all(&mut self, pair: Pair) {
        for (owner, _) in self.about.remove(&pair).unwrap_or_default() {
            if let Some(said) = self.owners.get_mut(&owner) {
                said.remove(&pair);
                if said.is_empty() {
                    self.owners.remove(&owner);
                }
            }
        }
    }

    fn remove(&mut self, pair: Pair, owner: &Arc<Node>) {
        if let Some(about) = self.about.get_mut(&pair) {
            about.retain(|(who, _)| !Arc::ptr_eq(who, owner));
            if about.is_empty() {
                self.about.remove(&pair);
            }
        }
    }
}
