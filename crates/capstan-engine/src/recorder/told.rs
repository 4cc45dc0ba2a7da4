//! What an execution tells while it goes on and when it is over: calls, writes, console, warnings and times.

use std::collections::HashSet;
use std::sync::PoisonError;
use std::time::{Duration, Instant};

use capstan_core::code::{ConsoleLine, TraceCall};
use capstan_core::{CallsMade, Outcome, Timings};

use super::Recorder;
use super::calls::RecordedCall;
use super::writes::Writes;
use crate::session::Interruption;

/// Of all runs of one trace together.
const MOST_CONSOLE: usize = 256 << 10;

/// Of what calls within an execution were told, so much is told with its answer.
const MOST_WARNINGS: usize = 10;

impl Recorder {
    /// What was written so far, and what was not.
    pub(crate) fn interruption(&self) -> Interruption {
        let calls = self.calls.lock().unwrap_or_else(PoisonError::into_inner);
        // What called others tells nothing that those do not.
        let parents: HashSet<u32> = calls.all.iter().filter_map(|it| it.call.within).collect();
        let is_single =
            |(position, entry): &(u32, &RecordedCall)| entry.writes && !parents.contains(position);
        let mut told = Interruption::default();
        for (_, entry) in (0..).zip(&calls.all).filter(is_single) {
            match (entry.outcome, entry.left) {
                (Some(Outcome::Applied), _) => told.done += 1,
                (Some(Outcome::Unknown | Outcome::Partial), _) | (None, true) => {
                    told.unknown.push(entry.call.capability.clone());
                }
                (None, false) => told.not_sent += 1,
                (Some(Outcome::NotApplied), _) => {}
            }
        }
        told
    }

    /// What was asked for, if it went well.
    pub(crate) fn first_call(&self) -> Option<TraceCall> {
        let calls = self.calls.lock().unwrap_or_else(PoisonError::into_inner);
        let first = calls.all.first().map(|entry| &entry.call);
        first.filter(|call| call.ok && self.keeps).cloned()
    }

    /// What was called directly from within a call (from the top: without one), how often.
    pub(crate) fn calls_made(&self, within: Option<u32>) -> Vec<CallsMade> {
        let mut made: Vec<CallsMade> = Vec::new();
        let calls = self.calls.lock().unwrap_or_else(PoisonError::into_inner);
        let calls = calls.all.iter().map(|entry| &entry.call);
        for call in calls.filter(|call| call.within == within) {
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

    /// What became of everything that was written from within a call, at whatever depth (from the
    /// top: without one).
    pub(crate) fn writes(&self, within: Option<u32>) -> Writes {
        let calls = self.calls.lock().unwrap_or_else(PoisonError::into_inner);
        let mut writes = Writes::default();
        for entry in calls.writes_within(within) {
            match entry.outcome {
                Some(Outcome::Applied) => writes.done += 1,
                Some(Outcome::NotApplied) => {}
                None if !entry.left => {}
                Some(Outcome::Unknown | Outcome::Partial) | None => {
                    writes.unknown.push(entry.call.capability.clone());
                }
            }
        }
        writes
    }

    /// Whether something that writes was begun from within a call, at whatever depth, and is not over.
    pub(crate) fn has_open_write(&self, within: u32) -> bool {
        let calls = self.calls.lock().unwrap_or_else(PoisonError::into_inner);
        let mut writes = calls.writes_within(Some(within));
        writes.any(|entry| entry.outcome.is_none())
    }

    /// What code wrote to its console, and whether some of it was left out.
    pub(crate) fn console(&self, lines: Vec<ConsoleLine>, cut: bool) {
        let mut console = self.console.lock().unwrap_or_else(PoisonError::into_inner);
        let mut size: usize = console.0.iter().map(|line| line.text.len()).sum();
        console.1 |= cut;
        for line in lines {
            size += line.text.len();
            if size > MOST_CONSOLE {
                console.1 = true;
                return;
            }
            console.0.push(ConsoleLine {
                text: self.redactor.text(&line.text).into_owned(),
                level: line.level,
            });
        }
    }

    /// Notes what a call within the execution was told, once each.
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

    /// What calls within the execution were told, at most ten of it.
    pub(crate) fn warnings(&self) -> Vec<String> {
        let known = self.warnings.lock().unwrap_or_else(PoisonError::into_inner);
        known.clone()
    }

    /// Everything that code wrote so far.
    pub(crate) fn console_so_far(&self) -> Vec<ConsoleLine> {
        let console = self.console.lock().unwrap_or_else(PoisonError::into_inner);
        console.0.clone()
    }

    /// How long it took so far, and for how much of that something was under way that was called from
    /// within a call (from the top: without one).
    pub(crate) fn timings(&self, within: Option<u32>) -> Timings {
        let calls = self.calls.lock().unwrap_or_else(PoisonError::into_inner);
        let own = calls.all.iter().map(|entry| &entry.call);
        let own = own.filter(|call| call.within == within);
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

    pub(crate) fn elapsed(&self) -> u64 {
        let elapsed = self.clock.now().saturating_duration_since(self.started);
        u64::try_from(elapsed.as_micros()).unwrap_or(u64::MAX)
    }

    /// How long the whole execution has if it must be over then.
    pub(crate) fn time_until(&self, deadline: Instant) -> Duration {
        deadline.saturating_duration_since(self.started)
    }
}
