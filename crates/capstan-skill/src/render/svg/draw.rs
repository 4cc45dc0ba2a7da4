//! Draws a plan as SVG.

use std::fmt::Write as _;

use super::layout::{BOX_HEIGHT, BOX_WIDTH, GAP, LINE_HEIGHT, Layout, layout};
use super::style::{CLASS, FONT, Look, style_sheet};
use crate::render::edges::{Edge, edges};
use crate::render::labels::{condition, runs, step, title};
use crate::render::text::{cut, plain, wrapped, xml};
use crate::{Leaf, Node, NodeKind, OperationClass, Plan};

/// The number of characters that fit into the first line of a box, and into the others.
const NAME: usize = 27;
const LINE: usize = 29;
/// The largest number of lines of a condition.
const CONDITION_LINES: usize = 4;
/// The number of characters of a label that fit between neighbouring columns, and along a longer edge.
const NEAR: usize = 15;
const FAR: usize = 32;

const TIP: &str = "marker-end=\"url(#capstan-tip)\"";

/// Draws a plan for light and dark backgrounds. The drawing loads and runs nothing.
pub fn svg(plan: &Plan) -> String {
    let lines = plan
        .leaves()
        .filter_map(|(_, node, _)| condition(node))
        .map(|it| wrapped(&it, LINE, CONDITION_LINES).len());
    let further = lines.max().unwrap_or(1).saturating_sub(1);
    let layout = layout(plan, BOX_HEIGHT + further * LINE_HEIGHT);
    let (width, height) = (layout.width, layout.height);
    let mut out = String::new();
    let _ = writeln!(
        out,
        "<svg xmlns=\"http://www.w3.org/2000/svg\" class=\"{CLASS}\" role=\"img\" font-family=\"{FONT}\" \
         width=\"{width}\" height=\"{height}\" viewBox=\"0 0 {width} {height}\">"
    );
    let heading = title(plan);
    let _ = writeln!(out, "<title>{}</title>", xml(&heading));
    if !plan.description.trim().is_empty() {
        let _ = writeln!(out, "<desc>{}</desc>", xml(&plan.description));
    }
    let _ = writeln!(out, "<style>{}</style>", style_sheet());
    let _ = writeln!(
        out,
        "<defs><marker id=\"capstan-tip\" viewBox=\"0 0 8 8\" refX=\"8\" refY=\"4\" markerWidth=\"7\" \
         markerHeight=\"7\" orient=\"auto\"><path {} d=\"M0 0L8 4L0 8z\"/></marker></defs>",
        Look::Tip.attributes()
    );
    let room = (width - 40) / 9;
    let heading = xml(&cut(&heading, room));
    let _ = writeln!(
        out,
        "<text {} x=\"24\" y=\"36\">{heading}</text>",
        Look::Title.attributes()
    );
    lanes(plan, &layout, &mut out);
    let mut labels = String::new();
    for (turn, edge) in edges(plan).iter().enumerate() {
        draw_edge(edge, turn, &layout, &mut out, &mut labels);
    }
    // Labels are written after all edges, so that no edge covers them.
    out.push_str(&labels);
    for (index, node, leaf) in plan.leaves() {
        if let Some(place) = layout.boxes.get(&index) {
            let size = (place.x, place.y, layout.box_height);
            draw_box(node, leaf, size, &mut out);
        }
    }
    out.push_str("</svg>\n");
    out
}

fn lanes(plan: &Plan, layout: &Layout, out: &mut String) {
    for lane in &layout.lanes {
        let begin = plan
            .nodes
            .iter()
            .find(|node| matches!(node.kind, NodeKind::Begin(it) if it == lane.scope));
        let Some(begin) = begin else {
            continue;
        };
        let mut caption = step(begin, &plan.scopes[lane.scope].skill);
        let condition = condition(begin);
        if let Some(condition) = &condition {
            caption = format!("{caption}  {condition}");
        }
        let lane_look = with_dashes(Look::Lane, condition.is_some());
        let caption_look = Look::Soft.attributes();
        let (x, y, width, height) = (lane.x, lane.y, lane.width, lane.height);
        let shown = cut(&caption, (width - 16) / 7);
        let _ = writeln!(
            out,
            "<g><title>{}</title><rect {lane_look} x=\"{x}\" y=\"{y}\" width=\"{width}\" \
             height=\"{height}\" rx=\"8\"/><text {caption_look} x=\"{}\" y=\"{}\">{}</text></g>",
            xml(&caption),
            x + 10,
            y + 14,
            xml(&shown)
        );
    }
}

