//! The plan of a skill.

use std::time::Duration;

use super::{Leaf, Node, NodeKind, Scope};
use crate::library::Contract;
use crate::skill::Level;
use crate::{SkillId, Version};

/// A checked skill with everything that it composes, ready to run.
#[derive(Clone, Debug)]
pub struct Plan {
    pub id: SkillId,
    pub version: Version,
    pub level: Level,
    pub description: String,
    pub contract: Contract,
    /// The composites. The first is the skill itself.
    pub scopes: Vec<Scope>,
    /// The nodes. Each comes after all nodes that it waits for.
    pub nodes: Vec<Node>,
    pub timeout: Option<Duration>,
    /// Whether the skill, and so every skill in it, comes from a folder that only `capstan.toml` in the
    /// current folder names.
    pub is_from_folder: bool,
}

impl Plan {
    /// Whether the skill composes nothing: its only step takes the skill's input and returns its output.
    pub fn is_atomic(&self) -> bool {
        self.level == Level::L1
    }

    /// Returns the full names of the skill and of all skills that it composes.
    pub fn skills(&self) -> impl Iterator<Item = &str> {
        let scopes = self.scopes.iter().map(|scope| scope.skill.as_str());
        let leaves = self.leaves().map(|(_, _, leaf)| leaf.skill.as_str());
        // Capabilities that are not skills have no version.
        scopes.chain(leaves).filter(|name| name.contains('@'))
    }

    /// Returns the steps that run something, each with the index of its node.
    pub fn leaves(&self) -> impl Iterator<Item = (usize, &Node, &Leaf)> {
        let nodes = self.nodes.iter().enumerate();
        nodes.filter_map(|(index, node)| match &node.kind {
            NodeKind::Run(leaf) => Some((index, node, &**leaf)),
            NodeKind::Begin(_) | NodeKind::End(_) => None,
        })
    }
}
