//! Prints suggestions for people: the capabilities with their scores, and the plan.

use serde_json::{Map, Value, json};

use super::envelope::{cell, list_items};
use super::{BOLD, DIM, Printer, Table};

impl Printer {
    pub(crate) fn suggestions(&self, data: &Value) {
        let rows = list_items(&data["suggestions"]);
        if rows.is_empty() {
            return;
        }
        let mut table = Table::new(["capability", "score", "relevance", "reliability", "why"]);
        let fields = ["capability", "score", "relevance", "reliability", "why"];
        for row in rows {
            table.push_row(fields.map(|field| cell(&row[field])));
        }
        table.keep_first_column();
        self.line(table);
        for row in rows {
            let name = cell(&row["capability"]);
            let needs: Vec<_> = list_items(&row["needs"]).iter().map(cell).collect();
            if !needs.is_empty() {
                self.line(format_args!(
                    "{name} uses the output of {}",
                    needs.join(", ")
                ));
            }
            if let Some(other) = row["alternative"].as_str() {
                self.line(format_args!("{name} often fails; {other} does the same"));
            }
        }
        self.suggested_plan(&data["plan"]);
    }

    /// Prints the plan in the details of an error that asks to review it before it is run.
    pub(crate) fn plan_to_review(&self, details: &Map<String, Value>) {
        if let Some(steps) = details.get("plan") {
            // An error with a call that accepts the plan means that the plan is ready.
            let ready = details.contains_key("mend");
            self.suggested_plan(&json!({"steps": steps, "ready": ready}));
        }
        if let Some(mind) = details.get("mind") {
            self.line(format_args!("{DIM}mind{DIM:#}  {}", cell(mind)));
        }
    }

    fn suggested_plan(&self, plan: &Value) {
        let steps = list_items(&plan["steps"]);
        if steps.is_empty() {
            return;
        }
        self.line("");
        let is_missing = |step: &Value| !list_items(&step["missing"]).is_empty();
        let ready = if plan["ready"] == true {
            "ready"
        } else if steps.iter().any(is_missing) {
            "inputs are missing"
        } else {
            "not ready"
        };
        self.line(format_args!("{BOLD}plan{BOLD:#} {DIM}({ready}){DIM:#}"));
        for (index, step) in steps.iter().enumerate() {
            let (task, input) = (cell(&step["task"]), cell(&step["input"]));
            let names: Vec<_> = list_items(&step["missing"]).iter().map(cell).collect();
            let missing = if names.is_empty() {
                String::new()
            } else {
                format!("  missing {}", names.join(", "))
            };
            self.line(format_args!(
                "  {}. {task} {DIM}{input}{DIM:#}{missing}",
                index + 1
            ));
        }
    }
}
