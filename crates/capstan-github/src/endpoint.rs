//! The addresses of GitHub's API: GitHub.com, an Enterprise server, or a loopback address.

use capstan_http::{BaseUrlError, is_loopback, parse_base_url};
use url::Url;

use crate::host::GithubHost;

/// The base addresses of one GitHub.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Endpoint {
    /// The base address to which REST paths are appended.
    pub api_url: Url,
    pub graphql_url: Url,
    /// The base address for uploads. It always belongs to the same GitHub as the others.
    pub upload_url: Url,
    /// The name by which `gh` knows this GitHub and by which the token is chosen.
    pub host: GithubHost,
}

#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum EndpointError {
    #[error("`{0}` is not a host name such as `github.com`")]
    Host(String),
    #[error(transparent)]
    Url(#[from] BaseUrlError),
    #[error("`{host}` has no port {port}: leave the port out")]
    Port { host: GithubHost, port: u16 },
    #[error("`ghe.com` is not a host by itself: name your tenant, such as `octo.ghe.com`")]
    Tenant,
    #[error(
        "`{address}` is not an address of `{host}`, so a token of one could be sent to the other: \
         unset one of them, or make both name the same GitHub"
    )]
    AnotherHost { address: Url, host: GithubHost },
}

impl Endpoint {
    /// Returns the addresses that GitHub documents for a host.
    pub fn for_host(host: &GithubHost) -> Result<Self, EndpointError> {
        Self::from_urls(&host.api_url(), &host.graphql_url(), host)
    }

    /// Checks addresses that were configured, for instance by `GITHUB_API_URL` and
    /// `GITHUB_GRAPHQL_URL`. They must belong to the host or be on this machine.
    pub fn from_urls(
        api_url: &str,
        graphql_url: &str,
        host: &GithubHost,
    ) -> Result<Self, EndpointError> {
        let checked = |text: &str| {
            let url = parse_base_url(text)?;
            if host.owns(&url) || is_loopback(&url) {
                Ok(url)
            } else {
                let (address, host) = (url, host.clone());
                Err(EndpointError::AnotherHost { address, host })
            }
        };
        let api_url = checked(api_url)?;
        // A simulator takes uploads where an Enterprise server does.
        let upload_url = if is_loopback(&api_url) {
            format!("{}/api/uploads", api_url.origin().ascii_serialization())
        } else {
            host.upload_url()
        };
        Ok(Self {
            upload_url: checked(&upload_url)?,
            graphql_url: checked(graphql_url)?,
            api_url,
            host: host.clone(),
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn hosts_have_their_documented_addresses() {
        for (host, api, graphql, upload) in [
            (
                "github.com",
                "https://api.github.com/",
                "https://api.github.com/graphql",
                "https://uploads.github.com/",
            ),
            (
                "Octo.ghe.com",
                "https://api.octo.ghe.com/",
                "https://api.octo.ghe.com/graphql",
                "https://uploads.octo.ghe.com/",
            ),
            (
                "git.example.org:8443",
                "https://git.example.org:8443/api/v3",
                "https://git.example.org:8443/api/graphql",
                "https://git.example.org:8443/api/uploads",
            ),
        ] {
            let endpoint = Endpoint::for_host(&GithubHost::parse(host).unwrap()).unwrap();
            assert_eq!(endpoint.api_url.as_str(), api);
            assert_eq!(endpoint.graphql_url.as_str(), graphql);
            assert_eq!(endpoint.upload_url.as_str(), upload);
        }
        for bad in ["", "a/b", "user@host", "a b"] {
            assert!(
                matches!(GithubHost::parse(bad), Err(EndpointError::Host(_))),
                "{bad}"
            );
        }
    }

    /// Whatever the address of the API is, uploads go to the same GitHub, or stay on this machine.
    #[test]
    fn uploads_go_to_the_same_github() {
        for (host, api, upload) in [
            (
                "github.com",
                "http://127.0.0.1:80/x",
                "http://127.0.0.1/api/uploads",
            ),
            (
                "git.example.org",
                "http://[::1]:1",
                "http://[::1]:1/api/uploads",
            ),
            (
                "git.example.org",
                "https://api.git.example.org/",
                "https://git.example.org/api/uploads",
            ),
        ] {
            let host = GithubHost::parse(host).unwrap();
            let endpoint = Endpoint::from_urls(api, api, &host).unwrap();
            assert_eq!(endpoint.upload_url.as_str(), upload);
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
                Endpoint::from_urls(good, good, &GithubHost::github_com()).is_ok(),
                "{good}"
            );
        }
        for bad in [
            "http://api.github.com",
            "http://10.0.0.1",
            "http://localhost.evil.org",
        ] {
            let error = Endpoint::from_urls(bad, bad, &GithubHost::github_com()).unwrap_err();
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
            let error = Endpoint::from_urls(bad, bad, &GithubHost::github_com())
                .unwrap_err()
                .to_string();
            assert!(!error.contains("sesame"), "{error}");
        }
    }

    #[test]
    fn addresses_are_those_of_the_host_or_of_this_machine() {
        let check = |host: &str, address: &str, fits: bool| {
            let host = GithubHost::parse(host).unwrap();
            for (api, graphql) in [
                (address, "http://127.0.0.1:1"),
                ("http://127.0.0.1:1", address),
            ] {
                let endpoint = Endpoint::from_urls(api, graphql, &host);
                assert_eq!(endpoint.is_ok(), fits, "{host} {address}: {endpoint:?}");
            }
        };
        for (host, address, fits) in [
            ("github.com", "https://api.github.com", true),
            ("github.com", " https://API.GitHub.com./", true),
            ("github.com", "https://api.github.com:8443", false),
            ("github.com", "https://git.example.org/api/v3", false),
            ("github.com", "https://github.com.evil.org", false),
            ("git.example.org", "https://git.example.org/api/v3", true),
            ("git.example.org", "https://api.git.example.org/", true),
            ("git.example.org", "https://api.github.com", false),
            ("git.example.org", "https://other.example.org/api/v3", false),
            (
                "git.example.org",
                "https://git.example.org:8443/api/v3",
                false,
            ),
            ("octo.ghe.com", "https://api.octo.ghe.com", true),
            ("octo.ghe.com", "https://api.github.com", false),
            ("octo.ghe.com", "https://api.hubot.ghe.com", false),
            ("github.com", "https://api.octo.ghe.com", false),
        ] {
            check(host, address, fits);
        }
    }
}
