//! Relations between capabilities, for people: a list of them, and one with why it is there.

use serde_json::Value;

use super::envelope::{cell, narrow_cell};
use super::{BOLD, Printer, Table};

impl Printer {
    pub(crate) fn relations(&self, data: &Value) {
        let rows = rows(&data["dependencies"]);
        if rows.is_empty() {
            self.line("no relation is known that fits");
            return;
        }
        let mut table = Table::new(["from", "type", "to", "source", "observed", "confidence"]);
        for row in rows {
            let fields = ["from", "type", "to", "source", "observed", "confidence"];
            table.row(fields.map(|field| cell(&row[field])));
        }
        table.keep_first_column();
        self.line(table);
        if let Some(next) = data["next_offset"].as_u64() {
            let total = cell(&data["total"]);
            self.line(format_args!(
                "{} of {total}; --offset {next} shows more",
                rows.len()
            ));
        }
    }

    pub(crate) fn relation(&self, edge: &Value) {
        let [from, kind, to] = ["from", "type", "to"].map(|field| cell(&edge[field]));
        self.line(format_args!(
            "{BOLD}{from}{BOLD:#}  {kind}  {BOLD}{to}{BOLD:#}"
        ));
        self.facts(&[
            ("source", cell(&edge["source"])),
            ("observed", cell(&edge["observed"])),
            ("confidence", cell(&edge["confidence"])),
            ("replaced", cell(&edge["replaced"])),
            ("since", narrow_cell(&edge["created_at"])),
            ("last", narrow_cell(&edge["last_observed"])),
        ]);
    }

    pub(crate) fn observations(&self, edge: &Value) {
        self.relation(edge);
        let seen = rows(&edge["observations"]);
        if !seen.is_empty() {
            self.line("");
            let mut table = Table::new(["trace", "when", "times", "type", "why"]);
            for row in seen {
                table.row([
                    cell(&row["trace"]),
                    narrow_cell(&row["at"]),
                    cell(&row["times"]),
                    cell(&row["type"]),
                    cell(&row["why"]),
                ]);
            }
            table.keep_first_column();
            self.line(table);
        }
        if let Some(total) = edge["observations_total"].as_u64() {
            let shown = seen.len();
            self.line(format_args!("{shown} of {total}; --limit shows more"));
        }
        if let Some(more) = edge["not_shown"].as_u64() {
            self.line(format_args!(
                "{more} more: stated again, seen by others, or in traces that are forgotten"
            ));
        }
    }
}

fn rows(value: &Value) -> &[Value] {
    value.as_array().map(Vec::as_slice).unwrap_or_default()
}
