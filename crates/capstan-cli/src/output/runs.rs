//! Runs of skills, for people: a list of them, and one step by step.

use capstan_core::{ErrorCode, ResultError};
use serde_json::{Value, json};

use super::envelope::{cell, narrow_cell};
use super::harmless::harmless;
use super::{BOLD, DIM, ERROR, GOOD, Printer, Table};

impl Printer {
    pub(crate) fn runs(&self, data: &Value) {
        let runs = data["runs"].as_array();
        let runs = runs.map(Vec::as_slice).unwrap_or_default();
        if runs.is_empty() {
            self.line("nothing that is remembered fits");
            return;
        }
        let mut table = Table::new(["id", "when", "skill", "state", "done", "why"]);
        for run in runs {
            table.row([
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

    pub(crate) fn run_of_skill(&self, run: &Value) {
        let state = run["state"].as_str().unwrap_or_default();
        let shown = match state {
            "ok" => format!("{GOOD}ok{GOOD:#}"),
            "failed" => format!("{ERROR}failed{ERROR:#}"),
            other => harmless(other).into_owned(),
        };
        let (id, skill) = (cell(&run["id"]), cell(&run["skill"]));
        self.line(format_args!("{BOLD}{id}{BOLD:#}  {skill}  {shown}"));
        self.fact("began", &narrow_cell(&run["started_at"]));
        self.fact("last", &narrow_cell(&run["updated_at"]));
        if run["attempt"].as_u64() > Some(1) {
            self.fact("attempt", &cell(&run["attempt"]));
        }
        let owner = &run["owner"];
        if owner.is_object() {
            let is = match owner["is"].as_str() {
                Some("alive") => "which is still there",
                Some("gone") => "which is gone",
                _ => "which cannot be seen from here",
            };
            let process = format!("process {}, {is}", cell(&owner["process"]));
            self.fact("owner", &process);
        }
        self.fact("why", &cell(&run["error"]));
        let steps = run["steps"].as_array();
        let steps = steps.map(Vec::as_slice).unwrap_or_default();
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
            self.line(format_args!("{DIM}and {left} that did not begin{DIM:#}"));
        }
        if state != "ok" {
            let resume = self.command(&resumption(&run["id"]));
            self.line(format_args!("{DIM}next{DIM:#} {resume}"));
        }
    }

    /// What a failed run of a skill, or of code, has changed by then, and by which name it is remembered.
    pub(super) fn what_was_done(&self, error: &ResultError) {
        let details = &error.details;
        let names = |key: &str| {
            let steps = details.get(key).and_then(Value::as_array);
            let steps = steps.into_iter().flatten().filter_map(Value::as_str);
            steps.map(harmless).collect::<Vec<_>>().join(", ")
        };
        let written = names("written");
        let writes = details.get("writes");
        let count = writes.and_then(|it| it["done"].as_u64()).unwrap_or(0);
        match (written.is_empty(), count) {
            (false, _) => self.fact("written", &written),
            (true, 0) => {}
            (true, 1) => self.fact("written", "once, before it failed"),
            (true, count) => self.fact("written", &format!("{count} times, before it failed")),
        }
        let unknown = writes.and_then(|it| it["unknown"].as_array());
        let unknown = unknown.into_iter().flatten().filter_map(Value::as_str);
        let unknown: Vec<_> = unknown.map(harmless).collect();
        if !unknown.is_empty() {
            self.fact("unknown", &unknown.join(", "));
        }
        if let Some(run) = details.get("run").and_then(Value::as_str) {
            self.fact("run", &harmless(run));
        }
    }

    /// How to go on after a failure, where something is done that would be done again otherwise.
    pub(super) fn resume(&self, error: &ResultError) {
        let details = &error.details;
        let is_done = |done: &Value| done.as_array().is_some_and(|done| !done.is_empty());
        // What is wrong with the skill itself stays wrong.
        // And what a demo did is forgotten with it.
        if self.program.contains("--demo") {
            return;
        }
        let same_again = matches!(error.code, ErrorCode::Validation | ErrorCode::Unknown);
        let is_done = details.get("completed").is_some_and(is_done);
        let Some(run) = details.get("run").filter(|_| is_done && !same_again) else {
            return;
        };
        let call = resumption(run);
        if details.get("mend") != Some(&call) {
            self.line(format_args!("{DIM}or{DIM:#}   {}", self.command(&call)));
        }
    }
}

fn resumption(run: &Value) -> Value {
    let call = json!({"capability": "run.resume", "input": {"run": run}});
    json!({"tool": "execute", "arguments": call})
}
