//! Everything that leaves passes here: it is masked, written out, and not sent to whoever has it.

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

use capstan_core::ErrorCode;

use super::answer::{Answer, Content};
use super::api::Api;
use super::etag::ETag;
use super::failure::Failure;

const JSON: &str = "application/json";
const PLAIN: &str = "text/plain; charset=utf-8";

pub(super) async fn finish(State(api): State<Api>, mut request: Request, next: Next) -> Response {
    let asked = (request.method().clone(), request.uri().path().to_owned());
    // What would be sent must be made to know its validator and its length.
    if request.method() == Method::HEAD {
        *request.method_mut() = Method::GET;
    }
    let is_get = request.method() == Method::GET;
    let headers = request.headers().clone();
    let made = AssertUnwindSafe(next.run(request)).catch_unwind().await;
    let mut response = made.unwrap_or_else(|_| Response::new(Body::empty()));
    let answer = response.extensions_mut().remove::<Answer>();
    let mut answer = answer.unwrap_or_else(|| our_mistake().into());
    let (content, kind) = write(&api, &mut answer.content);
    if is_get && answer.status == StatusCode::OK {
        let etag = answer.etag.take();
        let etag = etag.unwrap_or_else(|| of_content(&content));
        if etag.is_known_to(&headers) {
            answer = Answer::not_modified(etag);
        } else {
            answer.etag = Some(etag);
        }
    }
    *response.status_mut() = answer.status;
    let mut add = |name: HeaderName, value: &str| {
        if let Ok(value) = HeaderValue::from_str(value) {
            response.headers_mut().insert(name, value);
        }
    };
    add(CACHE_CONTROL, "no-cache");
    add(X_CONTENT_TYPE_OPTIONS, "nosniff");
    if let Some(etag) = &answer.etag {
        add(ETAG, &etag.to_string());
    }
    if let Some(location) = &answer.location {
        add(LOCATION, location);
    }
    if answer.status != StatusCode::NOT_MODIFIED {
        add(CONTENT_TYPE, kind);
        *response.body_mut() = Body::from(content);
    }
    tracing::debug!("{} {} {}", asked.0, asked.1, answer.status.as_u16());
    response
}

/// The validator that an answer with this content has.
pub(super) fn etag_of(api: &Api, content: Value) -> ETag {
    let (content, _) = write(api, &mut Content::Json(content));
    of_content(&content)
}

fn of_content(content: &str) -> ETag {
    ETag::of(&[content.as_bytes()])
}

fn write(api: &Api, content: &mut Content) -> (String, &'static str) {
    match content {
        Content::Json(value) => {
            api.capstan.redactor().value(value);
            (format!("{value}\n"), JSON)
        }
        Content::Text(text) => ((*text).to_owned(), PLAIN),
        Content::Nothing => (String::new(), PLAIN),
    }
}

/// Whatever goes wrong here, the caller must not wait for ever.
fn our_mistake() -> Failure {
    let message = "Capstan failed by a mistake of its own; what was asked may have been done";
    Failure::new(
        StatusCode::INTERNAL_SERVER_ERROR,
        ErrorCode::Unknown,
        message,
    )
}
