//! Remembered code for people: the list of it, and everything about one.

use capstan_engine::Explanation;
use serde_json::Value;

use super::envelope::{cell, narrow_cell};
use super::harmless::harmless;
use super::{BOLD, DIM, Printer, Table};

impl Printer {
    pub(crate) fn capabilities(&self, data: &Value) {
        let rows = data["capabilities"].as_array();
        let rows = rows.map(Vec::as_slice).unwrap_or_default();
        if rows.is_empty() {
            self.line("nothing that is remembered fits");
            return;
        }
        let mut table = Table::new(["name", "for", "uses", "ok", "seen by"]);
        for row in rows {
            table.row(["name", "intent", "uses", "ok", "visibility"].map(|name| cell(&row[name])));
        }
        table.keep_first_column();
        self.line(table);
        if let Some(offset) = data["next_offset"].as_u64() {
            self.line(format_args!(
                "{DIM}there are more: --offset {offset}{DIM:#}"
            ));
        }
    }

    /// `explanation` says what it needs, where that is known.
    pub(crate) fn capability(&self, data: &Value, explanation: Option<&Explanation>) {
        let text = |name: &str| cell(&data[name]);
        self.line(format_args!(
            "{BOLD}{}{BOLD:#}  {}",
            text("name"),
            text("intent")
        ));
        self.fact("fqdn", &text("fqdn"));
        self.fact("id", &text("id"));
        self.fact("aliases", &text("aliases"));
        let seen = format!("{}, owned by {}", text("visibility"), text("owner"));
        self.fact("seen by", &seen);
        self.fact("created", &narrow_cell(&data["created_at"]));
        self.fact("used", &used(&data["statistics"]));
        self.fact("calls", &text("calls"));
        if let Some(explanation) = explanation {
            self.parameters("needs", &explanation.required);
            self.parameters("takes", &explanation.optional);
        }
        self.line("");
        self.listing(data["code"].as_str().unwrap_or_default());
        let events = data["history"].as_array();
        let events = events.map(Vec::as_slice).unwrap_or_default();
        if !events.is_empty() {
            let mut table = Table::new(["when", "what", ""]);
            for event in events {
                let what = [&event["event"], &event["what"]].map(cell);
                table.row(std::iter::once(narrow_cell(&event["at"])).chain(what));
            }
            self.line(format_args!("\n{table}"));
        }
    }

    /// Nothing where there is nothing to say.
    pub(crate) fn fact(&self, name: &str, value: &str) {
        self.aligned_fact(7, name, value);
    }

    /// Several below each other, as wide as the longest name.
    pub(crate) fn facts(&self, facts: &[(&str, String)]) {
        let shown = facts.iter().filter(|(_, value)| !value.is_empty());
        let width = shown.map(|(name, _)| name.len()).max().unwrap_or(0);
        for (name, value) in facts {
            self.aligned_fact(width, name, value);
        }
    }

    fn aligned_fact(&self, width: usize, name: &str, value: &str) {
        if !value.is_empty() {
            self.line(format_args!(
                "{DIM}{name:width$}{DIM:#} {}",
                harmless(value)
            ));
        }
    }
}

/// `12 times, 11 with success, 14.2 ms on average, last 2026-11-16 08:40`
fn used(statistics: &Value) -> String {
    let count = |name: &str| statistics[name].as_u64().unwrap_or(0);
    let times = match count("usage_count") {
        0 => return "never".to_owned(),
        1 => "once".to_owned(),
        many => format!("{many} times"),
    };
    let mean = cell(&statistics["mean_latency_ms"]);
    let last = narrow_cell(&statistics["last_used_at"]);
    let success = count("success_count");
    format!("{times}, {success} with success, {mean} ms on average, last {last}")
}
