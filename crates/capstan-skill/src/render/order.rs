//! What runs when: levels, and which steps of a level share a request.

use serde::Serialize;

use super::expression::expression;
use super::labels::runs;
use crate::{Leaf, OperationClass, Plan};

/// Steps that can leave together.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct LevelShown {
    /// Those that change nothing first.
    pub steps: Vec<StepShown>,
    /// Steps that one GraphQL request carries, by their names: those that read, and those that write.
    pub requests: Vec<Vec<String>>,
}

#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct StepShown {
    /// From the top: `fetch/user-lookup`.
    pub step: String,
    pub skill: String,
    /// `card issue.view`, `code`
    pub runs: String,
    pub operation: &'static str,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub condition: Option<String>,
}

/// The levels of a plan. Which leaves can share a GraphQL request is for the caller to know.
pub fn order(plan: &Plan, fuses: &dyn Fn(&Leaf) -> bool) -> Vec<LevelShown> {
    let leaves: Vec<_> = plan.leaves().collect();
    let levels = plan.levels();
    let shown = levels.iter().map(|level| {
        let mut steps: Vec<_> = leaves
            .iter()
            .filter(|(index, ..)| level.contains(index))
            .collect();
        steps.sort_by_key(|(_, _, leaf)| is_write(leaf));
        let together = |writes: bool| -> Vec<String> {
            let same = steps.iter();
            let same = same.filter(|(_, _, leaf)| is_write(leaf) == writes && fuses(leaf));
            same.map(|(_, node, _)| node.path.clone()).collect()
        };
        let requests = [together(false), together(true)];
        LevelShown {
            steps: steps
                .iter()
                .map(|(_, node, leaf)| StepShown {
                    step: node.path.clone(),
                    skill: leaf.skill.clone(),
                    runs: runs(leaf),
                    operation: leaf.operation.as_str(),
                    condition: node.condition.as_ref().map(expression),
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
