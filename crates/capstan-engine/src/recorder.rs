//! Writes down what one execution does, as it happens. What it keeps has no secrets and is bounded.

use std::sync::atomic::{AtomicU32, Ordering};
use std::sync::{Arc, Mutex, PoisonError};
use std::time::{Instant, SystemTime};

use serde_json::{Value, json};

use capstan_core::code::{ConsoleLine, Mode, Timestamp, Trace, TraceCall, TraceId};
use capstan_core::port::Clock;
use capstan_core::{CallsMade, Redactor, ResultEnvelope, ResultError, Timings};

/// Inputs and outputs that are longer as JSON are not kept.
const LONGEST_VALUE: usize = 4 << 10;

/// Nobody looks at more.
const MOST_CALLS: usize = 5000;

pub(crate) struct Recorder {
    clock: Arc<dyn Clock>,
    redactor: Redactor,
    started: Instant,
    started_at: Timestamp,
    id: TraceId,
    calls: Mutex<Vec<TraceCall>>,
    console: Mutex<(Vec<ConsoleLine>, bool)>,
    batches: AtomicU32,
}

/// Where in a trace something happens.
#[derive(Clone, Copy)]
pub(crate) struct Within<'a> {
    pub(crate) recorder: &'a Recorder,
    /// The call that it is a part of.
    pub(crate) call: Option<u32>,
    /// How many runs of code wait for it.
    pub(crate) depth: u32,
}

impl Recorder {
    pub(crate) fn new(clock: Arc<dyn Clock>, redactor: Redactor) -> Self {
        let started = clock.now();
        let started_at = timestamp(clock.date());
        Self {
            clock,
            redactor,
            started,
            started_at,
            id: TraceId::new(started_at, fastrand::u64(..)),
            calls: Mutex::default(),
            console: Mutex::default(),
            batches: AtomicU32::new(0),
        }
    }

    pub(crate) fn id(&self) -> &TraceId {
        &self.id
    }

    pub(crate) fn top(&self) -> Within<'_> {
        Within {
            recorder: self,
            call: None,
            depth: 0,
        }
    }

    /// A number for what leaves together.
    pub(crate) fn batch(&self) -> u32 {
        self.batches.fetch_add(1, Ordering::Relaxed)
    }

    /// A call begins. The number is to be given back at its end.
    pub(crate) fn open(
        &self,
        capability: &str,
        input: &Value,
        batch: u32,
        within: Option<u32>,
    ) -> u32 {
        let call = TraceCall {
            capability: self.redactor.text(capability).into_owned(),
            within,
            batch,
            started_us: self.elapsed(),
            duration_us: 0,
            ok: false,
            error_code: None,
            error: None,
            input: self.kept(input),
            output: Value::Null,
        };
        let mut calls = self.calls.lock().unwrap_or_else(PoisonError::into_inner);
        calls.push(call);
        u32::try_from(calls.len() - 1).unwrap_or(u32::MAX)
    }

    /// A call is over.
    pub(crate) fn close(&self, call: u32, envelope: &ResultEnvelope) {
        let now = self.elapsed();
        let output = envelope.data.as_ref().map(|data| self.kept(data));
        let error = envelope.error.as_ref();
        let message = error.map(|error| self.redactor.text(&error.message).into_owned());
        let mut calls = self.calls.lock().unwrap_or_else(PoisonError::into_inner);
        if let Some(call) = calls.get_mut(call as usize) {
            call.duration_us = now.saturating_sub(call.started_us);
            call.ok = envelope.ok;
            call.error_code = error.map(|error| error.code);
            call.error = message;
            call.output = output.unwrap_or_default();
        }
    }

    /// What was called directly from within a call (from the top: without one), how often.
    pub(crate) fn calls_made(&self, within: Option<u32>) -> Vec<CallsMade> {
        let mut made: Vec<CallsMade> = Vec::new();
        let calls = self.calls.lock().unwrap_or_else(PoisonError::into_inner);
        for call in calls.iter().filter(|call| call.within == within) {
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

    /// What code wrote to its console, and whether some of it was left out.
    pub(crate) fn console(&self, lines: Vec<ConsoleLine>, cut: bool) {
        let mut console = self.console.lock().unwrap_or_else(PoisonError::into_inner);
        let text = |text: &str| self.redactor.text(text).into_owned();
        console.0.extend(lines.into_iter().map(|line| ConsoleLine {
            text: text(&line.text),
            level: line.level,
        }));
        console.1 |= cut;
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
        let own = calls.iter().filter(|call| call.within == within);
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

    /// The trace of what is over.
    pub(crate) fn finish(self, about: &About<'_>) -> Trace {
        let duration_us = self.elapsed();
        let text = |text: &str| self.redactor.text(text).into_owned();
        let (intent, capability) = (about.intent.map(text), about.capability.map(text));
        let error = about.error.map(|error| text(&error.message));
        let mut calls = self
            .calls
            .into_inner()
            .unwrap_or_else(PoisonError::into_inner);
        calls.truncate(MOST_CALLS);
        let console = self.console.into_inner();
        let (console, console_cut) = console.unwrap_or_else(PoisonError::into_inner);
        Trace {
            mode: about.mode,
            intent,
            capability,
            started_at: self.started_at,
            duration_us,
            ok: about.error.is_none(),
            error_code: about.error.map(|error| error.code),
            error,
            calls,
            console,
            console_cut,
            id: self.id,
        }
    }

    fn kept(&self, value: &Value) -> Value {
        let size = serde_json::to_string(value).map_or(0, |text| text.len());
        if size > LONGEST_VALUE {
            return json!({"cut": format!("{size} bytes")});
        }
        let mut value = value.clone();
        self.redactor.value(&mut value);
        value
    }
}

/// What a trace is about as a whole.
pub(crate) struct About<'a> {
    pub(crate) mode: Mode,
    pub(crate) intent: Option<&'a str>,
    pub(crate) capability: Option<&'a str>,
    pub(crate) error: Option<&'a ResultError>,
}

pub(crate) fn timestamp(date: SystemTime) -> Timestamp {
    let since = date.duration_since(SystemTime::UNIX_EPOCH);
    since.map_or(0, |since| {
        i64::try_from(since.as_millis()).unwrap_or(i64::MAX)
    })
}
