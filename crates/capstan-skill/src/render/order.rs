//! The levels of a plan, and which steps of a level share a request.

use serde::Serialize;

use super::labels::{conditions, runs_in_full};
use crate::{Leaf, NodeKind, OperationClass, Plan};

/// Steps that can start together.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct LevelShown {
    /// The steps; reads come before writes.
    pub steps: Vec<StepShown>,
    /// The names of steps that share a GraphQL request: one group of reads and one of writes. Empty groups
    /// are left out.
    pub requests: Vec<Vec<String>>,
}

#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct StepShown {
    /// The path from the top, such as `fetch/user-lookup`.
    pub step: String,
    pub skill: String,
    /// What the step runs, such as `card issue.view` or `code`.
    pub runs: String,
    pub operation: &'static str,
    /// The conditions, all of which must hold: those of the composites around the step, outermost first, then
    /// its own.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub conditions: Vec<String>,
    /// Whether the given input makes a condition false. Always false without an input.
    #[serde(skip_serializing_if = "std::ops::Not::not")]
    pub skipped: bool,
}

/// Returns the levels of a plan. `fuses` returns whether a leaf can share a GraphQL request.
pub fn order(plan: &Plan, fuses: &dyn Fn(&Leaf) -> bool) -> Vec<LevelShown> {
    let levels = plan.levels();
    let shown = levels.iter().map(|level| {
        let leaf = |index: &usize| {
            let node = &plan.nodes[*index];
            match &node.kind {
                NodeKind::Run(leaf) => Some((node, &**leaf)),
                NodeKind::Begin(_) | NodeKind::End(_) => None,
            }
        };
        let mut steps: Vec<_> = level.iter().filter_map(leaf).collect();
        steps.sort_by_key(|(_, leaf)| is_write(leaf));
        let together = |writes: bool| -> Vec<String> {
            let same = steps.iter();
            let same = same.filter(|(_, leaf)| is_write(leaf) == writes && fuses(leaf));
            same.map(|(node, _)| node.path.clone()).collect()
        };
        let requests = [together(false), together(true)];
        LevelShown {
            steps: steps
                .iter()
                .map(|(node, leaf)| StepShown {
                    step: node.path.clone(),
                    skill: leaf.skill.clone(),
                    runs: runs_in_full(leaf),
                    operation: leaf.operation.as_str(),
                    conditions: conditions(plan, node),
                    skipped: false,
                })
                .collect(),
            requests: requests.into_iter().filter(|it| !it.is_empty()).collect(),
        }
    });
    shown.collect()
}

fn is_write(leaf: &Leaf) -> bool {
    leaf.operation == OperationClass::Write
}

impl StepShown {
    pub(super) fn is_write(&self) -> bool {
        self.operation == OperationClass::Write.as_str()
    }
}
