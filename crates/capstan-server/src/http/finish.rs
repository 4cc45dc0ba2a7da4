//! Finishes every response: masks secrets, serializes the body, sets the headers, and answers 304 if the
//! client's copy is current.

use std::panic::AssertUnwindSafe;

use axum::body::Body;
use axum::extract::{Request, State};
use axum::http::header::{
    CACHE_CONTROL, CONTENT_TYPE, ETAG, HeaderName, HeaderValue, LOCATION, X_CONTENT_TYPE_OPTIONS,
};
use axum::http::{Method, StatusCode};
use axum::middleware::Next;
use axum::response::Response;
use futures_util::FutureExt as _;
use serde_json::Value;

use super::error::ApiError;
use super::etag::ETag;
use super::response::{ApiResponse, Content};
use super::state::ApiState;

const JSON: &str = "application/json";
const PLAIN_TEXT: &str = "text/plain; charset=utf-8";

/// Middleware: turns the [`ApiResponse`] of a resource into the response that is sent.
pub(super) async fn finish_response(
    State(api): State<ApiState>,
    mut request: Request,
    next: Next,
) -> Response {
    let (method, path) = (request.method().clone(), request.uri().path().to_owned());
    // The ETag and the length of a HEAD response are those of the GET response.
    if request.method() == Method::HEAD {
        *request.method_mut() = Method::GET;
    }
    let is_get = request.method() == Method::GET;
    let headers = request.headers().clone();
    // The client must get a response even if a resource panics.
    let result = AssertUnwindSafe(next.run(request)).catch_unwind().await;
    let mut response = result.unwrap_or_else(|_| Response::new(Body::empty()));
    let from_resource = response.extensions_mut().remove::<ApiResponse>();
    let mut api_response = from_resource.unwrap_or_else(|| internal_error().into());
    let (body, content_type) = serialize(&api, &mut api_response.content);
    if is_get && api_response.status == StatusCode::OK {
        let known_etag = api_response.etag.take();
        let etag = known_etag.unwrap_or_else(|| body_etag(&body));
        if etag.matches_if_none_match(&headers) {
            api_response = ApiResponse::not_modified(etag);
        } else {
            api_response.etag = Some(etag);
        }
    }
    *response.status_mut() = api_response.status;
    let mut add = |name: HeaderName, value: &str| {
        if let Ok(value) = HeaderValue::from_str(value) {
            response.headers_mut().insert(name, value);
        }
    };
    add(CACHE_CONTROL, "no-cache");
    add(X_CONTENT_TYPE_OPTIONS, "nosniff");
    if let Some(etag) = &api_response.etag {
        add(ETAG, &etag.to_string());
    }
    if let Some(location) = &api_response.location {
        add(LOCATION, location);
    }
    if api_response.status != StatusCode::NOT_MODIFIED {
        add(CONTENT_TYPE, content_type);
        *response.body_mut() = Body::from(body);
    }
    tracing::debug!("{method} {path} {}", api_response.status.as_u16());
    response
}

/// Returns the ETag of a response with this JSON body.
pub(super) fn json_etag(api: &ApiState, content: Value) -> ETag {
    let (body, _) = serialize(api, &mut Content::Json(content));
    body_etag(&body)
}

fn body_etag(body: &str) -> ETag {
    ETag::from_parts(&[body.as_bytes()])
}

/// Masks secrets and returns the body with its content type.
fn serialize(api: &ApiState, content: &mut Content) -> (String, &'static str) {
    match content {
        Content::Json(value) => {
            api.capstan.redactor().value(value);
            (format!("{value}\n"), JSON)
        }
        Content::Text(text) => ((*text).to_owned(), PLAIN_TEXT),
        Content::Empty => (String::new(), PLAIN_TEXT),
    }
}

fn internal_error() -> ApiError {
    ApiError::internal(
        "internal error in Capstan; the request may have taken effect, so check before repeating it",
    )
}
