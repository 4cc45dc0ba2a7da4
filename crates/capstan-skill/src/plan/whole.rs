//! A plan as a whole.

use std::time::Duration;

use super::{Leaf, Node, NodeKind, Scope};
use crate::library::Contract;
use crate::skill::Level;
use crate::{SkillId, Version};

/// A skill that was checked, with everything that it is made of.
#[derive(Clone, Debug)]
pub struct Plan {
    pub id: SkillId,
    pub version: Version,
    pub level: Level,
    pub description: String,
    pub contract: Contract,
    /// The first is the skill itself; the others are the composites in it.
    pub scopes: Vec<Scope>,
    /// Each stands after everything that it waits for.
    pub nodes: Vec<Node>,
    pub timeout: Option<Duration>,
    /// It comes with a folder that nobody named, and so does every skill in it.
    pub is_found: bool,
}

impl Plan {
    /// It is not made of others: its only step takes its input and gives its output.
    pub fn is_atomic(&self) -> bool {
        self.level == Level::L1
    }

    /// The full names of the skills that it is made of, and its own.
    pub fn skills(&self) -> impl Iterator<Item = &str> {
        let scopes = self.scopes.iter().map(|scope| scope.skill.as_str());
        let leaves = self.leaves().map(|(_, _, leaf)| leaf.skill.as_str());
        // What is composed like a skill and is none has no version.
        scopes.chain(leaves).filter(|name| name.contains('@'))
    }

    /// Everything that is really run, with its number among the nodes.
    pub fn leaves(&self) -> impl Iterator<Item = (usize, &Node, &Leaf)> {
        let nodes = self.nodes.iter().enumerate();
        nodes.filter_map(|(index, node)| match &node.kind {
            NodeKind::Run(leaf) => Some((index, node, &**leaf)),
            NodeKind::Begin(_) | NodeKind::End(_) => None,
        })
    }
}
