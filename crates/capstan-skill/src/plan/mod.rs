//! What is run when a skill is run: its leaves, and what each of them waits for.

mod build;
mod fingerprint;
mod levels;

use std::collections::BTreeSet;
use std::sync::Arc;
use std::time::Duration;

use capstan_core::expr::Expr;
use serde_json::Value;

use crate::library::Contract;
use crate::skill::{Level, Retry, Runs};
use crate::{Given, OperationClass, SkillId, Version};

pub use fingerprint::fingerprint;

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

/// One composite: names of its own, between a beginning and an end.
#[derive(Clone, Debug)]
pub struct Scope {
    /// From the top: `fetch`, nothing for the skill itself.
    pub path: String,
    pub skill: String,
    pub input: Option<Arc<Value>>,
    /// The output, field by field: expressions over `$input` and `$step.output`.
    pub outputs: Vec<(String, Given)>,
    /// Where some steps do not say in advance what they give: all steps in their order. The fields of their results
    /// are the output.
    pub spread: Vec<SpreadStep>,
    pub output: Option<Arc<Value>>,
}

/// A step whose result adds its fields to the output of the composite. A result that is no object is one field,
/// called like the step.
#[derive(Clone, Debug)]
pub struct SpreadStep {
    pub name: String,
    /// What `output_mapping` calls its fields: the old name and the new one.
    pub renamed: Vec<(String, String)>,
}

#[derive(Clone, Debug)]
pub struct Node {
    pub kind: NodeKind,
    /// In which names its inputs and its condition are meant.
    pub scope: usize,
    /// What it is called there.
    pub name: String,
    /// From the top: `fetch/user-lookup`.
    pub path: String,
    pub inputs: Vec<(String, Given)>,
    pub condition: Option<Expr>,
    /// Nodes that must be over.
    pub after: BTreeSet<usize>,
    /// Of those: nodes without which it is skipped.
    pub needs: BTreeSet<usize>,
}

#[derive(Clone, Debug)]
pub enum NodeKind {
    /// The input of a composite is there.
    Begin(usize),
    Run(Box<Leaf>),
    /// Everything in a composite is over.
    End(usize),
}

/// Something that is really run.
#[derive(Clone, Debug)]
pub struct Leaf {
    /// The skill, or what is no skill and was composed like one.
    pub skill: String,
    pub runs: Runs,
    pub operation: OperationClass,
    pub input: Option<Arc<Value>>,
    pub output: Option<Arc<Value>>,
    pub retry: Option<Retry>,
    pub timeout: Option<Duration>,
    /// Its result may serve again within one run.
    pub cached: bool,
}

impl Leaf {
    /// Whether it may change something: then it is never done again when it may have happened.
    pub fn writes(&self) -> bool {
        self.operation == OperationClass::Write
    }
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
