//! What was executed, for people: a list of it, and one as a timeline.

use capstan_core::code::{ConsoleLine, Mode, Trace, TraceCall, TraceState};
use serde_json::Value;

use super::duration::duration;
use super::envelope::{cell, narrow_cell};
use super::harmless::harmless;
use super::timeline::{Row, rows};
use super::{BOLD, DIM, ERROR, GOOD, NAME, Printer, Table};

/// How wide a timeline is at most, as long as the names in it allow.
const WIDEST: usize = 80;

/// A bar is never shorter, a name never longer than this.
const LEAST_BAR: usize = 10;
const WIDEST_NAME: usize = 36;

impl Printer {
    pub(crate) fn traces(&self, data: &Value) {
        let traces = data["traces"].as_array();
        let traces = traces.map(Vec::as_slice).unwrap_or_default();
        if traces.is_empty() {
            self.line("nothing that is remembered fits");
            return;
        }
        let mut table = Table::new(["id", "when", "how", "what", "took", "calls", "came to"]);
        for trace in traces {
            let what = match cell(&trace["intent"]) {
                intent if intent.is_empty() => short(&cell(&trace["capability"])),
                intent => intent,
            };
            let came_to = match (trace["state"].as_str(), trace["ok"].as_bool()) {
                (Some("crashed"), _) => "crashed".to_owned(),
                (Some("under_way"), _) => "under way".to_owned(),
                (_, Some(true)) => "ok".to_owned(),
                _ => cell(&trace["error_code"]),
            };
            table.row([
                cell(&trace["id"]),
                narrow_cell(&trace["at"]),
                serde_json::from_value(trace["mode"].clone())
                    .map_or("", mode)
                    .to_owned(),
                what,
                format!("{} ms", cell(&trace["ms"])),
                cell(&trace["calls"]),
                came_to,
            ]);
        }
        table.keep_first_column();
        self.line(table);
    }

    pub(crate) fn trace(&self, trace: &Trace, started: &str) {
        let status = match trace.state {
            TraceState::Ended => came_to(trace.ok, trace.error_code.map(|code| code.as_str())),
            TraceState::UnderWay => "under way".to_owned(),
            TraceState::Crashed => format!("{ERROR}crashed{ERROR:#}"),
        };
        self.line(format_args!(
            "{BOLD}{}{BOLD:#}  {}  {status}  {}",
            trace.id,
            mode(trace.mode),
            duration(trace.duration_us)
        ));
        self.fact("at", started);
        self.fact("what", trace.capability.as_deref().unwrap_or_default());
        self.fact("for", trace.intent.as_deref().unwrap_or_default());
        if !trace.calls.is_empty() {
            self.line("");
            self.timeline(trace);
        }
        if !trace.console.is_empty() {
            self.line("");
            self.console(&trace.console);
            if trace.console_cut {
                self.line(format_args!("{DIM}and more, which was not kept{DIM:#}"));
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
                harmless(error)
            ));
        }
    }

    /// In the order in which it was written.
    pub(crate) fn console(&self, lines: &[ConsoleLine]) {
        for line in lines {
            let style = match line.level.as_str() {
                "error" => ERROR,
                "warn" => BOLD,
                _ => DIM,
            };
            let (level, text) = (harmless(&line.level), harmless(&line.text));
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
        let room = Table::room().map_or(WIDEST, |room| room.min(WIDEST));
        let bar = room.saturating_sub(taken).max(LEAST_BAR);
        for (row, name) in rows.iter().zip(shown) {
            let call = &trace.calls[row.call];
            let (before, filled) = span(call, trace.duration_us, bar);
            let after = bar - before - filled;
            let style = if call.ok { GOOD } else { ERROR };
            let is_open = trace.state == TraceState::UnderWay && call.error_code.is_none();
            let status = if is_open && !call.ok {
                "open".to_owned()
            } else {
                came_to(call.ok, call.error_code.map(|code| code.as_str()))
            };
            self.line(format_args!(
                "{NAME}{name:names$}{NAME:#}  {:before$}{style}{}{style:#}{:after$}  {:>time$}  {status}",
                "",
                "━".repeat(filled),
                "",
                times[row.call],
            ));
            if let Some(error) = &call.error {
                let indent = row.stem.chars().count() + 2;
                self.line(format_args!(
                    "{:indent$}{DIM}{}{DIM:#}",
                    "",
                    harmless(error)
                ));
            }
        }
    }
}

/// A full name without its scope, which is the same for most.
fn short(name: &str) -> String {
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

fn came_to(ok: bool, code: Option<&str>) -> String {
    match (ok, code) {
        (true, _) => format!("{GOOD}ok{GOOD:#}"),
        (false, Some(code)) => format!("{ERROR}failed{ERROR:#} {code}"),
        (false, None) => format!("{ERROR}failed{ERROR:#}"),
    }
}

/// Cut at the front: what a long name ends with tells it from others.
fn name(row: &Row, calls: &[TraceCall]) -> String {
    let call = &calls[row.call];
    // The last part is enough: it stands below what it is a part of.
    let step = call.step.as_ref().and_then(|step| step.rsplit('/').next());
    let own = call.capability.split('@').next();
    let text = match step.filter(|step| Some(*step) != own) {
        Some(step) => format!("{step}: {}", call.capability),
        None => call.capability.clone(),
    };
    let text = harmless(&text).replace(['\n', '\t'], " ");
    let room = WIDEST_NAME.saturating_sub(row.stem.chars().count()).max(8);
    let length = text.chars().count();
    let text = if length > room {
        let end: String = text.chars().skip(length - room + 1).collect();
        format!("…{end}")
    } else {
        text
    };
    format!("{}{text}", row.stem)
}

/// How much of a bar is empty before a call, and how much it fills: at least a little.
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
