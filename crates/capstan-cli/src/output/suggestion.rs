//! Suggestions for people: what fits, what speaks for it, and the plan.

use serde_json::{Map, Value, json};

use super::envelope::cell;
use super::{BOLD, DIM, Printer, Table};

impl Printer {
    pub(crate) fn suggestions(&self, data: &Value) {
        let rows = rows(&data["suggestions"]);
        if rows.is_empty() {
            return;
        }
        let mut table = Table::new(["capability", "score", "relevance", "reliability", "why"]);
        let fields = ["capability", "score", "relevance", "reliability", "why"];
        for row in rows {
            table.row(fields.map(|field| cell(&row[field])));
        }
        table.keep_first_column();
        self.line(table);
        for row in rows {
            let name = cell(&row["capability"]);
            let needs: Vec<_> = self::rows(&row["needs"]).iter().map(cell).collect();
            if !needs.is_empty() {
                self.line(format_args!("{name} uses what {} gives", needs.join(", ")));
            }
            if let Some(other) = row["alternative"].as_str() {
                self.line(format_args!("{name} often fails; {other} does the same"));
            }
        }
        self.suggested_plan(&data["plan"]);
    }

    /// A plan that somebody has to look at before it is run, as an error tells it.
    pub(crate) fn unseen_plan(&self, details: &Map<String, Value>) {
        if let Some(steps) = details.get("plan") {
            // With the call that accepts it, if it can be accepted.
            let ready = details.contains_key("mend");
            self.suggested_plan(&json!({"steps": steps, "ready": ready}));
        }
        if let Some(mind) = details.get("mind") {
            self.line(format_args!("{DIM}mind{DIM:#}  {}", cell(mind)));
        }
    }

    fn suggested_plan(&self, plan: &Value) {
        let steps = rows(&plan["steps"]);
        if steps.is_empty() {
            return;
        }
        self.line("");
        let is_missing = |step: &Value| !rows(&step["missing"]).is_empty();
        let ready = if plan["ready"] == true {
            "ready"
        } else if steps.iter().any(is_missing) {
            "something is missing"
        } else {
            "not ready"
        };
        self.line(format_args!("{BOLD}plan{BOLD:#} {DIM}({ready}){DIM:#}"));
        for (place, step) in steps.iter().enumerate() {
            let (task, input) = (cell(&step["task"]), cell(&step["input"]));
            let missing: Vec<_> = rows(&step["missing"]).iter().map(cell).collect();
            let missing = if missing.is_empty() {
                String::new()
            } else {
                format!("  missing {}", missing.join(", "))
            };
            self.line(format_args!(
                "  {}. {task} {DIM}{input}{DIM:#}{missing}",
                place + 1
            ));
        }
    }
}

fn rows(value: &Value) -> &[Value] {
    value.as_array().map(Vec::as_slice).unwrap_or_default()
}
