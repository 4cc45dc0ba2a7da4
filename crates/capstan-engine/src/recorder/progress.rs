//! What happens to calls: they begin, leave and are answered.

use std::sync::PoisonError;
use std::sync::atomic::Ordering;

use serde_json::Value;

use capstan_core::Outcome;
use capstan_core::card::Operation;
use capstan_core::code::{TraceCall, kept, shown_name};
use capstan_core::port::Failure;

use super::Recorder;
use super::calls::{Calls, NewCall, RecordedCall, UNCOUNTED};
use super::recorder_state::{MOST_CALLS, MOST_VALUES};

/// Of what one call was given by others.
const MOST_USED: usize = 50;

impl Recorder {
    /// A number for what leaves together.
    pub(crate) fn batch(&self) -> u32 {
        self.batches.fetch_add(1, Ordering::Relaxed)
    }

    /// A call begins. The number is to be given back at its end.
    pub(crate) fn open(&self, opened: &NewCall<'_>) -> u32 {
        let &NewCall {
            capability,
            code,
            step,
            input,
            batch,
            within,
            writes,
        } = opened;
        let name = |name: &str| self.redactor.text(&shown_name(name)).into_owned();
        let call = TraceCall {
            capability: name(capability),
            code: code.cloned(),
            step: step.map(name),
            within,
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
            return UNCOUNTED;
        }
        self.note_what_goes_on(&mut calls, within, &call.input);
        calls.all.push(RecordedCall {
            call,
            writes,
            outcome: None,
            left: false,
            recorded: None,
        });
        u32::try_from(calls.all.len() - 1).unwrap_or(u32::MAX)
    }

    /// Of outputs that are not kept, what a later call is given of them is.
    fn note_what_goes_on(&self, calls: &mut Calls, within: Option<u32>, input: &Value) {
        let taken = calls.passing.taken(within, input);
        for taken in taken.into_iter().take(MOST_USED) {
            let size = taken.at.len() + taken.value.as_str().map_or(8, str::len);
            if self.values.fetch_add(size, Ordering::Relaxed) > MOST_VALUES {
                return;
            }
            if let Some(earlier) = calls.all.get_mut(taken.call as usize) {
                // The names on the way are of an output that was not masked.
                let at = self.redactor.text(&taken.at);
                kept::add_used(&mut earlier.call.output, &at, taken.value);
            }
        }
    }

    /// A call is over.
    pub(crate) fn close(&self, number: u32, result: Result<&Value, &Failure>) {
        let is_cut = self.record_answer(number, result);
        let mut calls = self.calls.lock().unwrap_or_else(PoisonError::into_inner);
        let Calls { all, passing } = &mut *calls;
        if let (Some(entry), Ok(data), true) = (all.get(number as usize), result, is_cut) {
            // What was called alone gives nothing to others.
            if entry.call.within.is_some() || self.has_several {
                passing.give(entry.call.within, number, data);
            }
        }
    }

    /// An answer is there, be it before the caller is told. Says whether the data are too long to be kept.
    pub(crate) fn record_answer(&self, number: u32, result: Result<&Value, &Failure>) -> bool {
        let now = self.elapsed();
        let output = result.ok().map(|data| self.kept(data));
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

    /// Whether something was sent for calls that may change something, or, for reads, at all. What a write
    /// only looks up beforehand changes nothing.
    pub(crate) fn set_left(&self, numbers: &[u32], operation: Operation, left: bool) {
        let mut calls = self.calls.lock().unwrap_or_else(PoisonError::into_inner);
        for number in numbers {
            if let Some(entry) = calls.all.get_mut(*number as usize)
                && entry.writes == (operation == Operation::Write)
            {
                entry.left = left;
            }
        }
    }
}
