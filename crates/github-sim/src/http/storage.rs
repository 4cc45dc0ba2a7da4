//! The storage host: serves signed addresses and refuses every request that carries a token.

use http::header::{AUTHORIZATION, RANGE};
use http::request::Parts;
use http::{HeaderMap, StatusCode};
use percent_encoding::percent_decode_str;
use time::OffsetDateTime;

use super::response::HttpResponse;
use crate::downloads::{AddressError, find, verify};
use crate::sim::Shared;

/// Answers a request to the storage host. It has no rate limit and none of GitHub's headers.
pub(super) fn serve(shared: &Shared, parts: &Parts) -> HttpResponse {
    if !matches!(parts.method.as_str(), "GET" | "HEAD") {
        let status = StatusCode::METHOD_NOT_ALLOWED;
        return error(
            status,
            "UnsupportedHttpVerb",
            "The resource doesn't support specified Http Verb.",
        );
    }
    if carries_token(&parts.headers) {
        return error(
            StatusCode::BAD_REQUEST,
            "InvalidAuthenticationInfo",
            "Authentication information is not given in the correct format. Check the value of Authorization header.",
        );
    }
    let path = parts.uri.path();
    let now = OffsetDateTime::now_utc().unix_timestamp();
    let refusal = match verify(path, parts.uri.query().unwrap_or_default(), now) {
        Ok(()) => None,
        Err(AddressError::Signature) => Some("Signature did not match."),
        Err(AddressError::Expired) => Some("Signed expiry time has to be after signed start time."),
    };
    if let Some(message) = refusal {
        return error(StatusCode::FORBIDDEN, "AuthenticationFailed", message);
    }
    let segments: Vec<String> = path
        .split('/')
        .skip(1)
        .map(|segment| percent_decode_str(segment).decode_utf8_lossy().into_owned())
        .collect();
    match shared.world(|world| find(world, &segments)) {
        Some(download) => part_of(download.bytes, &download.media_type, &parts.headers)
            .with_header("accept-ranges", "bytes")
            .with_header(
                "content-disposition",
                format!(
                    "attachment; filename=\"{}\"",
                    download.file_name.replace('"', "")
                ),
            ),
        None => error(
            StatusCode::NOT_FOUND,
            "BlobNotFound",
            "The specified blob does not exist.",
        ),
    }
}

/// Answers with the whole file, or with the range of bytes that was asked for. As in GitHub's storage, a range that is
/// no `first-last` or `first-` is ignored, and one behind the end is refused.
fn part_of(bytes: Vec<u8>, media_type: &str, headers: &HeaderMap) -> HttpResponse {
    let asked = headers.get(RANGE).and_then(|range| range.to_str().ok());
    let range = asked
        .and_then(|range| range.strip_prefix("bytes=")?.split_once('-'))
        .and_then(|(first, last)| {
            let last = if last.is_empty() {
                usize::MAX
            } else {
                last.parse().ok()?
            };
            Some((first.parse::<usize>().ok()?, last))
        });
    let Some((first, last)) = range.filter(|(first, last)| first <= last) else {
        return HttpResponse::bytes(StatusCode::OK, media_type, bytes);
    };
    let size = bytes.len();
    if first >= size {
        let message = "The range specified is invalid for the current size of the resource.";
        return error(StatusCode::RANGE_NOT_SATISFIABLE, "InvalidRange", message)
            .with_header("content-range", format!("bytes */{size}"));
    }
    let last = last.min(size - 1);
    let part = bytes[first..=last].to_vec();
    HttpResponse::bytes(StatusCode::PARTIAL_CONTENT, media_type, part)
        .with_header("content-range", format!("bytes {first}-{last}/{size}"))
}

fn carries_token(headers: &HeaderMap) -> bool {
    headers.contains_key(AUTHORIZATION)
}

/// An error in the format of the storage that GitHub uses.
fn error(status: StatusCode, code: &str, message: &str) -> HttpResponse {
    let body = format!(
        "\u{feff}<?xml version=\"1.0\" encoding=\"utf-8\"?><Error><Code>{code}</Code><Message>{message}</Message></Error>"
    );
    HttpResponse::bytes(status, "application/xml", body.into_bytes())
}
