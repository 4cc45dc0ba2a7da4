//! Sends one message to a server once, and reads the response.

use std::collections::HashMap;
use std::sync::Arc;
use std::time::Duration;

use bytes::{Bytes, BytesMut};
use http::header::{ACCEPT, CONTENT_TYPE, HeaderName, HeaderValue, LOCATION, RETRY_AFTER};
use http::{HeaderMap, StatusCode};
use rmcp::model::{
    ClientJsonRpcMessage, ClientRequest, GetExtensions, JsonRpcMessage, RequestId,
    ServerJsonRpcMessage,
};
use rmcp::transport::streamable_http_client::{StreamableHttpError, StreamableHttpPostResponse};

use super::HttpFault;
use super::body::TrackedBody;
use super::events;
use crate::channel::{MAX_MESSAGE_BYTES, SendFlag, TOO_LARGE};

/// How many characters of the text of an error response are kept.
const MAX_REFUSAL_CHARS: usize = 500;

const SESSION: HeaderName = HeaderName::from_static("mcp-session-id");
const EVENTS: &str = "text/event-stream";
const JSON: &str = "application/json";

type Result<T> = std::result::Result<T, StreamableHttpError<HttpFault>>;

pub(super) struct OutgoingPost {
    pub(super) uri: Arc<str>,
    pub(super) message: ClientJsonRpcMessage,
    pub(super) session: Option<Arc<str>>,
    pub(super) headers: HashMap<HeaderName, HeaderValue>,
}

pub(super) async fn post(
    client: &reqwest::Client,
    outgoing: OutgoingPost,
) -> Result<StreamableHttpPostResponse> {
    let OutgoingPost {
        uri,
        message,
        session,
        headers,
    } = outgoing;
    let (id, flag) = match &message {
        JsonRpcMessage::Request(request) => (
            Some(request.id.clone()),
            request.request.extensions().get().cloned(),
        ),
        _ => (None, None),
    };
    let had_session = session.is_some();
    let body = Bytes::from(serde_json::to_vec(&message)?);
    let body = TrackedBody::new(body, flag.unwrap_or_else(SendFlag::default));
    let mut request = client
        .post(uri.as_ref())
        .headers(headers.into_iter().collect())
        .header(ACCEPT, format!("{EVENTS}, {JSON}"))
        .header(CONTENT_TYPE, JSON)
        .body(reqwest::Body::wrap(body));
    if let Some(session) = session {
        request = request.header(SESSION, session.as_ref());
    }
    let response = request.send().await.map_err(client_error)?;
    let status = response.status();
    match status {
        StatusCode::ACCEPTED | StatusCode::NO_CONTENT => Ok(StreamableHttpPostResponse::Accepted),
        StatusCode::NOT_FOUND if had_session => Err(StreamableHttpError::SessionExpired),
        _ if status.is_success() => read_answer(response, id).await,
        _ => read_refusal(response, &message, id).await,
    }
}

async fn read_answer(
    response: reqwest::Response,
    id: Option<RequestId>,
) -> Result<StreamableHttpPostResponse> {
    let session = header(response.headers(), &SESSION);
    let kind = header(response.headers(), &CONTENT_TYPE).unwrap_or_default();
    if kind.starts_with(EVENTS) {
        let stream = Box::pin(response.bytes_stream());
        let events = events::read(stream, id, MAX_MESSAGE_BYTES);
        return Ok(StreamableHttpPostResponse::Sse(events, session));
    }
    let Some(id) = id else {
        // A message without an id expects no answer.
        return Ok(StreamableHttpPostResponse::Accepted);
    };
    if !kind.starts_with(JSON) {
        let kind: String = kind.chars().take(80).collect();
        let reason = format!("its answer is of the type `{kind}`");
        return Err(StreamableHttpError::Client(HttpFault::Unusable(reason)));
    }
    let message = match read_body(response, MAX_MESSAGE_BYTES).await {
        Ok(body) => serde_json::from_slice(&body).map_err(|error| {
            let reason = format!("its answer is no message (column {})", error.column());
            StreamableHttpError::Client(HttpFault::Unusable(reason))
        })?,
        Err(HttpFault::TooLarge) => {
            let error = rmcp::ErrorData::new(TOO_LARGE, "too large", None);
            ServerJsonRpcMessage::error(error, Some(id))
        }
        Err(fault) => return Err(StreamableHttpError::Client(fault)),
    };
    Ok(StreamableHttpPostResponse::Json(message, session))
}

