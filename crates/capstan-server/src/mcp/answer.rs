//! What a tool answers with: text for the model, JSON for the client.

use rmcp::model::{CallToolResult, ContentBlock};
use serde_json::Value;

use capstan_core::{
    ChainResultEnvelope, ChainStatus, Format, ResultEnvelope, ResultError, ResultMeta,
};
use capstan_engine::{Capstan, to_reader_text, to_shorter_text};

/// An envelope in both forms.
pub(super) fn envelope(envelope: &ResultEnvelope, format: Option<Format>) -> CallToolResult {
    let text = to_reader_text(envelope, format.unwrap_or(Format::Toon));
    let json = serde_json::to_value(envelope).unwrap_or_default();
    both(text, json, !envelope.ok)
}

/// The envelope of a chain in both forms. One of which a part succeeded is no error: the client
/// might hide what was done.
pub(super) fn chain(envelope: &ChainResultEnvelope, format: Option<Format>) -> CallToolResult {
    let text = match format {
        Some(format) => to_reader_text(envelope, format),
        None => to_shorter_text(envelope),
    };
    let json = serde_json::to_value(envelope).unwrap_or_default();
    both(text, json, envelope.status == ChainStatus::Failed)
}

/// A failure before anything ran, in the same shape as one of a run.
pub(super) fn failure(
    capstan: &Capstan,
    capability: &str,
    mut error: ResultError,
) -> CallToolResult {
    let redactor = capstan.redactor();
    error.message = redactor.text(&error.message).into_owned();
    error
        .details
        .values_mut()
        .for_each(|detail| redactor.value(detail));
    let meta = ResultMeta {
        capability_id: redactor.text(capability).into_owned(),
        ..ResultMeta::default()
    };
    envelope(&ResultEnvelope::failure(error, meta), None)
}

pub(super) fn success(text: String, json: Value) -> CallToolResult {
    both(text, json, false)
}

fn both(text: String, json: Value, is_error: bool) -> CallToolResult {
    let mut result = CallToolResult::success(vec![ContentBlock::text(text)]);
    result.structured_content = Some(json);
    result.is_error = Some(is_error);
    result
}
