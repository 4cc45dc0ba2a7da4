//! The calls of one execution, and what is known of each beside what is kept.

use serde_json::Value;

use capstan_core::Outcome;
use capstan_core::code::{CallStage, Fqdn, TraceCall};

use super::CallContext;
use crate::value_provenance::ValueProvenance;

/// The number of a call that is not written down.
pub(super) const UNCOUNTED: u32 = u32::MAX;

#[derive(Default)]
pub(super) struct Calls {
    pub(super) all: Vec<RecordedCall>,
    /// What was in outputs that are too long to be kept.
    pub(super) passing: ValueProvenance,
}

impl Calls {
    /// Everything that was written from within a call, at whatever depth (from the top: without one).
    pub(super) fn writes_within(&self, within: Option<u32>) -> impl Iterator<Item = &RecordedCall> {
        let mut inside = vec![false; self.all.len()];
        self.all
            .iter()
            .enumerate()
            .filter_map(move |(index, entry)| {
                let parent = entry.call.within;
                let of_parent = parent.and_then(|parent| inside.get(parent as usize).copied());
                // Of what was called from a call that nobody counted, too much is told rather than too little.
                let unplaced = parent == Some(UNCOUNTED);
                inside[index] = unplaced || parent == within || of_parent.unwrap_or(false);
                (inside[index] && entry.writes).then_some(entry)
            })
    }
}

/// A call, and what is known of it beside what is kept.
pub(super) struct RecordedCall {
    pub(super) call: TraceCall,
    /// It changes something itself; code does not, what it calls does.
    pub(super) writes: bool,
    /// What became of it; nothing while it is under way.
    pub(super) outcome: Option<Outcome>,
    /// It was sent, and nothing that came back says that it did not happen.
    pub(super) left: bool,
    /// How far it was when it was last recorded in the store.
    pub(super) recorded: Option<CallStage>,
}

impl RecordedCall {
    /// As it is kept, of an execution that took so long. What has no answer then gets none.
    pub(super) fn ended(self, whole_us: u64) -> TraceCall {
        if self.outcome.is_some() {
            return self.call;
        }
        let duration_us = whole_us.saturating_sub(self.call.started_us);
        let call = self.call.cut_off(self.left, self.writes);
        TraceCall {
            duration_us,
            ..call
        }
    }
}

/// A call that begins.
#[derive(Clone, Copy)]
pub(crate) struct NewCall<'a> {
    pub(crate) capability: &'a str,
    /// Its full name, where it is code.
    pub(crate) code: Option<&'a Fqdn>,
    /// What it is called where it is asked for.
    pub(crate) step: Option<&'a str>,
    pub(crate) input: &'a Value,
    /// Calls with the same number leave together.
    pub(crate) batch: u32,
    /// The call that it is a part of.
    pub(crate) within: Option<u32>,
    /// It changes something itself.
    pub(crate) writes: bool,
}

impl<'a> NewCall<'a> {
    /// Something that is made of others, or was not even tried.
    pub(crate) fn new(capability: &'a str, input: &'a Value, within: CallContext<'_>) -> Self {
        Self {
            capability,
            code: None,
            step: None,
            input,
            batch: within.recorder.batch(),
            within: within.call,
            writes: false,
        }
    }
}
