//! How the HTTP client is set up.

use std::sync::OnceLock;
use std::time::Duration;

use reqwest::redirect::Policy;
use url::Url;

use super::address::is_loopback;

const USER_AGENT: &str = concat!("capstan/", env!("CARGO_PKG_VERSION"));

/// A host that takes longer than this to accept a connection is as good as down.
const CONNECT_TIMEOUT: Duration = Duration::from_secs(10);

pub(super) fn client(url: &Url) -> Result<reqwest::Client, reqwest::Error> {
    install_crypto();
    let mut builder = reqwest::Client::builder()
        .user_agent(USER_AGENT)
        .connect_timeout(CONNECT_TIMEOUT)
        // The key goes to the address that was named, and to no other.
        .redirect(Policy::none())
        .retry(reqwest::retry::never());
    if is_loopback(url) {
        builder = builder.no_proxy();
    }
    if url.scheme() == "http" {
        // Without TLS the system's certificates are not read, which takes milliseconds.
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
