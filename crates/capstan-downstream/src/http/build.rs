//! How the underlying client is set up.

use std::net::IpAddr;
use std::sync::OnceLock;
use std::time::Duration;

use reqwest::redirect::Policy;
use url::{Host, Url};

const USER_AGENT: &str = concat!("capstan/", env!("CARGO_PKG_VERSION"));

/// A host that takes longer than this to accept a connection is as good as down.
const CONNECT_TIMEOUT: Duration = Duration::from_secs(10);

pub(super) fn client(url: &Url) -> Result<reqwest::Client, reqwest::Error> {
    install_crypto();
    let mut builder = reqwest::Client::builder()
        .user_agent(USER_AGENT)
        .connect_timeout(CONNECT_TIMEOUT)
        // Headers may be secrets, and a call must not go twice: whoever moved has to say so in
        // the configuration.
        .redirect(Policy::none())
        .retry(reqwest::retry::never());
    if is_loopback(url) {
        builder = builder.no_proxy();
    }
    if url.scheme() == "http" {
        // Reading the system's certificates takes milliseconds.
        builder = builder.tls_certs_only([]);
    }
    builder.build()
}

fn is_loopback(url: &Url) -> bool {
    match url.host() {
        Some(Host::Domain(name)) => name == "localhost" || name.ends_with(".localhost"),
        Some(Host::Ipv4(address)) => IpAddr::V4(address).is_loopback(),
        Some(Host::Ipv6(address)) => IpAddr::V6(address).is_loopback(),
        None => false,
    }
}

/// Two providers may be compiled in by others; name ours before the first use.
fn install_crypto() {
    static INSTALLED: OnceLock<()> = OnceLock::new();
    INSTALLED.get_or_init(|| {
        // An error means that somebody installed one already, which serves as well.
        let _ = rustls::crypto::ring::default_provider().install_default();
    });
}
