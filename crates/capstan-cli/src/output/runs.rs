//! Prints runs of skills for people: a list, or one step by step.

use capstan_core::{ErrorCode, ResultError};
use serde_json::{Value, json};

use super::envelope::{cell, list_items, narrow_cell};
use super::sanitize::sanitize;
use super::{BOLD, DIM, ERROR, GOOD, Printer, Table};

impl Printer {
    pub(crate) fn runs(&self, data: &Value) {
        let runs = list_items(&data["runs"]);
        if runs.is_empty() {
            self.line("no runs match");
            return;
        }
        let mut table = Table::new(["id", "when", "skill", "state", "done", "why"]);
        for run in runs {
            table.push_row([
                cell(&run["id"]),
                narrow_cell(&run["at"]),
                cell(&run["skill"]),
                cell(&run["state"]),
                format!("{} of {}", cell(&run["done"]), cell(&run["steps"])),
                cell(&run["error"]),
            ]);
        }
        table.keep_first_column();
        self.line(table);
    }

    pub(crate) fn skill_run(&self, run: &Value) {
        let state = run["state"].as_str().unwrap_or_default();
        let shown = match state {
            "ok" => format!("{GOOD}ok{GOOD:#}"),
            "failed" => format!("{ERROR}failed{ERROR:#}"),
            other => sanitize(other).into_owned(),
        };
        let (id, skill) = (cell(&run["id"]), cell(&run["skill"]));
        self.line(format_args!("{BOLD}{id}{BOLD:#}  {skill}  {shown}"));
        self.field("began", &narrow_cell(&run["started_at"]));
        self.field("last", &narrow_cell(&run["updated_at"]));
        if run["attempt"].as_u64() > Some(1) {
            self.field("attempt", &cell(&run["attempt"]));
        }
        let owner = &run["owner"];
        if owner.is_object() {
            let state = match owner["is"].as_str() {
                Some("alive") => "which is still running",
                Some("gone") => "which has ended",
                _ => "whose state is unknown here",
            };
            let process = format!("process {}, {state}", cell(&owner["process"]));
            self.field("owner", &process);
        }
        self.field("why", &cell(&run["error"]));
        let steps = list_items(&run["steps"]);
        if !steps.is_empty() {
            self.line("");
        }
        for step in steps {
            let mark = match step["state"].as_str() {
                Some("done") => format!("{GOOD}done    {GOOD:#}"),
                Some("not_done") => "not done".to_owned(),
                Some("skipped") => "skipped ".to_owned(),
                _ => format!("{ERROR}unknown {ERROR:#}"),
            };
            self.line(format_args!("{mark}  {}", cell(&step["step"])));
            for sent in step["sent"].as_array().into_iter().flatten() {
                let attempt = cell(&sent["attempt"]);
                let state = cell(&sent["state"]).replace('_', " ");
                self.line(format_args!(
                    "{DIM}          sent by attempt {attempt}: {state}{DIM:#}"
                ));
            }
        }
        let left = run["of"]
            .as_u64()
            .unwrap_or(0)
            .saturating_sub(steps.len() as u64);
        if left > 0 && state != "ok" {
            self.line(format_args!(
                "{DIM}and {left} more that did not start{DIM:#}"
            ));
        }
        if state != "ok" {
            let resume = self.command(&resumption(&run["id"]));
            self.line(format_args!("{DIM}next{DIM:#} {resume}"));
        }
    }

    /// Prints what a failed run of a skill or of code wrote before the failure, and the id of the run.
    pub(super) fn writes_before_failure(&self, error: &ResultError) {
        let details = &error.details;
        let names = |key: &str| {
            let steps = details.get(key).map(list_items).unwrap_or_default();
            let names = steps.iter().filter_map(Value::as_str);
            names.map(sanitize).collect::<Vec<_>>().join(", ")
        };
        let written = names("written");
        let writes = details.get("writes");
        let count = writes.and_then(|it| it["done"].as_u64()).unwrap_or(0);
        match (written.is_empty(), count) {
            (false, _) => self.field("written", &written),
            (true, 0) => {}
            (true, 1) => self.field("written", "once before the failure"),
            (true, count) => self.field("written", &format!("{count} times before the failure")),
        }
        let unknown: Vec<_> = writes
            .and_then(|it| it["unknown"].as_array())
            .into_iter()
            .flatten()
            .filter_map(Value::as_str)
            .map(sanitize)
            .collect();
        if !unknown.is_empty() {
            self.field("unknown", &unknown.join(", "));
        }
        if let Some(run) = details.get("run").and_then(Value::as_str) {
            self.field("run", &sanitize(run));
        }
    }

    /// Prints how to resume a failed run, if it has finished steps that a new run would repeat.
    pub(super) fn resume(&self, error: &ResultError) {
        let details = &error.details;
        // The simulator of a demo forgets everything when it ends.
        if self.program.contains("--demo") {
            return;
        }
        // An error in the skill itself would occur again.
        let would_fail_again = matches!(error.code, ErrorCode::Validation | ErrorCode::Unknown);
        let has_finished_steps = details
            .get("completed")
            .is_some_and(|completed| !list_items(completed).is_empty());
        if would_fail_again || !has_finished_steps {
            return;
        }
        let Some(run) = details.get("run") else {
            return;
        };
        let call = resumption(run);
        if details.get("mend") != Some(&call) {
            self.line(format_args!("{DIM}or{DIM:#}   {}", self.command(&call)));
        }
    }
}

/// Returns the call that resumes a run.
fn resumption(run: &Value) -> Value {
    let call = json!({"capability": "run.resume", "input": {"run": run}});
    json!({"tool": "execute", "arguments": call})
}
