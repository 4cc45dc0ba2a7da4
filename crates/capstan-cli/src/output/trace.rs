//! Prints traces for people: a list, or one as a timeline.

use capstan_core::code::{ConsoleLine, Mode, Trace, TraceCall, TraceState};
use serde_json::Value;

use super::duration::duration;
use super::envelope::{cell, list_items, narrow_cell};
use super::sanitize::sanitize;
use super::timeline::{TimelineRow, rows};
use super::{BOLD, DIM, ERROR, GOOD, NAME, Printer, Table};

/// The largest width of a timeline in columns. Long names may exceed it.
const MAX_WIDTH: usize = 80;

/// The smallest width of the bars, in columns.
const MIN_BAR_WIDTH: usize = 10;

/// The largest width of a name, in columns.
const MAX_NAME_WIDTH: usize = 36;

impl Printer {
    pub(crate) fn traces(&self, data: &Value) {
        let traces = list_items(&data["traces"]);
        if traces.is_empty() {
            self.line("no traces match");
            return;
        }
        let mut table = Table::new(["id", "when", "how", "what", "took", "calls", "came to"]);
        for trace in traces {
            let what = match cell(&trace["intent"]) {
                intent if intent.is_empty() => without_scope(&cell(&trace["capability"])),
                intent => intent,
            };
            let outcome = match (trace["state"].as_str(), trace["ok"].as_bool()) {
                (Some("crashed"), _) => "crashed".to_owned(),
                (Some("under_way"), _) => "under way".to_owned(),
                (_, Some(true)) => "ok".to_owned(),
                _ => cell(&trace["error_code"]),
            };
            table.push_row([
                cell(&trace["id"]),
                narrow_cell(&trace["at"]),
                serde_json::from_value(trace["mode"].clone())
                    .map_or("", mode)
                    .to_owned(),
                what,
                format!("{} ms", cell(&trace["ms"])),
                cell(&trace["calls"]),
                outcome,
            ]);
        }
        table.keep_first_column();
        self.line(table);
    }

    pub(crate) fn trace(&self, trace: &Trace, started: &str) {
        let status = match trace.state {
            TraceState::Ended => outcome(trace.ok, trace.error_code.map(|code| code.as_str())),
            TraceState::UnderWay => "under way".to_owned(),
            TraceState::Crashed => format!("{ERROR}crashed{ERROR:#}"),
        };
        self.line(format_args!(
            "{BOLD}{}{BOLD:#}  {}  {status}  {}",
            trace.id,
            mode(trace.mode),
            duration(trace.duration_us)
        ));
        self.field("at", started);
        self.field("what", trace.capability.as_deref().unwrap_or_default());
        self.field("for", trace.intent.as_deref().unwrap_or_default());
        if !trace.calls.is_empty() {
            self.line("");
            self.timeline(trace);
        }
        if !trace.console.is_empty() {
            self.line("");
            self.console(&trace.console);
            if trace.console_cut {
                self.line(format_args!("{DIM}and more, which was not recorded{DIM:#}"));
            }
        }
        if let Some(error) = &trace.error {
            let code = match (trace.state, trace.error_code) {
                (TraceState::Ended, Some(code)) => code.as_str(),
                (TraceState::Ended, None) => "error",
                (TraceState::UnderWay, _) => "under way",
                (TraceState::Crashed, _) => "crashed",
            };
            self.line(format_args!(
                "\n{ERROR}{code}{ERROR:#}: {}",
                sanitize(error)
            ));
        }
    }

    /// Prints console output in the order in which it was written.
    pub(crate) fn console(&self, lines: &[ConsoleLine]) {
        for line in lines {
            let style = match line.level.as_str() {
                "error" => ERROR,
                "warn" => BOLD,
                _ => DIM,
            };
            let (level, text) = (sanitize(&line.level), sanitize(&line.text));
            for (index, text) in text.split('\n').enumerate() {
                let level = if index == 0 { &*level } else { "" };
                let line = format!("{style}{level:5}{style:#} {text}");
                self.line(line.trim_end());
            }
        }
    }

