//! Records the progress of calls: they begin, are sent, and are answered.

use std::sync::PoisonError;
use std::sync::atomic::Ordering;

use serde_json::Value;

use capstan_core::Outcome;
use capstan_core::card::Operation;
use capstan_core::code::{TraceCall, kept, shown_name};
use capstan_core::port::Failure;

use super::Recorder;
use super::calls::{CallOutput, Calls, NewCall, RecordedCall, UNRECORDED};
use super::recorder_state::{MOST_CALLS, MOST_KEPT_BYTES};

/// How many values from earlier outputs are recorded for one call.
const MOST_PASSED_VALUES: usize = 50;

impl Recorder {
    /// Returns a new number for calls that are sent together.
    pub(crate) fn next_batch(&self) -> u32 {
        self.batches.fetch_add(1, Ordering::Relaxed)
    }

    /// Records that a call begins. Returns the number with which to [`Self::close`] it.
    pub(crate) fn open(&self, opened: &NewCall<'_>) -> u32 {
        let &NewCall {
            capability,
            code,
            step,
            input,
            batch,
            parent,
            writes,
        } = opened;
        let name = |name: &str| self.redactor.text(&shown_name(name)).into_owned();
        let call = TraceCall {
            capability: name(capability),
            code: code.cloned(),
            step: step.map(name),
            within: parent,
            batch,
            started_us: self.elapsed(),
            duration_us: 0,
            ok: false,
            error_code: None,
            error: None,
            outcome: None,
            input: self.kept(input),
            output: Value::Null,
        };
        let mut calls = self.calls.lock().unwrap_or_else(PoisonError::into_inner);
        if calls.all.len() >= MOST_CALLS && !writes {
            return UNRECORDED;
        }
        self.record_passed_values(&mut calls, parent, &call.input);
        calls.all.push(RecordedCall {
            call,
            writes,
            outcome: None,
            was_sent: false,
            recorded: None,
        });
        u32::try_from(calls.all.len() - 1).unwrap_or(u32::MAX)
    }

    /// Adds to earlier calls, whose outputs were too long to keep, the values of these outputs that `input` uses.
    fn record_passed_values(&self, calls: &mut Calls, parent: Option<u32>, input: &Value) {
        let reused_values = calls.provenance.reused_values(parent, input);
        for reused in reused_values.into_iter().take(MOST_PASSED_VALUES) {
            let size = reused.pointer.len() + reused.value.as_str().map_or(8, str::len);
            if self.kept_bytes.fetch_add(size, Ordering::Relaxed) > MOST_KEPT_BYTES {
                return;
            }
            if let Some(earlier) = calls.all.get_mut(reused.call as usize) {
                // The names in the path come from an output that was not masked.
                let pointer = self.redactor.text(&reused.pointer);
                kept::add_used(&mut earlier.call.output, &pointer, reused.value);
            }
        }
    }

    /// Records the end of a call.
    pub(crate) fn close(&self, number: u32, result: Result<CallOutput<'_>, &Failure>) {
        let is_cut = self.record_answer(number, result);
        let mut calls = self.calls.lock().unwrap_or_else(PoisonError::into_inner);
        let Calls { all, provenance } = &mut *calls;
        if let (Some(entry), Ok(output), true) = (all.get(number as usize), result, is_cut) {
            // A single call at the top has no later calls that could use its values.
            if entry.call.within.is_some() || self.has_several {
                provenance.record_output(entry.call.within, number, output.data);
            }
        }
    }

    /// Records an answer, possibly before the caller gets it. Returns whether the data are too long to keep.
    pub(crate) fn record_answer(
        &self,
        number: u32,
        result: Result<CallOutput<'_>, &Failure>,
    ) -> bool {
        let now = self.elapsed();
        let output = result.ok().map(|output| self.kept_output(output));
        let is_cut = output.as_ref().is_some_and(kept::is_cut);
        let outcome = result.err().map_or(Outcome::Applied, |it| it.outcome);
        let error = result.err().map(|failure| &failure.error);
        let message = error.map(|error| self.redactor.text(&error.message).into_owned());
        let mut calls = self.calls.lock().unwrap_or_else(PoisonError::into_inner);
        if let Some(entry) = calls.all.get_mut(number as usize) {
            entry.outcome = Some(outcome);
            let call = &mut entry.call;
            call.duration_us = now.saturating_sub(call.started_us);
            call.ok = error.is_none();
            call.error_code = error.map(|error| error.code);
            call.error = message;
            call.outcome = (entry.writes && error.is_some()).then_some(outcome);
            call.output = output.unwrap_or_default();
        }
        is_cut
    }

    /// Sets whether calls were sent. Applies only to calls of the same operation as the request: the lookup before a
    /// write is a read and does not mark the write as sent.
    pub(crate) fn set_sent(&self, numbers: &[u32], operation: Operation, sent: bool) {
        let mut calls = self.calls.lock().unwrap_or_else(PoisonError::into_inner);
        for number in numbers {
            if let Some(entry) = calls.all.get_mut(*number as usize)
                && entry.writes == (operation == Operation::Write)
            {
                entry.was_sent = sent;
            }
        }
    }
}
