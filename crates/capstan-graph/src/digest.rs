//! A digest of a graph's content: the sum of its edges' digests, so that their order does not
//! matter.

use std::fmt;

use sha2::{Digest as _, Sha256};

use capstan_core::code::Node;

use crate::link::EdgeData;

#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(crate) struct Digest(u128);

impl Digest {
    pub(crate) const ZERO: Self = Self(0);

    pub(crate) fn from_node(node: &Node) -> Self {
        let kind: &[u8] = match node {
            Node::Code(_) => b"code ",
            Node::Named(_) => b"named ",
        };
        let hash = Sha256::new().chain_update(kind);
        Self::first_half(hash.chain_update(node.as_str()))
    }

    pub(crate) fn from_edge(from: Self, to: Self, data: EdgeData) -> Self {
        let mut bytes = [0; 40];
        bytes[..16].copy_from_slice(&from.0.to_le_bytes());
        bytes[16..32].copy_from_slice(&to.0.to_le_bytes());
        bytes[32..36].copy_from_slice(&data.observed.to_le_bytes());
        bytes[36] = data.kind as u8;
        bytes[37] = data.source as u8;
        bytes[38] = u8::from(data.declared);
        Self::first_half(Sha256::new().chain_update(bytes))
    }

    pub(crate) fn with(self, edge: Self) -> Self {
        Self(self.0.wrapping_add(edge.0))
    }

    pub(crate) fn without(self, edge: Self) -> Self {
        Self(self.0.wrapping_sub(edge.0))
    }

    fn first_half(hash: Sha256) -> Self {
        let hash = hash.finalize();
        let mut half = [0; 16];
        half.copy_from_slice(&hash[..16]);
        Self(u128::from_le_bytes(half))
    }
}

impl fmt::Display for Digest {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{:032x}", self.0)
    }
}
