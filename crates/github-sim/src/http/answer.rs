//! An HTTP answer before it is put on the wire: status, headers, body, and gzip where the client takes it.

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

/// GitHub does not compress what would not get smaller.
const SMALLEST_GZIP: usize = 512;

#[derive(Debug, Clone)]
pub(crate) struct Answer {
    pub(crate) status: StatusCode,
    pub(crate) headers: HeaderMap,
    pub(crate) body: Bytes,
}

impl Answer {
    pub(crate) fn json(status: StatusCode, body: &Value) -> Self {
        Self::json_text(status, body.to_string())
    }

    /// A body that says it is JSON.
    pub(crate) fn json_text(status: StatusCode, body: String) -> Self {
        Self::text(status, JSON, body)
    }

    pub(crate) fn html(status: StatusCode, body: &str) -> Self {
        Self::text(status, HTML, body.to_owned())
    }

    pub(crate) fn empty(status: StatusCode) -> Self {
        Self {
            status,
            headers: HeaderMap::new(),
            body: Bytes::new(),
        }
    }

    /// A refusal in the form all of GitHub's REST errors have.
    pub(crate) fn refusal(status: StatusCode, message: &str, documentation_url: &str) -> Self {
        let body = serde_json::json!({
            "message": message,
            "documentation_url": documentation_url,
            "status": status.as_str(),
        });
        Self::json(status, &body)
    }

    fn text(status: StatusCode, content_type: &'static str, body: String) -> Self {
        let mut answer = Self::empty(status);
        answer
            .headers
            .insert(CONTENT_TYPE, HeaderValue::from_static(content_type));
        answer.body = Bytes::from(body);
        answer
    }

    /// Sets a header; a value that HTTP cannot carry is left out.
    #[must_use]
    pub(crate) fn with(mut self, name: &'static str, value: impl TryInto<HeaderValue>) -> Self {
        if let Ok(value) = value.try_into() {
            self.headers.insert(HeaderName::from_static(name), value);
        }
        self
    }

    #[must_use]
    pub(crate) fn gzipped(mut self) -> Self {
        if self.body.len() < SMALLEST_GZIP || self.headers.contains_key(CONTENT_ENCODING) {
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

    /// The bytes of this answer cut off in the middle of its body, for a client that was promised all of it.
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
        let promised = self.body.len().max(2);
        bytes.extend_from_slice(format!("content-length: {promised}\r\n\r\n").as_bytes());
        bytes.extend_from_slice(&self.body[..self.body.len() / 2]);
        bytes
    }
}
