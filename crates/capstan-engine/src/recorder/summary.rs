//! Summaries of an execution, during it and at its end: calls, writes, console, warnings and times.

use std::collections::HashSet;
use std::sync::PoisonError;
use std::time::{Duration, Instant};

use serde_json::Value;

use capstan_core::code::ConsoleLine;
use capstan_core::{CallsMade, Outcome, Timings};

use super::Recorder;
use super::calls::RecordedCall;
use super::writes::WriteSummary;
use crate::session::Interruption;

/// How many bytes of console output one trace keeps, of all runs of code together.
const MOST_CONSOLE_BYTES: usize = 256 << 10;

/// How many warnings of inner calls are passed on with the answer.
const MOST_WARNINGS: usize = 10;

impl Recorder {
    /// Counts the writes so far: those that succeeded, those of unknown outcome, and those that were not sent.
    pub(crate) fn interruption(&self) -> Interruption {
        let calls = self.calls.lock().unwrap_or_else(PoisonError::into_inner);
        // Calls that made other calls would be counted twice.
        let parents: HashSet<u32> = calls.all.iter().filter_map(|it| it.call.within).collect();
        let is_single =
            |(position, entry): &(u32, &RecordedCall)| entry.writes && !parents.contains(position);
        let mut interruption = Interruption::default();
        for (_, entry) in (0..).zip(&calls.all).filter(is_single) {
            match (entry.outcome, entry.was_sent) {
                (Some(Outcome::Applied), _) => interruption.done += 1,
                (Some(Outcome::Unknown | Outcome::Partial), _) | (None, true) => {
                    interruption.unknown.push(entry.call.capability.clone());
                }
                (None, false) => interruption.not_sent += 1,
                (Some(Outcome::NotApplied), _) => {}
            }
        }
        interruption
    }

    /// Returns the capability and the input of the first call if it succeeded and its values are kept: what the caller
    /// asked for.
    pub(crate) fn first_call(&self) -> Option<(String, Value)> {
        let calls = self.calls.lock().unwrap_or_else(PoisonError::into_inner);
        let first = calls.all.first().map(|entry| &entry.call);
        let first = first.filter(|call| call.ok && self.keeps_values)?;
        Some((first.capability.clone(), first.input.clone()))
    }

    /// Counts the calls that the call `parent` made directly, by capability; with `None`, those at the top.
    pub(crate) fn calls_made(&self, parent: Option<u32>) -> Vec<CallsMade> {
        let mut made: Vec<CallsMade> = Vec::new();
        let calls = self.calls.lock().unwrap_or_else(PoisonError::into_inner);
        let calls = calls.all.iter().map(|entry| &entry.call);
        for call in calls.filter(|call| call.within == parent) {
            let failed = u64::from(!call.ok);
            match made.iter_mut().find(|it| it.capability == call.capability) {
                Some(known) => {
                    known.count += 1;
                    known.failed += failed;
                }
                None => made.push(CallsMade {
                    capability: call.capability.clone(),
                    count: 1,
                    failed,
                }),
            }
        }
        made
    }

    /// Summarizes the writes below the call `parent`, at any depth; with `None`, all writes of the execution.
    pub(crate) fn writes(&self, parent: Option<u32>) -> WriteSummary {
        let calls = self.calls.lock().unwrap_or_else(PoisonError::into_inner);
        let mut writes = WriteSummary::default();
        for entry in calls.writes_within(parent) {
            match entry.outcome {
                Some(Outcome::Applied) => writes.done += 1,
                Some(Outcome::NotApplied) => {}
                None if !entry.was_sent => {}
                Some(Outcome::Unknown | Outcome::Partial) | None => {
                    writes.unknown.push(entry.call.capability.clone());
                }
            }
        }
        writes
    }

    /// Returns whether a write below the call `parent`, at any depth, is still under way.
    pub(crate) fn has_open_write(&self, parent: u32) -> bool {
        let calls = self.calls.lock().unwrap_or_else(PoisonError::into_inner);
        let mut writes = calls.writes_within(Some(parent));
        writes.any(|entry| entry.outcome.is_none())
    }

    /// Records lines that code wrote to its console. `cut`: the sandbox left some out.
    pub(crate) fn record_console(&self, lines: Vec<ConsoleLine>, cut: bool) {
        let mut console = self.console.lock().unwrap_or_else(PoisonError::into_inner);
        let mut size: usize = console.0.iter().map(|line| line.text.len()).sum();
        console.1 |= cut;
        for line in lines {
            size += line.text.len();
            if size > MOST_CONSOLE_BYTES {
                console.1 = true;
                return;
            }
            console.0.push(ConsoleLine {
                text: self.redactor.text(&line.text).into_owned(),
                level: line.level,
            });
        }
    }

    /// Records the warnings of an inner call, each once.
    pub(crate) fn record_warnings(&self, warnings: &[String]) {
        if warnings.is_empty() {
            return;
        }
        let mut known = self.warnings.lock().unwrap_or_else(PoisonError::into_inner);
        for warning in warnings {
            let warning = self.redactor.text(warning);
            if known.len() < MOST_WARNINGS && !known.iter().any(|it| *it == warning) {
                known.push(warning.into_owned());
            }
        }
    }

    /// Returns the warnings of inner calls, at most ten.
    pub(crate) fn warnings(&self) -> Vec<String> {
        let known = self.warnings.lock().unwrap_or_else(PoisonError::into_inner);
        known.clone()
    }

    /// Returns the console output so far.
    pub(crate) fn console_so_far(&self) -> Vec<ConsoleLine> {
        let console = self.console.lock().unwrap_or_else(PoisonError::into_inner);
        console.0.clone()
    }

    /// Returns the time since the start, and for how much of it a direct call of the call `parent` was under way;
    /// with `None`, a call at the top.
    pub(crate) fn timings(&self, parent: Option<u32>) -> Timings {
        let calls = self.calls.lock().unwrap_or_else(PoisonError::into_inner);
        let own = calls.all.iter().map(|entry| &entry.call);
        let own = own.filter(|call| call.within == parent);
        let mut spans: Vec<_> = own
            .map(|call| (call.started_us, call.started_us + call.duration_us))
            .collect();
        spans.sort_unstable();
        let mut busy_us = 0;
        let mut seen = 0;
        for (start, end) in spans {
            busy_us += end.saturating_sub(start.max(seen));
            seen = seen.max(end);
        }
        Timings {
            total_ms: self.elapsed() / 1000,
            adapter_ms: busy_us / 1000,
        }
    }

    /// Returns the time since the start in microseconds.
    pub(crate) fn elapsed(&self) -> u64 {
        let elapsed = self.clock.now().saturating_duration_since(self.started);
        u64::try_from(elapsed.as_micros()).unwrap_or(u64::MAX)
    }

    /// Returns the time from the start of the execution to a deadline.
    pub(crate) fn time_until(&self, deadline: Instant) -> Duration {
        deadline.saturating_duration_since(self.started)
    }
}
