//! Renders plans for Graphviz.

use std::fmt::Write as _;

use super::edges::edges;
use super::labels::{condition, runs_as, step, title};
use super::text::{cut, plain, wrapped};
use crate::{NodeKind, OperationClass, Plan};

/// The longest line of a label in columns, and the largest number of lines of a condition.
const LINE: usize = 48;
const LINES: usize = 12;

/// Renders a plan in the language of Graphviz: a cluster per composite, dashed edges where no data is passed,
/// a double border around writes.
pub fn dot(plan: &Plan) -> String {
    let mut out = String::new();
    let name = format!("{}@{}", plan.id, plan.version);
    let _ = writeln!(out, "digraph {} {{", quoted(&[&name]));
    let _ = writeln!(
        out,
        "  graph [rankdir=LR, labelloc=t, label={}];",
        quoted(&[&title(plan)])
    );
    out.push_str("  node [shape=box, style=rounded, fontname=\"sans-serif\"];\n");
    out.push_str("  edge [fontname=\"sans-serif\", fontsize=10];\n");
    scope(plan, 0, 1, &mut out);
    for edge in edges(plan) {
        let (from, to) = (edge.from, edge.to);
        let _ = if edge.fields.is_empty() {
            writeln!(out, "  n{from} -> n{to} [style=dashed];")
        } else {
            let label = quoted(&[&edge.fields.join(", ")]);
            writeln!(out, "  n{from} -> n{to} [label={label}];")
        };
    }
    out.push_str("}\n");
    out
}

fn scope(plan: &Plan, scope_index: usize, depth: usize, out: &mut String) {
    let indent = "  ".repeat(depth);
    for (index, node) in plan.nodes.iter().enumerate() {
        if node.scope != scope_index {
            continue;
        }
        let condition = condition(node);
        match &node.kind {
            NodeKind::Run(leaf) => {
                let what = format!("{} · {}", runs_as(node, leaf), leaf.operation.as_str());
                let mut lines = vec![plain(&node.name), what];
                lines.extend(condition.iter().flat_map(|it| wrapped(it, LINE, LINES)));
                let lines: Vec<&str> = lines.iter().map(String::as_str).collect();
                let mut attributes = format!("label={}", quoted(&lines));
                if leaf.operation == OperationClass::Write {
                    attributes.push_str(", peripheries=2");
                }
                if condition.is_some() {
                    attributes.push_str(", style=\"rounded,dashed\"");
                }
                let _ = writeln!(out, "{indent}n{index} [{attributes}];");
            }
            NodeKind::Begin(inner) => {
                let mut lines = vec![step(node, &plan.scopes[*inner].skill)];
                lines.extend(condition.iter().flat_map(|it| wrapped(it, LINE, LINES)));
                let lines: Vec<&str> = lines.iter().map(String::as_str).collect();
                let _ = writeln!(out, "{indent}subgraph cluster_{inner} {{");
                let _ = writeln!(out, "{indent}  label={};", quoted(&lines));
                scope(plan, *inner, depth + 1, out);
                let _ = writeln!(out, "{indent}}}");
            }
            NodeKind::End(_) => {}
        }
    }
}

/// Quotes lines as one text. Graphviz interprets `\` and HTML entities in it.
fn quoted(lines: &[&str]) -> String {
    let lines = lines.iter().map(|line| {
        let line = cut(&plain(line), LINE);
        let line = line.replace('&', "&amp;");
        line.replace('\\', "\\\\").replace('"', "\\\"")
    });
    let lines: Vec<_> = lines.collect();
    format!("\"{}\"", lines.join("\\n"))
}
