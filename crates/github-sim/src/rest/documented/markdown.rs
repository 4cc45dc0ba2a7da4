//! Markdown to HTML, as far as tests need it: paragraphs of escaped text.

use http::StatusCode;

use super::operation::DocumentedOperation;
use crate::http::HttpResponse;
use crate::rest::request::RestRequest;
use crate::rest::result::RestResult;

/// Answers `/markdown` and `/markdown/raw`; `None` for other operations.
pub(super) fn respond(
    request: &RestRequest<'_>,
    operation: &DocumentedOperation,
) -> Option<RestResult> {
    let text = match operation.id.as_str() {
        "markdown/render" => request.body.get("text")?.as_str()?.to_owned(),
        "markdown/render-raw" => {
            if !request.content_type.starts_with("text/") {
                let message =
                    "Invalid media type specified. Must be text/plain or text/x-markdown.";
                let docs = "https://docs.github.com/rest";
                let status = StatusCode::UNSUPPORTED_MEDIA_TYPE;
                return Some(Ok(HttpResponse::rest_error(status, message, docs)));
            }
            String::from_utf8_lossy(request.payload).into_owned()
        }
        _ => return None,
    };
    Some(Ok(HttpResponse::html(StatusCode::OK, &render(&text))))
}

/// Returns each paragraph of a text as HTML.
pub(in crate::rest) fn render(text: &str) -> String {
    let paragraphs = text.split("\n\n").map(str::trim);
    paragraphs
        .filter(|paragraph| !paragraph.is_empty())
        .map(|paragraph| format!("<p>{}</p>\n", escape(paragraph)))
        .collect()
}

/// Escapes the characters that HTML gives a meaning.
fn escape(text: &str) -> String {
    text.replace('&', "&amp;")
        .replace('<', "&lt;")
        .replace('>', "&gt;")
        .replace('"', "&quot;")
}
