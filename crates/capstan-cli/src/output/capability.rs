//! Prints remembered code for people: a list, or everything about one.

use capstan_engine::Explanation;
use serde_json::Value;

use super::envelope::{cell, list_items, narrow_cell};
use super::sanitize::sanitize;
use super::{BOLD, DIM, Printer, Table};

impl Printer {
    pub(crate) fn capabilities(&self, data: &Value) {
        let rows = list_items(&data["capabilities"]);
        if rows.is_empty() {
            self.line("no remembered code matches");
            return;
        }
        let mut table = Table::new(["name", "for", "uses", "ok", "seen by"]);
        for row in rows {
            table.push_row(
                ["name", "intent", "uses", "ok", "visibility"].map(|name| cell(&row[name])),
            );
        }
        table.keep_first_column();
        self.line(table);
        if let Some(offset) = data["next_offset"].as_u64() {
            self.line(format_args!(
                "{DIM}there are more: use --offset {offset}{DIM:#}"
            ));
        }
    }

    /// Prints everything about one piece of code. `explanation` has its parameters, if they are known.
    pub(crate) fn capability(&self, data: &Value, explanation: Option<&Explanation>) {
        let text = |name: &str| cell(&data[name]);
        self.line(format_args!(
            "{BOLD}{}{BOLD:#}  {}",
            text("name"),
            text("intent")
        ));
        self.field("fqdn", &text("fqdn"));
        self.field("id", &text("id"));
        self.field("aliases", &text("aliases"));
        let seen = format!("{}, owned by {}", text("visibility"), text("owner"));
        self.field("seen by", &seen);
        self.field("created", &narrow_cell(&data["created_at"]));
        self.field("used", &usage(&data["statistics"]));
        self.field("calls", &text("calls"));
        if let Some(explanation) = explanation {
            self.parameters("needs", &explanation.required);
            self.parameters("takes", &explanation.optional);
        }
        self.line("");
        self.listing(data["code"].as_str().unwrap_or_default());
        let events = list_items(&data["history"]);
        if !events.is_empty() {
            let mut table = Table::new(["when", "what", ""]);
            for event in events {
                let what = [&event["event"], &event["what"]].map(cell);
                table.push_row(std::iter::once(narrow_cell(&event["at"])).chain(what));
            }
            self.line(format_args!("\n{table}"));
        }
    }

    /// Prints a name and a value, or nothing if the value is empty.
    pub(crate) fn field(&self, name: &str, value: &str) {
        self.aligned_field(7, name, value);
    }

    /// Prints names and values with the values aligned. Empty values are left out.
    pub(crate) fn fields(&self, fields: &[(&str, String)]) {
        let shown = fields.iter().filter(|(_, value)| !value.is_empty());
        let width = shown.map(|(name, _)| name.len()).max().unwrap_or(0);
        for (name, value) in fields {
            self.aligned_field(width, name, value);
        }
    }

    fn aligned_field(&self, width: usize, name: &str, value: &str) {
        if !value.is_empty() {
            self.line(format_args!(
                "{DIM}{name:width$}{DIM:#} {}",
                sanitize(value)
            ));
        }
    }
}

/// Returns a text such as `12 times, 11 successful, 14.2 ms on average, last 2026-11-16 08:40`.
fn usage(statistics: &Value) -> String {
    let count = |name: &str| statistics[name].as_u64().unwrap_or(0);
    let times = match count("usage_count") {
        0 => return "never".to_owned(),
        1 => "once".to_owned(),
        many => format!("{many} times"),
    };
    let mean = cell(&statistics["mean_latency_ms"]);
    let last = narrow_cell(&statistics["last_used_at"]);
    let success = count("success_count");
    format!("{times}, {success} successful, {mean} ms on average, last {last}")
}
