//! How the underlying clients are set up.

use std::sync::OnceLock;
use std::time::Duration;

use http::header::{ACCEPT, HeaderMap, HeaderName, HeaderValue};
use reqwest::redirect::Policy;

const ACCEPTED: &str = "application/vnd.github+json";
const API_VERSION: &str = "2022-11-28";
const USER_AGENT: &str = concat!("capstan/", env!("CARGO_PKG_VERSION"));

/// A host that takes longer than this to accept a connection is as good as down.
const CONNECT_TIMEOUT: Duration = Duration::from_secs(10);

/// Shorter than GitHub keeps idle connections, so that we rarely write to one it just closed.
const IDLE_TIMEOUT: Duration = Duration::from_secs(30);

#[derive(Clone, Copy, Debug)]
pub(super) struct Setup {
    /// Loopback never goes through a proxy.
    pub(super) loopback: bool,
    /// Without TLS the system's certificates are not read, which takes milliseconds.
    pub(super) tls: bool,
}

pub(super) fn client(setup: Setup) -> Result<reqwest::Client, reqwest::Error> {
    install_crypto();
    let mut headers = HeaderMap::new();
    headers.insert(ACCEPT, HeaderValue::from_static(ACCEPTED));
    headers.insert(
        HeaderName::from_static("x-github-api-version"),
        HeaderValue::from_static(API_VERSION),
    );
    let mut builder = reqwest::Client::builder()
        .user_agent(USER_AGENT)
        .default_headers(headers)
        .connect_timeout(CONNECT_TIMEOUT)
        .pool_idle_timeout(IDLE_TIMEOUT)
        // Both are decided per request: a client-wide policy cannot tell reads from writes.
        .redirect(Policy::none())
        .retry(reqwest::retry::never());
    if setup.loopback {
        builder = builder.no_proxy();
    }
    if !setup.tls {
        builder = builder.tls_certs_only([]);
    }
    builder.build()
}

/// Two providers may be compiled in by others; name ours before the first use.
fn install_crypto() {
    static INSTALLED: OnceLock<()> = OnceLock::new();
    INSTALLED.get_or_init(|| {
        // An error means that somebody installed one already, which serves as well.
        let _ = rustls::crypto::ring::default_provider().install_default();
    });
}
