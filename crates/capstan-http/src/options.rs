//! How a client is set up, and what differs from one client to the next.

use std::sync::OnceLock;
use std::time::Duration;

use http::HeaderMap;
use reqwest::redirect::Policy;
use url::Url;

use crate::is_loopback;

const USER_AGENT: &str = concat!("capstan/", env!("CARGO_PKG_VERSION"));

/// A host that takes longer than this to accept a connection is as good as down.
const CONNECT_TIMEOUT: Duration = Duration::from_secs(10);

/// What differs between clients. All of them follow no redirects and send nothing twice.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ClientOptions {
    /// Asks for compressed answers, and decompresses them.
    pub gzip: bool,
    /// Ignores the proxies that the environment names, as requests to this machine must.
    pub no_proxy: bool,
    /// Reads the system's certificates, which takes milliseconds. Without them no address with
    /// `https` can be reached.
    pub tls: bool,
    /// Sent with every request that does not set them itself.
    pub headers: HeaderMap,
    /// How long an unused connection is kept open; `None` leaves it to the library.
    pub idle_timeout: Option<Duration>,
}

impl ClientOptions {
    /// Returns what requests to one address need.
    pub fn for_url(url: &Url) -> Self {
        Self {
            gzip: true,
            no_proxy: is_loopback(url),
            tls: url.scheme() == "https",
            headers: HeaderMap::new(),
            idle_timeout: None,
        }
    }

    /// Makes the client. It connects to nothing before its first request.
    #[expect(
        clippy::disallowed_methods,
        reason = "this is the place that sets clients up"
    )]
    pub fn build(self) -> Result<reqwest::Client, reqwest::Error> {
        install_crypto();
        let mut builder = reqwest::Client::builder()
            .user_agent(USER_AGENT)
            .default_headers(self.headers)
            .connect_timeout(CONNECT_TIMEOUT)
            .gzip(self.gzip)
            // Headers may be secrets of one host, and a write must not be sent twice. Callers
            // decide both for each request: only they can tell reads from writes.
            .redirect(Policy::none())
            .retry(reqwest::retry::never());
        if let Some(timeout) = self.idle_timeout {
            builder = builder.pool_idle_timeout(timeout);
        }
        if self.no_proxy {
            builder = builder.no_proxy();
        }
        if !self.tls {
            builder = builder.tls_certs_only([]);
        }
        builder.build()
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

#[cfg(test)]
mod tests {
    use super::*;

    fn options(address: &str) -> ClientOptions {
        ClientOptions::for_url(&Url::parse(address).unwrap())
    }

    #[test]
    fn proxies_are_for_other_machines() {
        assert!(options("http://localhost:1").no_proxy);
        assert!(!options("https://example.org").no_proxy);
    }

    #[test]
    fn certificates_are_read_for_https_only() {
        assert!(options("https://localhost:1").tls);
        assert!(!options("http://localhost:1").tls);
    }

    #[test]
    fn every_combination_can_be_built() {
        for (no_proxy, tls) in [(false, false), (false, true), (true, false), (true, true)] {
            let options = ClientOptions {
                gzip: true,
                no_proxy,
                tls,
                headers: HeaderMap::new(),
                idle_timeout: Some(Duration::from_secs(1)),
            };
            assert!(options.build().is_ok(), "{no_proxy} {tls}");
        }
    }
}
