//! Tool results: text for the model, and JSON only if it was asked for.

use rmcp::model::{CallToolResult, ContentBlock};
use serde::Serialize;
use serde_json::Value;

use capstan_core::{
    ChainResultEnvelope, ChainStatus, Format, ResultEnvelope, ResultError, ResultMeta,
};
use capstan_engine::{Capstan, to_reader_text};
use capstan_presenter::Subject;

/// How results are written.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct ResultStyle {
    /// The format of the text that the caller asked for. By default, it is written for a model.
    pub(super) format: Option<Format>,
    /// Whether the data is also sent as JSON, in `structuredContent`.
    pub(super) structured: bool,
}

impl ResultStyle {
    fn to_result(
        self,
        default_text: String,
        envelope: &impl Serialize,
        is_error: bool,
    ) -> CallToolResult {
        let text = match self.format {
            Some(format) => to_reader_text(envelope, format),
            None => default_text,
        };
        let mut result = CallToolResult::success(vec![ContentBlock::text(text)]);
        if self.structured || self.format == Some(Format::Json) {
            result.structured_content = serde_json::to_value(envelope).ok();
        }
        result.is_error = Some(is_error);
        result
    }
}

/// Returns the result of a single run.
pub(super) fn from_envelope(
    envelope: &ResultEnvelope,
    subject: &Subject,
    style: ResultStyle,
    capstan: &Capstan,
) -> CallToolResult {
    let text = capstan_presenter::result_text(envelope, subject, capstan);
    style.to_result(text, envelope, !envelope.ok)
}

/// Returns the result of a chain. A chain that succeeded in part is not an error, because the client might
/// hide what was done.
pub(super) fn from_chain(
    envelope: &ChainResultEnvelope,
    subjects: &[Subject],
    style: ResultStyle,
) -> CallToolResult {
    let text = capstan_presenter::chain_text(envelope, subjects);
    style.to_result(text, envelope, envelope.status == ChainStatus::Failed)
}

/// Returns the result of a call that failed before anything ran, in the same shape as that of a failed run.
pub(super) fn from_error(
    capstan: &Capstan,
    capability: &str,
    mut error: ResultError,
    style: ResultStyle,
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
    from_envelope(&failed, &Subject::without_card(), style, capstan)
}

/// Returns the result of a call with invalid lines, none of which was run. `text` describes each problem on
/// a line of its own.
pub(super) fn from_bad_lines(
    text: String,
    error: ResultError,
    style: ResultStyle,
) -> CallToolResult {
    let refused = ResultEnvelope::failure(error, ResultMeta::default());
    style.to_result(text, &refused, true)
}

/// Returns a successful result: a text, and the same content as JSON.
pub(super) fn from_text(text: String, json: &Value, style: ResultStyle) -> CallToolResult {
    style.to_result(text, json, false)
}
