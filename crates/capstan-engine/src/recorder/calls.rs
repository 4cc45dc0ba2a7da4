//! The calls of one execution: those that begin, and those that are recorded.

use serde_json::Value;

use capstan_core::Outcome;
use capstan_core::code::{CallStage, Fqdn, TraceCall};

use super::CallContext;
use crate::value_provenance::ValueProvenance;

/// The number of a call that is not recorded, because there are too many.
pub(super) const UNRECORDED: u32 = u32::MAX;

/// The recorded calls of one execution, in the order in which they began.
#[derive(Default)]
pub(super) struct Calls {
    pub(super) all: Vec<RecordedCall>,
    /// The values of outputs that are too long to keep.
    pub(super) provenance: ValueProvenance,
}

impl Calls {
    /// Returns all writes below the call `ancestor`, at any depth; with `None`, all writes of the execution.
    pub(super) fn writes_within(
        &self,
        ancestor: Option<u32>,
    ) -> impl Iterator<Item = &RecordedCall> {
        let mut inside = vec![false; self.all.len()];
        self.all
            .iter()
            .enumerate()
            .filter_map(move |(index, entry)| {
                let parent = entry.call.within;
                let of_parent = parent.and_then(|parent| inside.get(parent as usize).copied());
                // The ancestors of an unrecorded call are unknown. Its writes count everywhere: too many is safer
                // than too few.
                let unplaced = parent == Some(UNRECORDED);
                inside[index] = unplaced || parent == ancestor || of_parent.unwrap_or(false);
                (inside[index] && entry.writes).then_some(entry)
            })
    }
}

/// A call as the trace keeps it, and its progress.
pub(super) struct RecordedCall {
    pub(super) call: TraceCall,
    /// Whether the call itself changes something. Code does not; the calls that it makes do.
    pub(super) writes: bool,
    /// The outcome; `None` while the call is under way.
    pub(super) outcome: Option<Outcome>,
    /// The call was sent, and no answer says that it was not applied.
    pub(super) was_sent: bool,
    /// The stage that the store last recorded.
    pub(super) recorded: Option<CallStage>,
}

impl RecordedCall {
    /// Returns the call for the final trace. A call without an answer is cut off at the end of the execution,
    /// `total_us` microseconds after its start.
    pub(super) fn into_trace_call(self, total_us: u64) -> TraceCall {
        if self.outcome.is_some() {
            return self.call;
        }
        let duration_us = total_us.saturating_sub(self.call.started_us);
        let call = self.call.cut_off(self.was_sent, self.writes);
        TraceCall {
            duration_us,
            ..call
        }
    }
}

/// The data of a call that succeeded.
#[derive(Clone, Copy)]
pub(crate) struct CallOutput<'a> {
    pub(crate) data: &'a Value,
    /// Nothing in the data looks like a secret any more.
    pub(crate) is_masked: bool,
}

impl<'a> CallOutput<'a> {
    /// Creates the output of a call whose data may still contain secrets.
    pub(crate) fn unmasked(data: &'a Value) -> Self {
        Self {
            data,
            is_masked: false,
        }
    }
}

/// A call that begins.
#[derive(Clone, Copy)]
pub(crate) struct NewCall<'a> {
    pub(crate) capability: &'a str,
    /// The full name, if the call runs code.
    pub(crate) code: Option<&'a Fqdn>,
    /// The name of the step in its chain or skill.
    pub(crate) step: Option<&'a str>,
    pub(crate) input: &'a Value,
    /// Calls with the same batch number are sent together.
    pub(crate) batch: u32,
    /// The number of the call that makes this one; `None` at the top.
    pub(crate) parent: Option<u32>,
    /// Whether the call itself changes something.
    pub(crate) writes: bool,
}

impl<'a> NewCall<'a> {
    /// A call that writes nothing itself: a composite, or a call that was refused before it was tried.
    pub(crate) fn new(capability: &'a str, input: &'a Value, context: CallContext<'_>) -> Self {
        Self {
            capability,
            code: None,
            step: None,
            input,
            batch: context.recorder.next_batch(),
            parent: context.parent,
            writes: false,
        }
    }
}