    fn timeline(&self, trace: &Trace) {
        let rows = rows(&trace.calls);
        let shown: Vec<_> = rows.iter().map(|row| name(row, &trace.calls)).collect();
        let width = |text: &String| text.chars().count();
        let names = shown.iter().map(width).max().unwrap_or(0);
        let times: Vec<_> = trace
            .calls
            .iter()
            .map(|it| duration(it.duration_us))
            .collect();
        let time = times.iter().map(width).max().unwrap_or(0);
        let ends = trace.calls.iter().map(|call| match call.error_code {
            Some(code) => "failed ".len() + code.as_str().len(),
            None => "failed".len(),
        });
        let taken = names + time + ends.max().unwrap_or(0) + 6;
        let room = Table::terminal_width().map_or(MAX_WIDTH, |room| room.min(MAX_WIDTH));
        let bar = room.saturating_sub(taken).max(MIN_BAR_WIDTH);
        for (row, name) in rows.iter().zip(shown) {
            let call = &trace.calls[row.call];
            let (before, filled) = span(call, trace.duration_us, bar);
            let after = bar - before - filled;
            let style = if call.ok { GOOD } else { ERROR };
            let is_open = trace.state == TraceState::UnderWay && call.error_code.is_none();
            let status = if is_open && !call.ok {
                "open".to_owned()
            } else {
                outcome(call.ok, call.error_code.map(|code| code.as_str()))
            };
            self.line(format_args!(
                "{NAME}{name:names$}{NAME:#}  {:before$}{style}{}{style:#}{:after$}  {:>time$}  {status}",
                "",
                "━".repeat(filled),
                "",
                times[row.call],
            ));
            if let Some(error) = &call.error {
                let indent = row.prefix.chars().count() + 2;
                self.line(format_args!(
                    "{:indent$}{DIM}{}{DIM:#}",
                    "",
                    sanitize(error)
                ));
            }
        }
    }
}

/// Returns a full name without its scope, which is the same for most code.
fn without_scope(name: &str) -> String {
    let parts: Vec<_> = name.split('.').collect();
    match parts.as_slice() {
        [_, _, namespace, action, hash] => format!("{namespace}.{action}.{hash}"),
        _ => name.to_owned(),
    }
}

fn mode(mode: Mode) -> &'static str {
    match mode {
        Mode::Single => "run",
        Mode::Chain => "chain",
        Mode::Direct => "exec",
        Mode::ByName => "call",
        Mode::Skill => "skill",
        Mode::Suggestion => "suggestion",
    }
}

fn outcome(ok: bool, code: Option<&str>) -> String {
    match (ok, code) {
        (true, _) => format!("{GOOD}ok{GOOD:#}"),
        (false, Some(code)) => format!("{ERROR}failed{ERROR:#} {code}"),
        (false, None) => format!("{ERROR}failed{ERROR:#}"),
    }
}

/// Returns the name of a call with its prefix. A long name is cut at the front, because names differ at their end.
fn name(row: &TimelineRow, calls: &[TraceCall]) -> String {
    let call = &calls[row.call];
    // The last part of a step's path is enough, because the step is shown below its parent.
    let step = call.step.as_ref().and_then(|step| step.rsplit('/').next());
    let own = call.capability.split('@').next();
    let full = match step.filter(|step| Some(*step) != own) {
        Some(step) => format!("{step}: {}", call.capability),
        None => call.capability.clone(),
    };
    let line = sanitize(&full).replace(['\n', '\t'], " ");
    let room = MAX_NAME_WIDTH
        .saturating_sub(row.prefix.chars().count())
        .max(8);
    let length = line.chars().count();
    let text = if length > room {
        let end: String = line.chars().skip(length - room + 1).collect();
        format!("…{end}")
    } else {
        line
    };
    format!("{}{text}", row.prefix)
}

/// Returns how many columns of a bar are empty before a call, and how many the call fills, which is at least one.
fn span(call: &TraceCall, total: u64, bar: usize) -> (usize, usize) {
    let total = total.max(1) as f64;
    let place = |at: u64| ((at as f64 / total) * bar as f64).min(bar as f64);
    let begin = (place(call.started_us) as usize).min(bar.saturating_sub(1));
    let end = place(call.started_us.saturating_add(call.duration_us)).round() as usize;
    (begin, end.saturating_sub(begin).clamp(1, bar - begin))
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    fn call(started_us: u64, duration_us: u64) -> TraceCall {
        TraceCall {
            capability: "issue.view".to_owned(),
            code: None,
            step: None,
            within: None,
            batch: 0,
            started_us,
            duration_us,
            ok: true,
            error_code: None,
            error: None,
            outcome: None,
            input: Value::Null,
            output: Value::Null,
        }
    }

    #[test]
    fn bars_are_in_proportion() {
        assert_eq!(span(&call(0, 100), 100, 20), (0, 20));
        assert_eq!(span(&call(50, 25), 100, 20), (10, 5));
        assert_eq!(span(&call(100, 0), 100, 20), (19, 1));
        assert_eq!(span(&call(0, 0), 0, 20), (0, 1));
    }

    proptest! {
        #[test]
        fn a_bar_never_leaves_its_column(
            started in any::<u64>(), took in any::<u64>(), total in any::<u64>(), bar in 1..100_usize,
        ) {
            let (before, filled) = span(&call(started, took), total, bar);
            prop_assert!(filled >= 1 && before + filled <= bar);
        }
    }
}
