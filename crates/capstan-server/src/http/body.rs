//! What is sent with a request: one JSON object, read field by field.

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

use super::crowd::Guest;
use super::failure::Failure;

/// The fields of the object.
#[derive(Debug)]
pub(super) struct Sent(pub(super) Fields);

/// Nothing that is asked for here needs more bytes.
const MOST: usize = 64 * 1024;

/// How long it may take to arrive.
const PATIENCE: Duration = Duration::from_secs(30);

impl<S: Sync> FromRequest<S> for Sent {
    type Rejection = Failure;

    async fn from_request(request: Request, _state: &S) -> Result<Self, Failure> {
        if !is_json(request.headers()) {
            let message = "expected `Content-Type: application/json`";
            let status = StatusCode::UNSUPPORTED_MEDIA_TYPE;
            return Err(Failure::new(status, ErrorCode::Validation, message));
        }
        // Until it is here, it is the client who keeps us waiting.
        let guest = request.extensions().get::<Arc<Guest>>().cloned();
        if let Some(guest) = &guest {
            guest.set_waiting();
        }
        let arrived = tokio::time::timeout(PATIENCE, read(request)).await;
        if let Some(guest) = &guest {
            guest.set_working();
        }
        let bytes = arrived.unwrap_or_else(|_| {
            let message = format!("the body did not arrive within {} s", PATIENCE.as_secs());
            let status = StatusCode::REQUEST_TIMEOUT;
            Err(Failure::new(status, ErrorCode::Timeout, message))
        })?;
        match json::from_slice(&bytes) {
            Ok(Value::Object(fields)) => Ok(Self(Fields::new(fields))),
            Ok(other) => {
                let message = format!("the body must be an object, not {}", kind_in_words(&other));
                Err(Failure::refused(message))
            }
            Err(JsonError::Syntax(cause)) => {
                Err(Failure::refused(format!("the body is no JSON: {cause}")))
            }
            Err(JsonError::Duplicate(twice)) => Err(Failure::refused(format!("the body: {twice}"))),
        }
    }
}

fn is_json(headers: &HeaderMap) -> bool {
    let named = headers.get(CONTENT_TYPE).and_then(|it| it.to_str().ok());
    let named = named.and_then(|it| it.split(';').next());
    named.is_some_and(|it| it.trim().eq_ignore_ascii_case("application/json"))
}

async fn read(request: Request) -> Result<Vec<u8>, Failure> {
    let length = request.headers().get(CONTENT_LENGTH);
    let length = length.and_then(|it| it.to_str().ok()?.parse::<usize>().ok());
    if length.is_some_and(|length| length > MOST) {
        return Err(too_large());
    }
    let mut bytes = Vec::new();
    let mut chunks = request.into_body().into_data_stream();
    while let Some(chunk) = chunks.next().await {
        let chunk = chunk.map_err(|_| Failure::refused("the body was cut short"))?;
        if bytes.len() + chunk.len() > MOST {
            return Err(too_large());
        }
        bytes.extend_from_slice(&chunk);
    }
    Ok(bytes)
}

fn too_large() -> Failure {
    let message = format!(
        "the body is too large: at most {} KiB are read",
        MOST / 1024
    );
    Failure::new(
        StatusCode::PAYLOAD_TOO_LARGE,
        ErrorCode::Validation,
        message,
    )
}
