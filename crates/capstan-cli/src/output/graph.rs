//! The graph of relations, for people and for Graphviz.

use serde_json::Value;

use super::envelope::cell;
use super::{BOLD, DIM, Printer, Table};

impl Printer {
    pub(crate) fn graph(&self, data: &Value) {
        let (nodes, edges) = (rows(&data["nodes"]), rows(&data["edges"]));
        if edges.is_empty() {
            self.line("no relations are known that fit");
            return;
        }
        let mut ranked: Vec<_> = nodes.iter().collect();
        ranked.sort_by(|one, two| {
            let rank = |node: &Value| node["rank"].as_f64().unwrap_or_default();
            rank(two).total_cmp(&rank(one))
        });
        let mut table = Table::new(["capability", "kind", "rank", "community"]);
        for node in ranked {
            table.row(["id", "kind", "rank", "community"].map(|field| cell(&node[field])));
        }
        table.keep_first_column();
        self.line(table);
        self.line("");
        let fields = ["from", "type", "to", "source", "observed", "confidence"];
        let mut table = Table::new(fields);
        for edge in edges {
            table.row(fields.map(|field| cell(&edge[field])));
        }
        table.keep_first_column();
        self.line(table);
        if let Some(next) = data["next_cursor"].as_str() {
            let (shown, total) = (edges.len(), cell(&data["total_edges"]));
            self.line(format_args!(
                "{shown} of {total}; --cursor {next} shows more"
            ));
        }
    }

    /// One line for each node and edge; what is surer is drawn thicker.
    pub(crate) fn graph_as_dot(&self, data: &Value) {
        self.line("digraph capabilities {");
        self.line("  rankdir=LR;");
        self.line("  node [shape=box, style=rounded, fontname=\"sans-serif\"];");
        for node in rows(&data["nodes"]) {
            let (id, kind) = (quoted(&node["id"]), quoted(&node["kind"]));
            self.line(format_args!(
                "  {id} [group={}, comment={kind}];",
                cell(&node["community"])
            ));
        }
        for edge in rows(&data["edges"]) {
            let [from, to, kind] = ["from", "to", "type"].map(|field| quoted(&edge[field]));
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
        let nodes: Vec<_> = rows(&data["path"]).iter().map(cell).collect();
        let Some((first, _)) = nodes.split_first() else {
            return;
        };
        self.line(format_args!("{BOLD}{first}{BOLD:#}"));
        for edge in rows(&data["edges"]) {
            let [kind, to, sure] = ["type", "to", "confidence"].map(|field| cell(&edge[field]));
            self.line(format_args!(
                "  {DIM}{kind} ({sure}){DIM:#} → {BOLD}{to}{BOLD:#}"
            ));
        }
        self.fact("cost", &cell(&data["cost"]));
    }

    pub(crate) fn neighbors(&self, data: &Value) {
        let rows = rows(&data["neighbors"]);
        if rows.is_empty() {
            let name = cell(&data["capability"]);
            self.line(format_args!("nothing is known to be related to `{name}`"));
            return;
        }
        let mut table = Table::new(["capability", "away", "over", "type", "confidence"]);
        for row in rows {
            let [id, distance, from, to, kind, sure] =
                ["id", "distance", "from", "to", "type", "confidence"]
                    .map(|field| cell(&row[field]));
            table.row([id, distance, format!("{from} → {to}"), kind, sure]);
        }
        table.keep_first_column();
        self.line(table);
        if data["has_more"].as_bool() == Some(true) {
            self.line("there are more: --limit says how many are shown");
        }
    }
}

fn rows(value: &Value) -> &[Value] {
    value.as_array().map(Vec::as_slice).unwrap_or_default()
}

/// As a string of the language of Graphviz.
fn quoted(value: &Value) -> String {
    let text = value.as_str().unwrap_or_default();
    let text = super::harmless::harmless(text);
    format!("\"{}\"", text.replace('\\', "\\\\").replace('"', "\\\""))
}
