//! What a tool answers with: text for the model, and JSON only where it is asked for.

use rmcp::model::{CallToolResult, ContentBlock};
use serde::Serialize;
use serde_json::Value;

use capstan_core::{
    ChainResultEnvelope, ChainStatus, Format, ResultEnvelope, ResultError, ResultMeta,
};
use capstan_engine::{Capstan, to_reader_text};
use capstan_presenter::Subject;

/// How answers are written.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct Style {
    /// What the caller asked for.
    pub(super) format: Option<Format>,
    /// The data is sent as JSON beside the text.
    pub(super) structured: bool,
}

impl Style {
    fn result(self, text: String, envelope: &impl Serialize, is_error: bool) -> CallToolResult {
        let text = match self.format {
            Some(format) => to_reader_text(envelope, format),
            None => text,
        };
        let mut result = CallToolResult::success(vec![ContentBlock::text(text)]);
        if self.structured || self.format == Some(Format::Json) {
            result.structured_content = serde_json::to_value(envelope).ok();
        }
        result.is_error = Some(is_error);
        result
    }
}

/// One result.
pub(super) fn envelope(
    envelope: &ResultEnvelope,
    subject: &Subject,
    style: Style,
    capstan: &Capstan,
) -> CallToolResult {
    let text = capstan_presenter::result_text(envelope, subject, capstan);
    style.result(text, envelope, !envelope.ok)
}

/// The results of a chain. One of which a part succeeded is no error: the client might hide what was done.
pub(super) fn chain(
    envelope: &ChainResultEnvelope,
    subjects: &[Subject],
    style: Style,
) -> CallToolResult {
    let text = capstan_presenter::chain_text(envelope, subjects);
    style.result(text, envelope, envelope.status == ChainStatus::Failed)
}

/// A failure before anything ran, in the same shape as one of a run.
pub(super) fn failure(
    capstan: &Capstan,
    capability: &str,
    mut error: ResultError,
    style: Style,
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
    let failed = ResultEnvelope::failure(error, meta);
    envelope(&failed, &Subject::without_card(), style, capstan)
}

/// What is wrong with lines of which none was run, in lines of its own.
pub(super) fn refused_lines(text: String, error: ResultError, style: Style) -> CallToolResult {
    let refused = ResultEnvelope::failure(error, ResultMeta::default());
    style.result(text, &refused, true)
}

/// A text, and the same as JSON.
pub(super) fn success(text: String, json: &Value, style: Style) -> CallToolResult {
    style.result(text, json, false)
}
