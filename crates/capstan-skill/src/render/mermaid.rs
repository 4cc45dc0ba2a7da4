//! Renders plans for Mermaid, which Markdown pages show.

use std::fmt::Write as _;

use super::edges::edges;
use super::labels::{condition, runs_as, step};
use super::text::{cut, plain, wrapped};
use crate::{NodeKind, OperationClass, Plan};

/// The longest line of a label in columns, and the largest number of lines of a condition.
const LINE: usize = 48;
const LINES: usize = 12;

/// Renders a plan as a flow chart: a subgraph per composite, dotted edges where no data is passed, a thick
/// border around writes, a dashed border around steps that may be skipped.
pub fn mermaid(plan: &Plan) -> String {
    let mut out = String::from("flowchart LR\n");
    let mut marked = MarkedNodes::default();
    scope(plan, 0, 1, &mut out, &mut marked);
    for edge in edges(plan) {
        let (from, to) = (edge.from, edge.to);
        let _ = if edge.fields.is_empty() {
            writeln!(out, "  n{from} -.-> n{to}")
        } else {
            let label = quoted(&[&edge.fields.join(", ")]);
            writeln!(out, "  n{from} -->|{label}| n{to}")
        };
    }
    for (class, style, members) in [
        ("write", "stroke-width:3px", marked.writes),
        ("maybe", "stroke-dasharray:5 3", marked.conditional),
    ] {
        if !members.is_empty() {
            let _ = writeln!(out, "  classDef {class} {style}");
            let _ = writeln!(out, "  class {} {class}", members.join(","));
        }
    }
    out
}

#[derive(Default)]
struct MarkedNodes {
    writes: Vec<String>,
    conditional: Vec<String>,
}

fn scope(
    plan: &Plan,
    scope_index: usize,
    depth: usize,
    out: &mut String,
    marked: &mut MarkedNodes,
) {
    let indent = "  ".repeat(depth);
    for (index, node) in plan.nodes.iter().enumerate() {
        if node.scope != scope_index {
            continue;
        }
        let condition = condition(node);
        match &node.kind {
            NodeKind::Run(leaf) => {
                if leaf.operation == OperationClass::Write {
                    marked.writes.push(format!("n{index}"));
                }
                if condition.is_some() {
                    marked.conditional.push(format!("n{index}"));
                }
                let what = format!("{} · {}", runs_as(node, leaf), leaf.operation.as_str());
                let mut lines = vec![plain(&node.name), what];
                lines.extend(condition.iter().flat_map(|it| wrapped(it, LINE, LINES)));
                let lines: Vec<&str> = lines.iter().map(String::as_str).collect();
                let _ = writeln!(out, "{indent}n{index}[{}]", quoted(&lines));
            }
            NodeKind::Begin(inner) => {
                let mut lines = vec![step(node, &plan.scopes[*inner].skill)];
                lines.extend(condition.iter().flat_map(|it| wrapped(it, LINE, LINES)));
                let lines: Vec<&str> = lines.iter().map(String::as_str).collect();
                let _ = writeln!(out, "{indent}subgraph s{inner}[{}]", quoted(&lines));
                scope(plan, *inner, depth + 1, out, marked);
                let _ = writeln!(out, "{indent}end");
            }
            NodeKind::End(_) => {}
        }
    }
}

/// Quotes lines as one text. Mermaid interprets Markdown and HTML in it; special characters are written as
/// `#35;`.
fn quoted(lines: &[&str]) -> String {
    let mut text = String::from("\"");
    for (place, line) in lines.iter().enumerate() {
        if place > 0 {
            text.push_str("<br/>");
        }
        for c in cut(&plain(line), LINE).chars() {
            match c {
                '"' | '#' | '&' | '<' | '>' | '`' | '\\' | '|' | '%' | '*' | ';' => {
                    let _ = write!(text, "#{};", u32::from(c));
                }
                c => text.push(c),
            }
        }
    }
    text.push('"');
    text
}
