//! Sends one request and reads its complete answer, within limits of time and size.

use std::time::Duration;

use capstan_core::{ErrorCode, ResultError, Secret};
use capstan_http::root_cause;
use http::HeaderMap;
use http::StatusCode;
use http::header::{AUTHORIZATION, HeaderValue};
use serde_json::Value;
use tokio::time::timeout;
use url::Url;

/// The largest answer that is read, in bytes after decompression.
const MAX_ANSWER_BYTES: usize = 64 * 1024 * 1024;

#[derive(Debug)]
pub(super) struct HttpAnswer {
    pub(super) status: StatusCode,
    pub(super) headers: HeaderMap,
    pub(super) body: Vec<u8>,
}

pub(super) async fn post(
    client: &reqwest::Client,
    url: &Url,
    key: Option<&Secret>,
    body: &Value,
    limit: Duration,
) -> Result<HttpAnswer, ResultError> {
    let mut request = client.post(url.clone()).json(body);
    if let Some(key) = key {
        request = request.header(AUTHORIZATION, authorization(key)?);
    }
    let host = url.host_str().unwrap_or_default();
    match timeout(limit, read(request, host)).await {
        Ok(answered) => answered,
        Err(_) => Err(network(format!(
            "`{host}` returned no embeddings within {} s",
            limit.as_secs_f32()
        ))),
    }
}

async fn read(request: reqwest::RequestBuilder, host: &str) -> Result<HttpAnswer, ResultError> {
    let failed = |error: reqwest::Error| {
        network(format!(
            "embeddings could not be fetched from `{host}`: {}",
            root_cause(&error).to_lowercase()
        ))
    };
    let mut response = request.send().await.map_err(failed)?;
    let mut body = Vec::new();
    while let Some(chunk) = response.chunk().await.map_err(failed)? {
        if body.len() + chunk.len() > MAX_ANSWER_BYTES {
            return Err(ResultError::new(
                ErrorCode::Server,
                format!("the answer of `{host}` is larger than {MAX_ANSWER_BYTES} bytes"),
            )
            .not_retryable());
        }
        body.extend_from_slice(&chunk);
    }
    Ok(HttpAnswer {
        status: response.status(),
        headers: std::mem::take(response.headers_mut()),
        body,
    })
}

fn authorization(key: &Secret) -> Result<HeaderValue, ResultError> {
    let value = format!("Bearer {}", key.expose());
    let mut value = HeaderValue::try_from(value).map_err(|_| {
        ResultError::new(
            ErrorCode::Auth,
            "the key for embeddings has characters that no key has: was it pasted with a line break?",
        )
    })?;
    value.set_sensitive(true);
    Ok(value)
}

fn network(message: String) -> ResultError {
    ResultError::new(ErrorCode::Network, message)
}
