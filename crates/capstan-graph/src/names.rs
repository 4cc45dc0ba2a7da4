//! Nodes by number. Every name is stored once, and free numbers are reused.

use std::collections::HashMap;
use std::sync::Arc;

use capstan_core::code::Node;

use crate::digest::Digest;

/// The number of a node, valid until the node is removed. Numbers depend on earlier changes, so
/// answers must not depend on them.
pub(crate) type Slot = u32;

#[derive(Clone, Debug, Default)]
pub(crate) struct Names {
    slots: HashMap<Arc<Node>, Slot>,
    /// The entries by slot; `None` if the slot is free.
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
            digest: Digest::from_node(&node),
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

    /// Returns the node of a slot in use.
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

    /// Returns the number of nodes.
    pub(crate) fn len(&self) -> usize {
        self.slots.len()
    }

    /// Returns one more than the highest number that was ever used.
    pub(crate) fn span(&self) -> usize {
        self.entries.len()
    }

    /// Returns all slots in use.
    pub(crate) fn slots(&self) -> impl Iterator<Item = Slot> {
        let used = self.entries.iter().enumerate();
        used.filter(|(_, entry)| entry.is_some())
            .map(|(slot, _)| number(slot))
    }

    fn entry(&self, slot: Slot) -> Option<&Entry> {
        self.entries.get(slot as usize)?.as_ref()
    }
}

/// Converts an index. A graph has fewer than four billion nodes, because memory ends long before.
pub(crate) fn number(index: usize) -> u32 {
    u32::try_from(index).unwrap_or(u32::MAX)
}