/// Handles an error status. A protocol error in its body counts as an answer.
async fn read_refusal(
    response: reqwest::Response,
    message: &ClientJsonRpcMessage,
    id: Option<RequestId>,
) -> Result<StreamableHttpPostResponse> {
    let status = response.status();
    let retry_after = retry_after(response.headers());
    let session = header(response.headers(), &SESSION);
    let new_location = if status.is_redirection() {
        header(response.headers(), &LOCATION)
    } else {
        None
    };
    let body = match new_location {
        Some(location) => Bytes::from(location),
        None => read_body(response, MAX_MESSAGE_BYTES)
            .await
            .unwrap_or_default(),
    };
    let is_about_us = matches!(status.as_u16(), 401 | 403 | 429);
    if !is_about_us
        && let Some(id) = id
        && let Some(error) = protocol_error(&body)
    {
        // A server that refuses before it reads the message cannot name its id.
        let answer = ServerJsonRpcMessage::error(error, Some(id));
        return Ok(StreamableHttpPostResponse::Json(answer, session));
    }
    if let JsonRpcMessage::Request(request) = message
        && matches!(request.request, ClientRequest::DiscoverRequest(_))
        && status.is_client_error()
        && !is_about_us
    {
        // The library takes this error for a server of an older revision.
        let error = rmcp::ErrorData::invalid_request(format!("HTTP status {status}"), None);
        let answer = ServerJsonRpcMessage::error(error, Some(request.id.clone()));
        return Ok(StreamableHttpPostResponse::Json(answer, None));
    }
    Err(StreamableHttpError::Client(HttpFault::Status {
        status: status.as_u16(),
        retry_after,
        text: shorten(&body),
    }))
}

fn protocol_error(body: &[u8]) -> Option<rmcp::ErrorData> {
    match serde_json::from_slice(body) {
        Ok(ServerJsonRpcMessage::Error(error)) => Some(error.error),
        _ => None,
    }
}

/// Reads a body to its end, up to the size limit.
async fn read_body(
    mut response: reqwest::Response,
    limit: usize,
) -> std::result::Result<Bytes, HttpFault> {
    let mut body = BytesMut::new();
    while let Some(chunk) = response.chunk().await.map_err(HttpFault::from_reqwest)? {
        if body.len() + chunk.len() > limit {
            return Err(HttpFault::TooLarge);
        }
        body.extend_from_slice(&chunk);
    }
    Ok(body.freeze())
}

/// Parses a number of seconds. Dates are ignored.
fn retry_after(headers: &HeaderMap) -> Option<Duration> {
    let seconds = header(headers, &RETRY_AFTER)?.trim().parse().ok()?;
    Some(Duration::from_secs(seconds))
}

fn shorten(body: &[u8]) -> String {
    let text = String::from_utf8_lossy(body);
    let shown = text.trim().chars().filter(|c| !c.is_control());
    shown.take(MAX_REFUSAL_CHARS).collect()
}

fn header(headers: &HeaderMap, name: &HeaderName) -> Option<String> {
    let value = headers.get(name)?.to_str().ok()?;
    Some(value.to_owned())
}

pub(super) fn client_error(error: reqwest::Error) -> StreamableHttpError<HttpFault> {
    StreamableHttpError::Client(HttpFault::from_reqwest(error))
}
