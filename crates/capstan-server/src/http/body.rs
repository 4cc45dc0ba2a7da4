//! Request bodies: one JSON object, read field by field.

use std::sync::Arc;
use std::time::Duration;

use axum::extract::{FromRequest, Request};
use axum::http::StatusCode;
use axum::http::header::{CONTENT_LENGTH, CONTENT_TYPE, HeaderMap};
use futures_util::StreamExt as _;
use serde_json::Value;

use capstan_core::ErrorCode;
use capstan_core::json::{self, JsonError};
use capstan_wire::{Fields, kind_in_words};

use super::connection_limit::Connection;
use super::error::ApiError;

/// The fields of the JSON object in the body.
#[derive(Debug)]
pub(super) struct JsonBody(pub(super) Fields);

/// The largest body that is read, in bytes.
const MAX_BODY_BYTES: usize = 64 * 1024;

/// How long the whole body may take to arrive.
const READ_TIMEOUT: Duration = Duration::from_secs(30);

impl<S: Sync> FromRequest<S> for JsonBody {
    type Rejection = ApiError;

    async fn from_request(request: Request, _state: &S) -> Result<Self, ApiError> {
        if !is_json(request.headers()) {
            let message = "expected `Content-Type: application/json`";
            let status = StatusCode::UNSUPPORTED_MEDIA_TYPE;
            return Err(ApiError::new(status, ErrorCode::Validation, message));
        }
        // The server waits for the client until the body has arrived, so the connection counts as idle.
        let connection = request.extensions().get::<Arc<Connection>>().cloned();
        if let Some(connection) = &connection {
            connection.set_idle();
        }
        let received = tokio::time::timeout(READ_TIMEOUT, read_body(request)).await;
        if let Some(connection) = &connection {
            connection.set_busy();
        }
        let bytes = received.unwrap_or_else(|_| {
            let seconds = READ_TIMEOUT.as_secs();
            let message = format!("the body did not arrive within {seconds} s");
            let status = StatusCode::REQUEST_TIMEOUT;
            Err(ApiError::new(status, ErrorCode::Timeout, message))
        })?;
        match json::from_slice(&bytes) {
            Ok(Value::Object(fields)) => Ok(Self(Fields::new(fields))),
            Ok(other) => {
                let message = format!("the body must be an object, not {}", kind_in_words(&other));
                Err(ApiError::validation(message))
            }
            Err(JsonError::Syntax(cause)) => {
                let message = format!("the body is not valid JSON: {cause}");
                Err(ApiError::validation(message))
            }
            Err(JsonError::Duplicate(duplicate)) => {
                let message = format!("the body is ambiguous: {duplicate}");
                Err(ApiError::validation(message))
            }
        }
    }
}

fn is_json(headers: &HeaderMap) -> bool {
    let content_type = headers.get(CONTENT_TYPE).and_then(|it| it.to_str().ok());
    let media_type = content_type.and_then(|it| it.split(';').next());
    media_type.is_some_and(|it| it.trim().eq_ignore_ascii_case("application/json"))
}

async fn read_body(request: Request) -> Result<Vec<u8>, ApiError> {
    let header = request.headers().get(CONTENT_LENGTH);
    let length = header.and_then(|it| it.to_str().ok()?.parse::<usize>().ok());
    if length.is_some_and(|length| length > MAX_BODY_BYTES) {
        return Err(too_large());
    }
    let mut bytes = Vec::new();
    let mut chunks = request.into_body().into_data_stream();
    while let Some(received) = chunks.next().await {
        let chunk = received.map_err(|_| {
            ApiError::validation("the connection failed before the body was complete")
        })?;
        if bytes.len() + chunk.len() > MAX_BODY_BYTES {
            return Err(too_large());
        }
        bytes.extend_from_slice(&chunk);
    }
    Ok(bytes)
}

fn too_large() -> ApiError {
    let message = format!(
        "the body is too large: send at most {} KiB",
        MAX_BODY_BYTES / 1024
    );
    ApiError::new(
        StatusCode::PAYLOAD_TOO_LARGE,
        ErrorCode::Validation,
        message,
    )
}
