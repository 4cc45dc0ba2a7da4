//! An HTTP response before it is sent: status, headers and body, gzipped if the client accepts that.

use std::io::Write as _;

use bytes::Bytes;
use flate2::Compression;
use flate2::write::GzEncoder;
use http::header::{CONTENT_ENCODING, CONTENT_LENGTH, CONTENT_TYPE, VARY};
use http::{HeaderMap, HeaderName, HeaderValue, Response, StatusCode};
use http_body_util::Full;
use serde_json::Value;

const JSON: &str = "application/json; charset=utf-8";
const HTML: &str = "text/html; charset=utf-8";

/// Size in bytes below which GitHub does not compress a body.
const MIN_GZIP_BYTES: usize = 512;

/// A response of one of the APIs or of the control endpoint.
#[derive(Debug, Clone)]
pub(crate) struct HttpResponse {
    pub(crate) status: StatusCode,
    pub(crate) headers: HeaderMap,
    pub(crate) body: Bytes,
}

impl HttpResponse {
    pub(crate) fn json(status: StatusCode, body: &Value) -> Self {
        Self::json_text(status, body.to_string())
    }

    /// A response with the content type JSON. `body` need not be valid JSON.
    pub(crate) fn json_text(status: StatusCode, body: String) -> Self {
        Self::text(status, JSON, body)
    }

    pub(crate) fn html(status: StatusCode, body: &str) -> Self {
        Self::text(status, HTML, body.to_owned())
    }

    /// A response with any content type; an invalid one is omitted.
    pub(crate) fn bytes(status: StatusCode, content_type: &str, body: impl Into<Bytes>) -> Self {
        let mut response = Self::empty(status).with_header("content-type", content_type);
        response.body = body.into();
        response
    }

    pub(crate) fn empty(status: StatusCode) -> Self {
        Self {
            status,
            headers: HeaderMap::new(),
            body: Bytes::new(),
        }
    }

    /// An error in the format of GitHub's REST API.
    pub(crate) fn rest_error(status: StatusCode, message: &str, documentation_url: &str) -> Self {
        let body = serde_json::json!({
            "message": message,
            "documentation_url": documentation_url,
            "status": status.as_str(),
        });
        Self::json(status, &body)
    }

    fn text(status: StatusCode, content_type: &'static str, body: String) -> Self {
        let mut response = Self::empty(status);
        response
            .headers
            .insert(CONTENT_TYPE, HeaderValue::from_static(content_type));
        response.body = Bytes::from(body);
        response
    }

    /// Sets a header; does nothing if the value is not a valid header value.
    #[must_use]
    pub(crate) fn with_header(
        mut self,
        name: &'static str,
        value: impl TryInto<HeaderValue>,
    ) -> Self {
        if let Ok(value) = value.try_into() {
            self.headers.insert(HeaderName::from_static(name), value);
        }
        self
    }

    /// Compresses a body of at least [`MIN_GZIP_BYTES`] that is not compressed yet.
    #[must_use]
    pub(crate) fn gzipped(mut self) -> Self {
        if self.body.len() < MIN_GZIP_BYTES || self.headers.contains_key(CONTENT_ENCODING) {
            return self;
        }
        let mut encoder =
            GzEncoder::new(Vec::with_capacity(self.body.len() / 4), Compression::fast());
        let Ok(()) = encoder.write_all(&self.body) else {
            return self;
        };
        if let Ok(compressed) = encoder.finish() {
            self.body = Bytes::from(compressed);
            self.headers
                .insert(CONTENT_ENCODING, HeaderValue::from_static("gzip"));
            self.headers.insert(
                VARY,
                HeaderValue::from_static("Accept, Authorization, Accept-Encoding"),
            );
        }
        self
    }

    pub(crate) fn into_response(self) -> Response<Full<Bytes>> {
        let mut response = Response::new(Full::new(self.body));
        *response.status_mut() = self.status;
        *response.headers_mut() = self.headers;
        response
    }

    /// Returns the response as HTTP/1.1 bytes that end in the middle of the body that `content-length` announces.
    pub(crate) fn truncated_bytes(&self) -> Vec<u8> {
        let mut bytes = format!(
            "HTTP/1.1 {} {}\r\n",
            self.status.as_str(),
            self.status.canonical_reason().unwrap_or_default()
        )
        .into_bytes();
        for (name, value) in &self.headers {
            if name != CONTENT_LENGTH {
                bytes.extend_from_slice(name.as_str().as_bytes());
                bytes.extend_from_slice(b": ");
                bytes.extend_from_slice(value.as_bytes());
                bytes.extend_from_slice(b"\r\n");
            }
        }
        let announced = self.body.len().max(2);
        bytes.extend_from_slice(format!("content-length: {announced}\r\n\r\n").as_bytes());
        bytes.extend_from_slice(&self.body[..self.body.len() / 2]);
        bytes
    }
}
