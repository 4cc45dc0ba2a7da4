//! Labels for plans and their nodes.

use super::expression::expression;
use super::text::plain;
use crate::{Leaf, Node, NodeKind, Plan, Runs};

/// Returns the title of a plan: `pr-review@1.0.0  L3  WRITE`.
pub(super) fn title(plan: &Plan) -> String {
    let operation = plan.contract.operation.as_str();
    format!("{}@{}  {}  {operation}", plan.id, plan.version, plan.level)
}

/// Describes what a leaf runs: `card issue.view`, `code`.
pub(super) fn runs(leaf: &Leaf) -> String {
    match &leaf.runs {
        // The label already contains the name.
        Runs::Card(name) | Runs::Tool(name) | Runs::Capability(name) if *name == leaf.skill => {
            leaf.runs.key().to_owned()
        }
        _ => plain(&runs_in_full(leaf)),
    }
}

/// Describes what a leaf runs, for pictures that show a step only by its name.
pub(super) fn runs_as(node: &Node, leaf: &Leaf) -> String {
    if node.name == leaf.skill {
        runs(leaf)
    } else {
        plain(&runs_in_full(leaf))
    }
}

/// Describes what a leaf runs in full, even if the label already contains the name.
pub(super) fn runs_in_full(leaf: &Leaf) -> String {
    match &leaf.runs {
        Runs::Card(name) | Runs::Tool(name) | Runs::Capability(name) => {
            format!("{} {name}", leaf.runs.key())
        }
        Runs::Code(_) => leaf.runs.key().to_owned(),
    }
}

/// Names a step and the skill that it runs: `user-lookup@1.2.0`, `again (user-lookup@1.2.0)`.
pub(super) fn step(node: &Node, skill: &str) -> String {
    let id = skill.split_once('@').map_or(skill, |(id, _)| id);
    if id == node.name {
        plain(skill)
    } else {
        format!("{} ({})", plain(&node.name), plain(skill))
    }
}

/// Returns the condition of a node: `if $input.ready == true`.
pub(super) fn condition(node: &Node) -> Option<String> {
    let expr = node.condition.as_ref()?;
    Some(format!("if {}", plain(&expression(expr))))
}

/// Returns all conditions of a node: those of the composites around it, outermost first, then its own.
pub(super) fn conditions(plan: &Plan, node: &Node) -> Vec<String> {
    let mut found = Vec::new();
    let mut inner = Some(node);
    while let Some(node) = inner {
        found.extend(node.condition.as_ref().map(expression));
        let begins = |it: &&Node| matches!(it.kind, NodeKind::Begin(scope) if scope == node.scope);
        inner = plan.nodes.iter().find(begins);
    }
    found.reverse();
    found
}
