//! What a resource answers with. It becomes bytes in `finish`, where secrets are masked.

use axum::body::Body;
use axum::http::StatusCode;
use axum::response::{IntoResponse, Response};
use serde_json::Value;

use super::etag::ETag;

#[derive(Clone, Debug)]
pub(super) struct Answer {
    pub(super) status: StatusCode,
    pub(super) content: Content,
    /// Where it is known without the content.
    pub(super) etag: Option<ETag>,
    /// Where what was made can be found.
    pub(super) location: Option<String>,
}

#[derive(Clone, Debug)]
pub(super) enum Content {
    Json(Value),
    Text(&'static str),
    Nothing,
}

impl Answer {
    pub(super) fn ok(content: Value) -> Self {
        Self::of(StatusCode::OK, Content::Json(content))
    }

    pub(super) fn text(content: &'static str) -> Self {
        Self::of(StatusCode::OK, Content::Text(content))
    }

    pub(super) fn created(content: Value, location: String) -> Self {
        Self {
            location: Some(location),
            ..Self::of(StatusCode::CREATED, Content::Json(content))
        }
    }

    /// The caller has it already.
    pub(super) fn not_modified(etag: ETag) -> Self {
        Self {
            etag: Some(etag),
            ..Self::of(StatusCode::NOT_MODIFIED, Content::Nothing)
        }
    }

    pub(super) fn of(status: StatusCode, content: Content) -> Self {
        Self {
            status,
            content,
            etag: None,
            location: None,
        }
    }

    pub(super) fn with_etag(mut self, etag: ETag) -> Self {
        self.etag = Some(etag);
        self
    }
}

impl IntoResponse for Answer {
    fn into_response(self) -> Response {
        let mut response = Response::new(Body::empty());
        response.extensions_mut().insert(self);
        response
    }
}
