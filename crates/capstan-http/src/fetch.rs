//! Fetches a public file. No secret is sent, so redirects may lead to another host.

use std::time::Instant;

use bytes::Bytes;
use http::header::{HeaderMap, HeaderValue, LOCATION};
use http::{Method, StatusCode};
use url::Url;

use crate::{
    BodyError, ClientOptions, Redirect, RedirectRefusal, TransportFault, is_loopback, is_redirect,
    read_body, send,
};

/// Why a file could not be fetched.
#[derive(Debug, thiserror::Error)]
pub enum FetchError {
    #[error(
        "`{0}` is not an address that can be fetched: expected https (plain http is for loopback addresses only)"
    )]
    Address(String),
    #[error("the HTTP client cannot be set up: {0}")]
    Client(String),
    #[error("{}", .fault.describe(.host))]
    Unanswered { host: String, fault: TransportFault },
    #[error(transparent)]
    Redirect(#[from] RedirectRefusal),
    #[error("{host} answered with status {status}")]
    Status { host: String, status: StatusCode },
    #[error("{0}")]
    Body(BodyError),
}

/// Fetches the file at an address. Nothing is sent but the address and what kind of file is expected.
pub async fn fetch(
    url: &Url,
    accept: &'static str,
    deadline: Instant,
) -> Result<Bytes, FetchError> {
    let mut url = url.clone();
    let mut followed = 0;
    loop {
        let has_login = !url.username().is_empty() || url.password().is_some();
        let is_safe = url.scheme() == "https" || url.scheme() == "http" && is_loopback(&url);
        if !is_safe || !url.has_host() || has_login {
            let shown = format!("{}{}", url.origin().ascii_serialization(), url.path());
            return Err(FetchError::Address(shown));
        }
        let host = url.host_str().unwrap_or_default().to_owned();
        let mut headers = HeaderMap::new();
        headers.insert(http::header::ACCEPT, HeaderValue::from_static(accept));
        let options = ClientOptions {
            gzip: false,
            headers,
            ..ClientOptions::for_url(&url)
        };
        let client = options.build();
        let client = client.map_err(|error| FetchError::Client(error.to_string()))?;
        let sent = send(client.get(url.clone()), None, deadline).await;
        let mut response = sent.map_err(|unanswered| FetchError::Unanswered {
            host: host.clone(),
            fault: unanswered.fault,
        })?;
        let headers = std::mem::take(response.headers_mut());
        let status = response.status();
        if is_redirect(status) {
            let redirect = Redirect {
                method: &Method::GET,
                from: &url,
                location: headers.get(LOCATION),
                may_leave: true,
                followed,
            };
            url = redirect.target()?;
            followed += 1;
            continue;
        }
        if !status.is_success() {
            return Err(FetchError::Status { host, status });
        }
        let body = read_body(response, &headers, deadline).await;
        return body.map_err(FetchError::Body);
    }
}
