//! The nodes of a plan: what is run, and where composites begin and end.

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