fn draw_box(node: &Node, leaf: &Leaf, (x, y, height): (usize, usize, usize), out: &mut String) {
    let condition = condition(node);
    let look = if leaf.operation == OperationClass::Write {
        Look::Write
    } else {
        Look::Box
    };
    let look = with_dashes(look, condition.is_some());
    let what = format!("{} · {}", runs(leaf), leaf.operation.as_str());
    let mut whole = format!("{}: {what}", plain(&node.path));
    if let Some(condition) = &condition {
        whole = format!("{whole}, {condition}");
    }
    let _ = write!(
        out,
        "<g><title>{}</title><rect {look} x=\"{x}\" y=\"{y}\" width=\"{BOX_WIDTH}\" \
         height=\"{height}\" rx=\"6\"/>",
        xml(&whole)
    );
    let mut lines = vec![
        (Look::Text, cut(&plain(&node.name), NAME)),
        (Look::Soft, cut(&what, LINE)),
    ];
    let condition = condition.map(|it| wrapped(&it, LINE, CONDITION_LINES));
    lines.extend(condition.into_iter().flatten().map(|it| (Look::Soft, it)));
    // The lines are centred vertically: two lines start lower than three.
    let first = (height - (lines.len() - 1) * LINE_HEIGHT) / 2;
    let mut line_y = y + first + 5;
    for (look, line) in lines {
        let look = look.attributes();
        let text_x = x + 10;
        let _ = write!(
            out,
            "<text {look} x=\"{text_x}\" y=\"{line_y}\">{}</text>",
            xml(&line)
        );
        line_y += LINE_HEIGHT;
    }
    out.push_str("</g>\n");
}

fn draw_edge(edge: &Edge, turn: usize, layout: &Layout, out: &mut String, labels: &mut String) {
    let (Some(from), Some(to)) = (layout.boxes.get(&edge.from), layout.boxes.get(&edge.to)) else {
        return;
    };
    let (start_x, start_y) = (from.x + BOX_WIDTH, from.y + layout.box_height / 2);
    let (end_x, end_y) = (to.x, to.y + layout.box_height / 2);
    let bend = GAP / 2;
    let is_far = to.column > from.column + 1;
    let (path, label_x, label_y) = if is_far {
        // A long edge runs along an alley between rows, next to other long edges.
        let alley = if end_y > start_y {
            to.alley
        } else {
            from.alley
        };
        let alley = alley + (turn % 5) * 4 - 8;
        let (leaves, enters) = (start_x + GAP, end_x - GAP);
        let path = format!(
            "M{start_x} {start_y}C{} {start_y} {} {alley} {leaves} {alley}L{enters} {alley}C{} {alley} {} \
             {end_y} {end_x} {end_y}",
            start_x + bend,
            leaves - bend,
            enters + bend,
            end_x - bend
        );
        (path, leaves + 8, alley - 3)
    } else {
        let path = format!(
            "M{start_x} {start_y}C{} {start_y} {} {end_y} {end_x} {end_y}",
            start_x + bend,
            end_x - bend
        );
        // Labels are near the start of the edge, because edges cross in the middle.
        let label_y = (start_y * 78 + end_y * 22) / 100 - 4;
        (path, start_x + 10, label_y)
    };
    let look = Look::Edge.attributes();
    if edge.fields.is_empty() {
        let _ = writeln!(
            out,
            "<path {look} stroke-dasharray=\"4 4\" {TIP} d=\"{path}\"/>"
        );
        return;
    }
    let label = plain(&edge.fields.join(", "));
    let title = xml(&label);
    let _ = writeln!(
        out,
        "<g><title>{title}</title><path {look} {TIP} d=\"{path}\"/></g>"
    );
    let shown = xml(&cut(&label, if is_far { FAR } else { NEAR }));
    let _ = writeln!(
        labels,
        "<text {} x=\"{label_x}\" y=\"{label_y}\">{shown}</text>",
        Look::Label.attributes()
    );
}

/// Adds a dashed border to an element that may be skipped.
fn with_dashes(look: Look, may_be_skipped: bool) -> String {
    let mut attributes = look.attributes();
    if may_be_skipped {
        attributes.push_str(" stroke-dasharray=\"5 3\"");
    }
    attributes
}
