//! Nodes by number: every name is held once, and numbers that became free are given again.

use std::collections::HashMap;
use std::sync::Arc;

use capstan_core::code::Node;

use crate::digest::Digest;

/// A node's number, good until the node is gone. Numbers depend on what happened before, so no answer may.
pub(crate) type Slot = u32;

#[derive(Clone, Debug, Default)]
pub(crate) struct Names {
    slots: HashMap<Arc<Node>, Slot>,
    /// Nothing where the number is free.
    entries: Vec<Option<Entry>>,
    free: Vec<Slot>,
}

#[derive(Clone, Debug)]
struct Entry {
    node: Arc<Node>,
    digest: Digest,
}

impl Names {
    pub(crate) fn find(&self, node: &Node) -> Option<Slot> {
        self.slots.get(node).copied()
    }

    pub(crate) fn intern(&mut self, node: &Node) -> Slot {
        if let Some(slot) = self.find(node) {
            return slot;
        }
        let node = Arc::new(node.clone());
        let entry = Some(Entry {
            digest: Digest::of_node(&node),
            node: Arc::clone(&node),
        });
        let slot = match self.free.pop() {
            Some(slot) => {
                self.entries[slot as usize] = entry;
                slot
            }
            None => {
                self.entries.push(entry);
                number(self.entries.len() - 1)
            }
        };
        self.slots.insert(node, slot);
        slot
    }

    pub(crate) fn release(&mut self, slot: Slot) {
        if let Some(entry) = self.entries[slot as usize].take() {
            self.slots.remove(&entry.node);
            self.free.push(slot);
        }
    }

    /// The node of a number that is in use.
    #[expect(
        clippy::expect_used,
        reason = "numbers come from links, and a node with links has its name"
    )]
    pub(crate) fn node(&self, slot: Slot) -> &Node {
        &self.entry(slot).expect("the number is in use").node
    }

    pub(crate) fn digest(&self, slot: Slot) -> Digest {
        self.entry(slot).map_or(Digest::ZERO, |entry| entry.digest)
    }

    /// How many nodes there are.
    pub(crate) fn len(&self) -> usize {
        self.slots.len()
    }

    /// One more than the highest number that was ever given.
    pub(crate) fn span(&self) -> usize {
        self.entries.len()
    }

    /// All numbers that are in use.
    pub(crate) fn slots(&self) -> impl Iterator<Item = Slot> {
        let used = self.entries.iter().enumerate();
        used.filter(|(_, entry)| entry.is_some())
            .map(|(slot, _)| number(slot))
    }

    fn entry(&self, slot: Slot) -> Option<&Entry> {
        self.entries.get(slot as usize)?.as_ref()
    }
}

/// A graph has fewer than four billion nodes: memory ends long before.
pub(crate) fn number(index: usize) -> u32 {
    u32::try_from(index).unwrap_or(u32::MAX)
}
