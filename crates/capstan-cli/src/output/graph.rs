//! Prints the graph of relations for people and for Graphviz.

use serde_json::Value;

use super::envelope::{cell, list_items};
use super::{BOLD, DIM, Printer, Table};

impl Printer {
    pub(crate) fn graph(&self, data: &Value) {
        let (nodes, edges) = (list_items(&data["nodes"]), list_items(&data["edges"]));
        if edges.is_empty() {
            self.line("no relations match");
            return;
        }
        let mut ranked: Vec<_> = nodes.iter().collect();
        ranked.sort_by(|one, two| {
            let rank = |node: &Value| node["rank"].as_f64().unwrap_or_default();
            rank(two).total_cmp(&rank(one))
        });
        let mut table = Table::new(["capability", "kind", "rank", "community"]);
        for node in ranked {
            table.push_row(["id", "kind", "rank", "community"].map(|field| cell(&node[field])));
        }
        table.keep_first_column();
        self.line(table);
        self.line("");
        let fields = ["from", "type", "to", "source", "observed", "confidence"];
        let mut table = Table::new(fields);
        for edge in edges {
            table.push_row(fields.map(|field| cell(&edge[field])));
        }
        table.keep_first_column();
        self.line(table);
        if let Some(next) = data["next_cursor"].as_str() {
            let (shown, total) = (edges.len(), cell(&data["total_edges"]));
            self.line(format_args!(
                "{shown} of {total}; use --cursor {next} to see more"
            ));
        }
    }

    /// Prints the graph for Graphviz. The width of an edge shows its confidence.
    pub(crate) fn graph_as_dot(&self, data: &Value) {
        self.line("digraph capabilities {");
        self.line("  rankdir=LR;");
        self.line("  node [shape=box, style=rounded, fontname=\"sans-serif\"];");
        for node in list_items(&data["nodes"]) {
            let (id, kind) = (dot_string(&node["id"]), dot_string(&node["kind"]));
            self.line(format_args!(
                "  {id} [group={}, comment={kind}];",
                cell(&node["community"])
            ));
        }
        for edge in list_items(&data["edges"]) {
            let [from, to, kind] = ["from", "to", "type"].map(|field| dot_string(&edge[field]));
            let width = 0.5 + 2.0 * edge["confidence"].as_f64().unwrap_or_default();
            let style = match edge["source"].as_str() {
                Some("manual" | "observed") => "solid",
                _ => "dashed",
            };
            self.line(format_args!(
                "  {from} -> {to} [label={kind}, style={style}, penwidth={width:.2}];"
            ));
        }
        self.line("}");
    }

    pub(crate) fn path(&self, data: &Value) {
        let nodes: Vec<_> = list_items(&data["path"]).iter().map(cell).collect();
        let Some((first, _)) = nodes.split_first() else {
            return;
        };
        self.line(format_args!("{BOLD}{first}{BOLD:#}"));
        for edge in list_items(&data["edges"]) {
            let [kind, to, confidence] =
                ["type", "to", "confidence"].map(|field| cell(&edge[field]));
            self.line(format_args!(
                "  {DIM}{kind} ({confidence}){DIM:#} → {BOLD}{to}{BOLD:#}"
            ));
        }
        self.field("cost", &cell(&data["cost"]));
    }

    pub(crate) fn neighbors(&self, data: &Value) {
        let rows = list_items(&data["neighbors"]);
        if rows.is_empty() {
            let name = cell(&data["capability"]);
            self.line(format_args!("`{name}` has no relations"));
            return;
        }
        let mut table = Table::new(["capability", "away", "over", "type", "confidence"]);
        for row in rows {
            let [id, distance, from, to, kind, confidence] =
                ["id", "distance", "from", "to", "type", "confidence"]
                    .map(|field| cell(&row[field]));
            table.push_row([id, distance, format!("{from} → {to}"), kind, confidence]);
        }
        table.keep_first_column();
        self.line(table);
        if data["has_more"].as_bool() == Some(true) {
            self.line("there are more: use --limit to see more");
        }
    }
}

/// Formats a value as a quoted string of Graphviz.
fn dot_string(value: &Value) -> String {
    let text = super::sanitize::sanitize(value.as_str().unwrap_or_default());
    format!("\"{}\"", text.replace('\\', "\\\\").replace('"', "\\\""))
}
