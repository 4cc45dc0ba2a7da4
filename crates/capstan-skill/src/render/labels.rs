//! What is said of a plan and of its nodes.

use super::expression::expression;
use super::text::plain;
use crate::{Leaf, Node, NodeKind, Plan, Runs};

/// `pr-review@1.0.0  L3  WRITE`
pub(super) fn title(plan: &Plan) -> String {
    let operation = plan.contract.operation.as_str();
    format!("{}@{}  {}  {operation}", plan.id, plan.version, plan.level)
}

/// `card issue.view`, `code`
pub(super) fn runs(leaf: &Leaf) -> String {
    match &leaf.runs {
        // The name was said already.
        Runs::Card(name) | Runs::Tool(name) | Runs::Capability(name) if *name == leaf.skill => {
            leaf.runs.key().to_owned()
        }
        _ => plain(&runs_in_full(leaf)),
    }
}

/// The same in a picture, where a step is shown by its name alone.
pub(super) fn runs_as(node: &Node, leaf: &Leaf) -> String {
    match node.name == leaf.skill {
        true => runs(leaf),
        false => plain(&runs_in_full(leaf)),
    }
}

/// `card issue.view`, `code`, whatever was said already.
pub(super) fn runs_in_full(leaf: &Leaf) -> String {
    match &leaf.runs {
        Runs::Card(name) | Runs::Tool(name) | Runs::Capability(name) => {
            format!("{} {name}", leaf.runs.key())
        }
        Runs::Code(_) => leaf.runs.key().to_owned(),
    }
}

/// A step and the skill that it is: `user-lookup@1.2.0`, `again (user-lookup@1.2.0)`.
pub(super) fn step(node: &Node, skill: &str) -> String {
    let id = skill.split_once('@').map_or(skill, |(id, _)| id);
    match id == node.name {
        true => plain(skill),
        false => format!("{} ({})", plain(&node.name), plain(skill)),
    }
}

/// `if $input.ready == true`
pub(super) fn condition(node: &Node) -> Option<String> {
    let expr = node.condition.as_ref()?;
    Some(format!("if {}", plain(&expression(expr))))
}

/// Everything that must hold for a node to run: what the composites around it want, from the outermost,
/// and what it wants itself.
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
