//! The settings of HTTP clients that are specific to GitHub.

use std::time::Duration;

use capstan_http::{ACCEPTED_ENCODING, ClientOptions};
use http::header::{ACCEPT, ACCEPT_ENCODING, HeaderMap, HeaderName, HeaderValue};

const ACCEPTED: &str = "application/vnd.github+json";
const API_VERSION: &str = "2022-11-28";

/// Shorter than GitHub keeps idle connections, so that we rarely write to one that it has just
/// closed.
const IDLE_TIMEOUT: Duration = Duration::from_secs(30);

/// Builds a client for addresses that are either all on this machine or all elsewhere.
pub(super) fn client(is_loopback: bool, tls: bool) -> Result<reqwest::Client, reqwest::Error> {
    let mut headers = HeaderMap::new();
    headers.insert(ACCEPT, HeaderValue::from_static(ACCEPTED));
    headers.insert(
        HeaderName::from_static("x-github-api-version"),
        HeaderValue::from_static(API_VERSION),
    );
    headers.insert(ACCEPT_ENCODING, ACCEPTED_ENCODING);
    let options = ClientOptions {
        gzip: false,
        no_proxy: is_loopback,
        tls,
        headers,
        idle_timeout: Some(IDLE_TIMEOUT),
    };
    options.build()
}
