//! Builds the trace of an execution: the part known so far, before a write is sent, and the whole at the end.

use std::sync::PoisonError;
use std::sync::atomic::Ordering;

use capstan_core::ResultError;
use capstan_core::code::{CallStage, Mode, OpenCall, OpenTrace, Trace, TraceState, shown_name};

use super::Recorder;
use super::recorder_state::MOST_CALLS;

/// The facts about a whole execution that its trace states.
pub(crate) struct TraceSubject<'a> {
    pub(crate) mode: Mode,
    pub(crate) intent: Option<&'a str>,
    pub(crate) capability: Option<&'a str>,
    pub(crate) error: Option<&'a ResultError>,
}

impl Recorder {
    /// Takes what the store must record before the calls `leaving` are sent: the execution, and each call whose stage
    /// changed since it was last taken.
    pub(crate) fn take_unrecorded(&self, leaving: &[u32]) -> OpenTrace {
        let mut calls = self.calls.lock().unwrap_or_else(PoisonError::into_inner);
        let mut unrecorded = Vec::new();
        for (position, entry) in calls.all.iter_mut().enumerate() {
            let position = u32::try_from(position).unwrap_or(u32::MAX);
            let stage = match entry.outcome {
                Some(_) => CallStage::Answered,
                None if entry.was_sent || leaving.contains(&position) => CallStage::Left,
                None => CallStage::Waiting,
            };
            if entry.recorded != Some(stage) {
                entry.recorded = Some(stage);
                unrecorded.push(OpenCall {
                    position,
                    stage,
                    writes: entry.writes,
                    call: entry.call.clone(),
                });
            }
        }
        OpenTrace {
            trace: self.trace_so_far(),
            calls: unrecorded,
        }
    }

    /// Returns whether a part of this execution is in the store. What the store says must then stay true.
    pub(crate) fn is_recorded(&self) -> bool {
        self.is_recorded.load(Ordering::Relaxed)
    }

    /// Returns whether to record this execution: `false` if the first attempt failed.
    pub(crate) fn is_recordable(&self) -> bool {
        self.is_recorded() || !self.recording_failed.load(Ordering::Relaxed)
    }

    /// Sets whether the store recorded what was taken. After a failure, the next [`Self::take_unrecorded`] returns
    /// all calls again.
    pub(crate) fn set_recorded(&self, succeeded: bool) {
        if succeeded {
            self.is_recorded.store(true, Ordering::Relaxed);
            return;
        }
        self.recording_failed.store(true, Ordering::Relaxed);
        let mut calls = self.calls.lock().unwrap_or_else(PoisonError::into_inner);
        for entry in &mut calls.all {
            entry.recorded = None;
        }
    }

    /// Returns the trace as far as it is known, without the calls.
    fn trace_so_far(&self) -> Trace {
        let text = |text: &str| self.redactor.text(text).into_owned();
        let (mode, capability) = match (self.request.mode, self.subject.get()) {
            (Mode::Single, Some((mode, name))) => (*mode, Some(name.as_str())),
            (mode, _) => (mode, self.request.capability.as_deref()),
        };
        Trace {
            id: self.id.clone(),
            mode,
            state: TraceState::UnderWay,
            intent: self.request.intent.as_deref().map(text),
            capability: capability.map(|name| text(&shown_name(name))),
            input: self.args.get().cloned().unwrap_or_default(),
            follows: self.follows.clone(),
            started_at: self.started_at,
            duration_us: 0,
            ok: false,
            error_code: None,
            error: None,
            calls: Vec::new(),
            console: Vec::new(),
            console_cut: false,
        }
    }

    /// Returns the complete trace of a finished execution.
    pub(crate) fn finish(self, about: &TraceSubject<'_>) -> Trace {
        let duration_us = self.elapsed();
        let text = |text: &str| self.redactor.text(text).into_owned();
        let capability = about.capability.map(|name| text(&shown_name(name)));
        let intent = about.intent.map(text);
        let error = about.error.map(|error| text(&error.message));
        let calls = self
            .calls
            .into_inner()
            .unwrap_or_else(PoisonError::into_inner);
        let console = self.console.into_inner();
        let (console, console_cut) = console.unwrap_or_else(PoisonError::into_inner);
        Trace {
            mode: about.mode,
            state: TraceState::Ended,
            intent,
            capability,
            input: self.args.into_inner().unwrap_or_default(),
            follows: self.follows,
            started_at: self.started_at,
            duration_us,
            ok: about.error.is_none(),
            error_code: about.error.map(|error| error.code),
            error,
            calls: calls
                .all
                .into_iter()
                .map(|entry| entry.into_trace_call(duration_us))
                .take(MOST_CALLS)
                .collect(),
            console,
            console_cut,
            id: self.id,
        }
    }
}
