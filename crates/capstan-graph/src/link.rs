//! Edges: as the graph stores them, and as callers see them.

use capstan_core::code::{Edge, EdgeKind, EdgeSource, Node};

use crate::names::Slot;

/// The confidence that an edge must exceed.
pub const THRESHOLD: f64 = 0.3;

/// An edge of the graph, as callers see it.
#[derive(Clone, Debug, PartialEq)]
pub struct Relation {
    pub from: Node,
    pub to: Node,
    pub kind: EdgeKind,
    pub source: EdgeSource,
    /// How often it was observed or declared.
    pub observed: u64,
    /// Whether it comes from a skill, code or a card, and is not stored.
    pub declared: bool,
}

impl Relation {
    pub fn confidence(&self) -> f64 {
        self.kind.confidence(self.source)
    }
}

/// The properties of an edge.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct EdgeData {
    /// How often it was observed, at most the largest number.
    pub(crate) observed: u32,
    pub(crate) kind: EdgeKind,
    pub(crate) source: EdgeSource,
    pub(crate) declared: bool,
}

/// An outgoing edge.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct OutgoingEdge {
    pub(crate) to: Slot,
    pub(crate) data: EdgeData,
}

/// An incoming edge. It leaves out the frequently changing count, which is only in the link.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct IncomingEdge {
    pub(crate) from: Slot,
    pub(crate) kind: EdgeKind,
    pub(crate) source: EdgeSource,
}

impl IncomingEdge {
    pub(crate) fn new(from: Slot, data: EdgeData) -> Self {
        Self {
            from,
            kind: data.kind,
            source: data.source,
        }
    }

    pub(crate) fn confidence(self) -> f64 {
        self.kind.confidence(self.source)
    }
}

impl EdgeData {
    pub(crate) fn from_edge(edge: &Edge, declared: bool) -> Self {
        Self {
            observed: u32::try_from(edge.observed).unwrap_or(u32::MAX),
            kind: edge.kind,
            source: edge.source,
            declared,
        }
    }

    pub(crate) fn confidence(self) -> f64 {
        self.kind.confidence(self.source)
    }

    /// Returns the stronger of two declarations about the same nodes.
    pub(crate) fn stronger(self, other: Self) -> Self {
        if self.strength() >= other.strength() {
            self
        } else {
            other
        }
    }

    /// Returns the order of strength: confidence first. The rest makes the order total.
    pub(crate) fn strength(self) -> (u64, u32, u8, u8) {
        // The bits of positive numbers have the order of the numbers.
        let confidence = self.confidence().to_bits();
        let kind = u8::MAX - self.kind as u8;
        let source = u8::MAX - self.source as u8;
        (confidence, self.observed, kind, source)
    }

    pub(crate) fn relation(self, from: &Node, to: &Node) -> Relation {
        Relation {
            from: from.clone(),
            to: to.clone(),
            kind: self.kind,
            source: self.source,
            observed: self.observed.into(),
            declared: self.declared,
        }
    }
}

/// Returns whether the graph holds an edge.
pub(crate) fn is_held(edge: &Edge) -> bool {
    edge.from != edge.to && edge.confidence() > THRESHOLD
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_held_is_small() {
        assert_eq!(
            (size_of::<OutgoingEdge>(), size_of::<IncomingEdge>()),
            (12, 8)
        );
    }
}
