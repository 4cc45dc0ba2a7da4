//! Where GitHub's API is: GitHub.com, an Enterprise server, or a loopback address.

use std::net::IpAddr;

use url::{Host, Url};

/// The base addresses of one GitHub.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Endpoint {
    /// REST paths are appended to it.
    pub api_url: Url,
    pub graphql_url: Url,
    /// The name `gh` knows this GitHub by.
    pub host: String,
}

#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum EndpointError {
    #[error("`{0}` is not a host name such as `github.com`")]
    Host(String),
    #[error("`{0}` is not an address such as `https://api.github.com`")]
    Address(String),
    #[error(
        "`{0}` would send the token unencrypted: use https (plain http is for loopback addresses only)"
    )]
    Unencrypted(Url),
    #[error("`{0}` must not carry a user name, a password, a query or a fragment")]
    Extras(String),
}

impl Endpoint {
    /// The addresses that GitHub documents for a host.
    pub fn for_host(host: &str) -> Result<Self, EndpointError> {
        let host = host.trim().to_ascii_lowercase();
        let (api, graphql) = if host == "github.com" {
            let api = "https://api.github.com".to_owned();
            (api.clone(), format!("{api}/graphql"))
        } else if host.ends_with(".ghe.com") {
            let api = format!("https://api.{host}");
            (api.clone(), format!("{api}/graphql"))
        } else {
            (
                format!("https://{host}/api/v3"),
                format!("https://{host}/api/graphql"),
            )
        };
        let well_formed = !host.is_empty()
            && host
                .bytes()
                .all(|b| b.is_ascii_alphanumeric() || matches!(b, b'.' | b'-' | b':'));
        // What stands before an `@` may be a password.
        let shown = || host.rsplit('@').next().unwrap_or_default().to_owned();
        if !well_formed {
            return Err(EndpointError::Host(shown()));
        }
        Self::explicit(&api, &graphql, &host).map_err(|_| EndpointError::Host(shown()))
    }

    /// Addresses as given, for instance by `GITHUB_API_URL` and `GITHUB_GRAPHQL_URL`.
    pub fn explicit(api_url: &str, graphql_url: &str, host: &str) -> Result<Self, EndpointError> {
        Ok(Self {
            api_url: parse(api_url)?,
            graphql_url: parse(graphql_url)?,
            host: host.to_owned(),
        })
    }
}

/// Whether an address stays on this machine.
pub(crate) fn is_loopback(url: &Url) -> bool {
    match url.host() {
        Some(Host::Domain(name)) => name == "localhost" || name.ends_with(".localhost"),
        Some(Host::Ipv4(ip)) => IpAddr::V4(ip).is_loopback(),
        Some(Host::Ipv6(ip)) => IpAddr::V6(ip).is_loopback(),
        None => false,
    }
}

fn parse(address: &str) -> Result<Url, EndpointError> {
    let url = Url::parse(address).map_err(|_| EndpointError::Address(shown(address)))?;
    if !matches!(url.scheme(), "http" | "https") || !url.has_host() {
        return Err(EndpointError::Address(shown(address)));
    }
    let extras = !url.username().is_empty()
        || url.password().is_some()
        || url.query().is_some()
        || url.fragment().is_some();
    if extras {
        return Err(EndpointError::Extras(shown(address)));
    }
    if url.scheme() == "http" && !is_loopback(&url) {
        return Err(EndpointError::Unencrypted(url));
    }
    Ok(url)
}

/// An address for an error message, without what might be a password or a token.
fn shown(address: &str) -> String {
    let plain = address.split(['?', '#']).next().unwrap_or_default();
    match (plain.find("://"), plain.rfind('@')) {
        (Some(scheme), Some(at)) if scheme < at => {
            format!("{}{}", &plain[..scheme + 3], &plain[at + 1..])
        }
        _ => plain.to_owned(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn hosts_have_their_documented_addresses() {
        for (host, api, graphql) in [
            (
                "github.com",
                "https://api.github.com/",
                "https://api.github.com/graphql",
            ),
            (
                "Octo.ghe.com",
                "https://api.octo.ghe.com/",
                "https://api.octo.ghe.com/graphql",
            ),
            (
                "git.example.org",
                "https://git.example.org/api/v3",
                "https://git.example.org/api/graphql",
            ),
        ] {
            let endpoint = Endpoint::for_host(host).unwrap();
            assert_eq!(endpoint.api_url.as_str(), api);
            assert_eq!(endpoint.graphql_url.as_str(), graphql);
        }
        for bad in ["", "a/b", "user@host", "a b"] {
            assert!(
                matches!(Endpoint::for_host(bad), Err(EndpointError::Host(_))),
                "{bad}"
            );
        }
    }

    #[test]
    fn plain_http_is_for_loopback_only() {
        for good in [
            "http://127.0.0.1:8080",
            "http://[::1]:1",
            "http://localhost",
        ] {
            assert!(
                Endpoint::explicit(good, good, "github.com").is_ok(),
                "{good}"
            );
        }
        for bad in [
            "http://api.github.com",
            "http://10.0.0.1",
            "http://localhost.evil.org",
        ] {
            let error = Endpoint::explicit(bad, bad, "github.com").unwrap_err();
            assert!(
                error.to_string().contains("plain http is for loopback"),
                "{error}"
            );
        }
    }

    #[test]
    fn passwords_in_addresses_are_refused_and_not_repeated() {
        for bad in [
            "https://u:sesame@h.org",
            "https://h.org?token=sesame",
            "ftp://x:sesame@h",
        ] {
            let error = Endpoint::explicit(bad, bad, "h.org")
                .unwrap_err()
                .to_string();
            assert!(!error.contains("sesame"), "{error}");
        }
    }
}
