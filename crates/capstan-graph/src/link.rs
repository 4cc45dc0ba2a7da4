//! An edge as the graph holds it, and as it gives it out.

use capstan_core::code::{Edge, EdgeKind, EdgeSource, Node};

use crate::names::Slot;

/// What is not surer than this is not held.
pub const THRESHOLD: f64 = 0.3;

/// An edge of the graph, as it is told.
#[derive(Clone, Debug, PartialEq)]
pub struct Relation {
    pub from: Node,
    pub to: Node,
    pub kind: EdgeKind,
    pub source: EdgeSource,
    /// How often it was seen or said.
    pub observed: u64,
    /// It was read from a skill, from code or from a card, and is not in the store.
    pub declared: bool,
}

impl Relation {
    pub fn confidence(&self) -> f64 {
        self.kind.confidence(self.source)
    }
}

/// What connects two nodes.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Bond {
    /// More than fit are as many as fit.
    pub(crate) observed: u32,
    pub(crate) kind: EdgeKind,
    pub(crate) source: EdgeSource,
    pub(crate) declared: bool,
}

/// A bond, seen from where it begins.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Link {
    pub(crate) to: Slot,
    pub(crate) bond: Bond,
}

/// A bond, seen from where it ends. What changes often is only at the other end.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Source {
    pub(crate) from: Slot,
    pub(crate) kind: EdgeKind,
    pub(crate) source: EdgeSource,
}

impl Source {
    pub(crate) fn of(from: Slot, bond: Bond) -> Self {
        Self {
            from,
            kind: bond.kind,
            source: bond.source,
        }
    }

    pub(crate) fn confidence(self) -> f64 {
        self.kind.confidence(self.source)
    }
}

impl Bond {
    pub(crate) fn of(edge: &Edge, declared: bool) -> Self {
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

    /// Of two that say something about the same nodes, which counts.
    pub(crate) fn stronger(self, other: Self) -> Self {
        match self.strength() >= other.strength() {
            true => self,
            false => other,
        }
    }

    /// Confidence first; what follows makes it one of all that are alike.
    pub(crate) fn strength(self) -> (u64, u32, u8, u8) {
        // The bits of positive numbers are in the order of the numbers.
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

/// Whether the graph would hold it.
pub(crate) fn is_held(edge: &Edge) -> bool {
    edge.from != edge.to && edge.confidence() > THRESHOLD
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_held_is_small() {
        assert_eq!((size_of::<Link>(), size_of::<Source>()), (12, 8));
    }
}
