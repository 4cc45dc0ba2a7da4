//! The nodes of a plan: steps that run, and the beginnings and ends of composites.

use std::collections::BTreeSet;
use std::sync::Arc;
use std::time::Duration;

use capstan_core::expr::Expr;
use serde_json::Value;

use crate::skill::{Retry, Runs};
use crate::{Given, OperationClass};

#[derive(Clone, Debug)]
pub struct Node {
    pub kind: NodeKind,
    /// The index of the scope in which the names in its inputs and condition are resolved.
    pub scope: usize,
    /// The name of the step in that scope.
    pub name: String,
    /// The path from the top, such as `fetch/user-lookup`.
    pub path: String,
    pub inputs: Vec<(String, Given)>,
    pub condition: Option<Expr>,
    /// Nodes that must have finished before this one starts.
    pub after: BTreeSet<usize>,
    /// The nodes in `after` whose results are required. If one is skipped, this node is skipped too.
    pub needs: BTreeSet<usize>,
}

#[derive(Clone, Debug)]
pub enum NodeKind {
    /// The input of a composite is complete. The number is the index of its scope.
    Begin(usize),
    Run(Box<Leaf>),
    /// Everything in a composite has finished. The number is the index of its scope.
    End(usize),
}

/// A step that runs something, as opposed to the beginning or end of a composite.
#[derive(Clone, Debug)]
pub struct Leaf {
    /// The full name of the skill, or the name of another capability that was composed like a skill.
    pub skill: String,
    pub runs: Runs,
    pub operation: OperationClass,
    pub input: Option<Arc<Value>>,
    pub output: Option<Arc<Value>>,
    pub retry: Option<Retry>,
    pub timeout: Option<Duration>,
    /// Whether the result may be reused within one run.
    pub cached: bool,
}

impl Leaf {
    /// Whether the step may change something. A write that may have happened is never repeated.
    pub fn writes(&self) -> bool {
        self.operation == OperationClass::Write
    }
}
