//! Prints relations between capabilities for people: a list, or one with its observations.

use serde_json::Value;

use super::envelope::{cell, list_items, narrow_cell};
use super::{BOLD, Printer, Table};

impl Printer {
    pub(crate) fn relations(&self, data: &Value) {
        let rows = list_items(&data["dependencies"]);
        if rows.is_empty() {
            self.line("no relations match");
            return;
        }
        let mut table = Table::new(["from", "type", "to", "source", "observed", "confidence"]);
        for row in rows {
            let fields = ["from", "type", "to", "source", "observed", "confidence"];
            table.push_row(fields.map(|field| cell(&row[field])));
        }
        table.keep_first_column();
        self.line(table);
        if let Some(next) = data["next_offset"].as_u64() {
            let total = cell(&data["total"]);
            self.line(format_args!(
                "{} of {total}; use --offset {next} to see more",
                rows.len()
            ));
        }
    }

    pub(crate) fn relation(&self, edge: &Value) {
        let [from, kind, to] = ["from", "type", "to"].map(|field| cell(&edge[field]));
        self.line(format_args!(
            "{BOLD}{from}{BOLD:#}  {kind}  {BOLD}{to}{BOLD:#}"
        ));
        self.fields(&[
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
        let observations = list_items(&edge["observations"]);
        if !observations.is_empty() {
            self.line("");
            let mut table = Table::new(["trace", "when", "times", "type", "why"]);
            for row in observations {
                table.push_row([
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
            let shown = observations.len();
            self.line(format_args!("{shown} of {total}; use --limit to see more"));
        }
        if let Some(more) = edge["not_shown"].as_u64() {
            self.line(format_args!(
                "{more} more without details: added again, observed by other users, or from deleted traces"
            ));
        }
    }
}
