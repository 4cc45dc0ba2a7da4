//! Renders the composition of a skill as a text tree.

use super::labels::{condition, runs, step, title};
use super::text::{cut, plain, width};
use crate::{Node, NodeKind, Plan};

const COLUMNS: usize = 80;

/// The width at which names are cut, including skill and version.
const NAME: usize = 40;

/// The width at which the description of what a leaf runs is cut.
const RUNS: usize = 24;

/// Renders a tree of the composites and their leaves, in lines of at most 80 columns.
pub fn text_tree(plan: &Plan) -> String {
    let mut lines = vec![cut(&title(plan), COLUMNS)];
    let description = plain(&plan.description);
    if !description.is_empty() {
        lines.push(cut(&description, COLUMNS));
    }
    branches(plan, 0, "", &mut lines);
    lines.push(String::new());
    lines.join("\n")
}

fn branches(plan: &Plan, scope: usize, indent: &str, lines: &mut Vec<String>) {
    let is_step = |node: &&Node| node.scope == scope && !matches!(node.kind, NodeKind::End(_));
    let steps: Vec<&Node> = plan.nodes.iter().filter(is_step).collect();
    for (place, node) in steps.iter().enumerate() {
        let is_last = place + 1 == steps.len();
        let branch = if is_last { "└─ " } else { "├─ " };
        let further = if is_last { "   " } else { "│  " };
        let further = format!("{indent}{further}");
        let has_branches = matches!(node.kind, NodeKind::Begin(_));
        let below = format!("{further}{}", if has_branches { "│  " } else { "   " });
        show(plan, node, &format!("{indent}{branch}"), &below, lines);
        if let NodeKind::Begin(inner) = node.kind {
            branches(plan, inner, &further, lines);
        }
    }
}

/// Adds a line for a node, and a second one for a condition that does not fit into the first.
fn show(plan: &Plan, node: &Node, indent: &str, below: &str, lines: &mut Vec<String>) {
    let words = match &node.kind {
        NodeKind::Run(leaf) => vec![
            cut(&step(node, &leaf.skill), NAME),
            cut(&runs(leaf), RUNS),
            leaf.operation.as_str().to_owned(),
        ],
        NodeKind::Begin(scope) | NodeKind::End(scope) => {
            vec![cut(&step(node, &plan.scopes[*scope].skill), NAME)]
        }
    };
    let left = |indent: &str| COLUMNS.saturating_sub(width(indent));
    let line = words.join("  ");
    let Some(condition) = condition(node) else {
        lines.push(format!("{indent}{}", cut(&line, left(indent))));
        return;
    };
    let whole = format!("{line}  {condition}");
    if width(&whole) <= left(indent) {
        lines.push(format!("{indent}{whole}"));
        return;
    }
    lines.push(format!("{indent}{}", cut(&line, left(indent))));
    lines.push(format!("{below}{}", cut(&condition, left(below))));
}
