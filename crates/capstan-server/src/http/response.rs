//! The response of a resource, before it is serialized. `finish` masks secrets in it and turns it into bytes.

use axum::body::Body;
use axum::http::StatusCode;
use axum::response::{IntoResponse, Response};
use serde_json::Value;

use super::etag::ETag;

/// A response whose body is not serialized yet.
#[derive(Clone, Debug)]
pub(super) struct ApiResponse {
    pub(super) status: StatusCode,
    pub(super) content: Content,
    /// The ETag, if the resource knows it without serializing the content. Otherwise `finish`
    /// computes it.
    pub(super) etag: Option<ETag>,
    /// The path of the relation that was created, for the `Location` header.
    pub(super) location: Option<String>,
}

/// The body of a response.
#[derive(Clone, Debug)]
pub(super) enum Content {
    Json(Value),
    Text(&'static str),
    Empty,
}

impl ApiResponse {
    pub(super) fn ok(content: Value) -> Self {
        Self::new(StatusCode::OK, Content::Json(content))
    }

    pub(super) fn text(content: &'static str) -> Self {
        Self::new(StatusCode::OK, Content::Text(content))
    }

    pub(super) fn created(content: Value, location: String) -> Self {
        Self {
            location: Some(location),
            ..Self::new(StatusCode::CREATED, Content::Json(content))
        }
    }

    /// Returns a response without a body: the client's copy is still current.
    pub(super) fn not_modified(etag: ETag) -> Self {
        Self {
            etag: Some(etag),
            ..Self::new(StatusCode::NOT_MODIFIED, Content::Empty)
        }
    }

    pub(super) fn new(status: StatusCode, content: Content) -> Self {
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

impl IntoResponse for ApiResponse {
    fn into_response(self) -> Response {
        let mut response = Response::new(Body::empty());
        response.extensions_mut().insert(self);
        response
    }
}
