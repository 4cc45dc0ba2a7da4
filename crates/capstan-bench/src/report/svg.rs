//! Renders a report as an SVG bar chart: for each source and method a bar for its recall@5.

use std::fmt::Write as _;

use super::{METHODS, Report, name};
use crate::Part;

const HEIGHT: usize = 392;
const LEFT: usize = 48;
const TOP: usize = 56;
/// The height of 100 %.
const FULL: usize = 240;
const BAR: usize = 26;
const GROUP: usize = 3 * BAR + 44;

/// Colours that can be distinguished on white and on black, also by colour-blind people.
const STYLE: &str = "\
    text { font: 12px system-ui, sans-serif; fill: #1f2328; }\n\
    .title { font-size: 15px; font-weight: 600; }\n\
    .value { font-size: 10px; text-anchor: middle; }\n\
    .source { text-anchor: middle; }\n\
    .scale { text-anchor: end; fill: #59636e; }\n\
    .line { stroke: #d1d9e0; stroke-width: 1; }\n\
    .page { fill: #ffffff; }\n\
    .m0 { fill: #9a6700; }\n\
    .m1 { fill: #0969da; }\n\
    .m2 { fill: #1a7f37; }\n\
    @media (prefers-color-scheme: dark) {\n\
      text { fill: #f0f6fc; }\n\
      .scale { fill: #9198a1; }\n\
      .line { stroke: #3d444d; }\n\
      .page { fill: #0d1117; }\n\
      .m0 { fill: #d29922; }\n\
      .m1 { fill: #4493f8; }\n\
      .m2 { fill: #3fb950; }\n\
    }\n";

impl Report {
    /// Returns an SVG chart. The same figures give the same bytes.
    pub fn svg(&self, part: Part) -> String {
        let width = (LEFT + self.rows.len() * GROUP + 24).max(420);
        let mut svg = format!(
            "<svg xmlns=\"http://www.w3.org/2000/svg\" width=\"{width}\" height=\"{HEIGHT}\" \
             viewBox=\"0 0 {width} {HEIGHT}\" role=\"img\" aria-labelledby=\"title\">\n\
             <title id=\"title\">Recall@5 by source and method ({part})</title>\n\
             <style>\n{STYLE}</style>\n\
             <rect class=\"page\" width=\"{width}\" height=\"{HEIGHT}\"/>\n\
             <text class=\"title\" x=\"{LEFT}\" y=\"24\">Recall@5 in percent ({part})</text>\n"
        );
        legend(&mut svg);
        scale(&mut svg, width);
        for (group, row) in self.rows.iter().enumerate() {
            let left = LEFT + 17 + group * GROUP;
            let figures = row.of(part);
            for (bar, figures) in figures.iter().enumerate() {
                let height = (figures.recall_5 * FULL as f64).round() as usize;
                let (x, y) = (left + bar * BAR, TOP + FULL - height.min(FULL));
                let _ = write!(
                    svg,
                    "<rect class=\"m{bar}\" x=\"{x}\" y=\"{y}\" width=\"{}\" height=\"{height}\"/>\n\
                     <text class=\"value\" x=\"{}\" y=\"{}\">{:.1}</text>\n",
                    BAR - 3,
                    x + (BAR - 3) / 2,
                    y - 4,
                    figures.recall_5 * 100.0,
                );
            }
            let middle = left + 3 * BAR / 2;
            let queries = figures.first().map_or(0, |it| it.queries);
            let (pool, source) = match row.source.split_once(": ") {
                Some((pool, source)) => (format!("in {pool}, "), source),
                None => (String::new(), row.source.as_str()),
            };
            let _ = write!(
                svg,
                "<text class=\"source\" x=\"{middle}\" y=\"{}\">{}</text>\n\
                 <text class=\"source scale\" x=\"{middle}\" y=\"{}\" style=\"text-anchor: middle\">{}{queries}</text>\n",
                TOP + FULL + 20,
                escaped(source),
                TOP + FULL + 36,
                escaped(&pool),
            );
        }
        svg.push_str("</svg>\n");
        svg
    }
}

fn legend(svg: &mut String) {
    for (index, method) in METHODS.into_iter().enumerate() {
        let x = LEFT + 17 + index * 110;
        let _ = write!(
            svg,
            "<rect class=\"m{index}\" x=\"{x}\" y=\"{}\" width=\"12\" height=\"12\"/>\n\
             <text x=\"{}\" y=\"{}\">{}</text>\n",
            HEIGHT - 22,
            x + 18,
            HEIGHT - 12,
            name(method),
        );
    }
}

fn scale(svg: &mut String, width: usize) {
    for step in 0..=4 {
        let y = TOP + FULL - step * FULL / 4;
        let _ = write!(
            svg,
            "<line class=\"line\" x1=\"{LEFT}\" x2=\"{}\" y1=\"{y}\" y2=\"{y}\"/>\n\
             <text class=\"scale\" x=\"{}\" y=\"{}\">{}</text>\n",
            width - 12,
            LEFT - 8,
            y + 4,
            step * 25,
        );
    }
}

fn escaped(text: &str) -> String {
    text.replace('&', "&amp;")
        .replace('<', "&lt;")
        .replace('>', "&gt;")
}
