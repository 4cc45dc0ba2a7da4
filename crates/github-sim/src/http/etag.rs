//! Entity tags: an answer that the client has already is not sent again.

use http::header::{CONTENT_TYPE, IF_NONE_MATCH};
use http::{HeaderMap, StatusCode};
use sha2::{Digest as _, Sha256};

use super::response::HttpResponse;

/// Adds a weak tag of the body to a successful answer of a read, or answers 304 if the client has that body.
pub(super) fn tag(response: HttpResponse, request: &HeaderMap) -> HttpResponse {
    if response.status != StatusCode::OK || response.headers.contains_key("etag") {
        return response;
    }
    let digest = Sha256::digest(&response.body);
    let digest: String = digest.iter().map(|byte| format!("{byte:02x}")).collect();
    let response = response.with_header("etag", format!("W/\"{digest}\""));
    let known = request.get_all(IF_NONE_MATCH).iter();
    let has_body = known
        .filter_map(|value| value.to_str().ok())
        .flat_map(|value| value.split(','))
        .any(|tag| {
            let tag = tag.trim();
            tag == "*" || tag.trim_start_matches("W/").trim_matches('"') == digest
        });
    if !has_body {
        return response;
    }
    let mut headers = response.headers;
    headers.remove(CONTENT_TYPE);
    HttpResponse {
        headers,
        ..HttpResponse::empty(StatusCode::NOT_MODIFIED)
    }
}
