//! The parts of a result that are shown, alone or as a step of a chain.

use capstan_core::code::{ConsoleLine, TraceId};
use capstan_core::{
    AttemptMeta, ChainStepResult, Cost, Pagination, ResultEnvelope, ResultError, RouteReason,
    Timings,
};
use serde_json::Value;

/// One result, independent of its envelope type.
#[derive(Clone, Copy, Default)]
pub(crate) struct ResultParts<'a> {
    pub(crate) ok: bool,
    pub(crate) data: Option<&'a Value>,
    pub(crate) error: Option<&'a ResultError>,
    pub(crate) pagination: Option<&'a Pagination>,
    pub(crate) note: Option<&'a str>,
    pub(crate) warnings: &'a [String],
    pub(crate) console: &'a [ConsoleLine],
    pub(crate) attempts: Option<&'a [AttemptMeta]>,
    pub(crate) reason: Option<RouteReason>,
    pub(crate) timings: Option<Timings>,
    pub(crate) cost: Option<Cost>,
    pub(crate) trace_id: Option<&'a TraceId>,
}

impl<'a> From<&'a ResultEnvelope> for ResultParts<'a> {
    fn from(envelope: &'a ResultEnvelope) -> Self {
        let meta = &envelope.meta;
        Self {
            ok: envelope.ok,
            data: envelope.data.as_ref(),
            error: envelope.error.as_ref(),
            pagination: meta.pagination.as_ref(),
            note: meta.note.as_deref(),
            warnings: &meta.warnings,
            console: &meta.console,
            attempts: meta.attempts.as_deref(),
            reason: meta.reason,
            timings: meta.timings,
            cost: meta.cost,
            trace_id: meta.trace_id.as_ref(),
        }
    }
}

impl<'a> From<&'a ChainStepResult> for ResultParts<'a> {
    fn from(result: &'a ChainStepResult) -> Self {
        let meta = &result.meta;
        Self {
            ok: result.ok,
            data: result.data.as_ref(),
            error: result.error.as_ref(),
            pagination: meta.pagination.as_ref(),
            note: meta.note.as_deref(),
            warnings: &meta.warnings,
            attempts: meta.attempts.as_deref(),
            ..Self::default()
        }
    }
}
