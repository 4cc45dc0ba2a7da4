//! The trace of an execution: as far as it is known before a write leaves, and as a whole when it is over.

use std::sync::PoisonError;
use std::sync::atomic::Ordering;

use capstan_core::ResultError;
use capstan_core::code::{CallStage, Mode, OpenCall, OpenTrace, Trace, TraceState, shown_name};

use super::Recorder;
use super::recorder_state::MOST_CALLS;

/// What a trace is about as a whole.
pub(crate) struct TraceSubject<'a> {
    pub(crate) mode: Mode,
    pub(crate) intent: Option<&'a str>,
    pub(crate) capability: Option<&'a str>,
    pub(crate) error: Option<&'a ResultError>,
}

impl Recorder {
    /// What is to be recorded before these calls leave: the execution, and every call that is not recorded
    /// as it is.
    pub(crate) fn take_unrecorded(&self, leaving: &[u32]) -> OpenTrace {
        let mut calls = self.calls.lock().unwrap_or_else(PoisonError::into_inner);
        let mut unrecorded = Vec::new();
        for (position, entry) in calls.all.iter_mut().enumerate() {
            let position = u32::try_from(position).unwrap_or(u32::MAX);
            let stage = match entry.outcome {
                Some(_) => CallStage::Answered,
                None if entry.left || leaving.contains(&position) => CallStage::Left,
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
            trace: self.so_far(),
            calls: unrecorded,
        }
    }

    /// Whether something of it is in the store: what that says has to stay true.
    pub(crate) fn is_recorded(&self) -> bool {
        self.is_recorded.load(Ordering::Relaxed)
    }

    /// Whether it is worth trying to record it.
    pub(crate) fn is_recordable(&self) -> bool {
        self.is_recorded() || !self.has_failed.load(Ordering::Relaxed)
    }

    /// Whether recording it went well. If not, what was taken to be recorded is taken again.
    pub(crate) fn set_recorded(&self, well: bool) {
        if well {
            self.is_recorded.store(true, Ordering::Relaxed);
            return;
        }
        self.has_failed.store(true, Ordering::Relaxed);
        let mut calls = self.calls.lock().unwrap_or_else(PoisonError::into_inner);
        for entry in &mut calls.all {
            entry.recorded = None;
        }
    }

    /// The execution as far as it is known, without its calls.
    fn so_far(&self) -> Trace {
        let text = |text: &str| self.redactor.text(text).into_owned();
        let (mode, capability) = match (self.asked.mode, self.turned_out.get()) {
            (Mode::Single, Some((mode, name))) => (*mode, Some(name.as_str())),
            (mode, _) => (mode, self.asked.capability.as_deref()),
        };
        Trace {
            id: self.id.clone(),
            mode,
            state: TraceState::UnderWay,
            intent: self.asked.intent.as_deref().map(text),
            capability: capability.map(|name| text(&shown_name(name))),
            input: self.given.get().cloned().unwrap_or_default(),
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

    /// The trace of what is over.
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
            input: self.given.into_inner().unwrap_or_default(),
            follows: self.follows,
            started_at: self.started_at,
            duration_us,
            ok: about.error.is_none(),
            error_code: about.error.map(|error| error.code),
            error,
            calls: calls
                .all
                .into_iter()
                .map(|entry| entry.ended(duration_us))
                .take(MOST_CALLS)
                .collect(),
            console,
            console_cut,
            id: self.id,
        }
    }
}
