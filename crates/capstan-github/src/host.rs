//! The name of a GitHub host, checked and normalized. Tokens are chosen by this type alone, so no
//! spelling of a host can send one host's token to another.

use std::fmt;

use url::{Host, Url};

use crate::endpoint::EndpointError;

const GITHUB_COM: &str = "github.com";
const TENANTS: &str = "ghe.com";

/// The longest domain name that DNS allows, in bytes.
const MAX_NAME_BYTES: usize = 253;
/// The longest label of a domain name, in bytes.
const MAX_LABEL_BYTES: usize = 63;

/// A GitHub host such as `github.com`, `octo.ghe.com` or `git.example.org:8443`, in lower case and
/// without a trailing dot or the default port.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct GithubHost {
    name: String,
    port: Option<u16>,
}

impl GithubHost {
    /// Returns the host of GitHub.com.
    pub fn github_com() -> Self {
        Self::named(GITHUB_COM)
    }

    /// Parses a host as people write it: `GitHub.com`, ` git.example.org. `, `https://github.com/`.
    ///
    /// Text that could be read as two hosts (a user name, a path, letters beyond ASCII) is refused.
    pub fn parse(text: &str) -> Result<Self, EndpointError> {
        let refuse = || EndpointError::Host(without_secrets(text));
        let written = text.trim();
        let bare = match written.split_at_checked("https://".len()) {
            Some((scheme, rest)) if scheme.eq_ignore_ascii_case("https://") => {
                rest.strip_suffix('/').unwrap_or(rest)
            }
            _ => written,
        };
        let is_plain = |byte: u8| {
            byte.is_ascii_alphanumeric() || matches!(byte, b'.' | b'-' | b':' | b'[' | b']')
        };
        if bare.is_empty() || !bare.bytes().all(is_plain) {
            return Err(refuse());
        }
        let url = Url::parse(&format!("https://{bare}/")).map_err(|_| refuse())?;
        Self::from_url(&url).map_err(|error| match error {
            EndpointError::Host(_) => refuse(),
            other => other,
        })
    }

    /// Returns the GitHub host to which the address of an API belongs.
    pub fn from_url(url: &Url) -> Result<Self, EndpointError> {
        let refuse = || EndpointError::Host(url.host_str().unwrap_or_default().to_owned());
        let host = url.host().ok_or_else(refuse)?;
        let port = url.port();
        let name = match host {
            Host::Domain(name) => domain(name).ok_or_else(refuse)?,
            ip => ip.to_string(),
        };
        let host = if is_same_or_subdomain(&name, GITHUB_COM) {
            Self::github_com()
        } else if let Some(tenant) = name.strip_suffix(TENANTS) {
            // `api.octo.ghe.com` is the API of `octo.ghe.com`; `ghe.com` itself is no host.
            match tenant
                .strip_suffix('.')
                .map(|tenant| tenant.rsplit('.').next())
            {
                Some(Some(tenant)) if !tenant.is_empty() => {
                    Self::named(&format!("{tenant}.{TENANTS}"))
                }
                _ if tenant.is_empty() => return Err(EndpointError::Tenant),
                // The name merely ends in the same letters.
                _ => return Ok(Self { name, port }),
            }
        } else {
            return Ok(Self { name, port });
        };
        match port {
            None => Ok(host),
            Some(port) => Err(EndpointError::Port { host, port }),
        }
    }

    /// Returns whether this is a self-hosted server. Its tokens differ from those of GitHub.com and
    /// of the tenants of ghe.com, which `gh` and Actions keep in the same variables.
    pub fn is_enterprise_server(&self) -> bool {
        self.name != GITHUB_COM && !is_same_or_subdomain(&self.name, TENANTS)
    }

    /// Returns the name without the port, as in a git remote.
    pub fn name(&self) -> &str {
        &self.name
    }

    /// Returns whether an address belongs to this GitHub.
    pub(crate) fn owns(&self, url: &Url) -> bool {
        match Self::from_url(url) {
            Ok(host) => host == *self || host.name == format!("api.{}", self.name),
            Err(_) => false,
        }
    }

    /// Returns the address of the REST API.
    pub(crate) fn api_url(&self) -> String {
        if self.is_enterprise_server() {
            format!("https://{self}/api/v3")
        } else {
            format!("https://api.{self}")
        }
    }

    /// Returns the address of the GraphQL API.
    pub(crate) fn graphql_url(&self) -> String {
        if self.is_enterprise_server() {
            format!("https://{self}/api/graphql")
        } else {
            format!("https://api.{self}/graphql")
        }
    }

    /// Returns the address for uploads.
    pub(crate) fn upload_url(&self) -> String {
        if self.is_enterprise_server() {
            format!("https://{self}/api/uploads")
        } else {
            format!("https://uploads.{self}")
        }
    }

    fn named(name: &str) -> Self {
        Self {
            name: name.to_owned(),
            port: None,
        }
    }
}

impl fmt::Display for GithubHost {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self.port {
            Some(port) => write!(f, "{}:{port}", self.name),
            None => f.write_str(&self.name),
        }
    }
}

/// Returns a valid domain name in lower case, without the dot that ends an absolute name.
fn domain(name: &str) -> Option<String> {
    let name = name.strip_suffix('.').unwrap_or(name).to_ascii_lowercase();
    let is_label = |label: &str| {
        (1..=MAX_LABEL_BYTES).contains(&label.len())
            && !label.starts_with('-')
            && !label.ends_with('-')
            && label
                .bytes()
                .all(|byte| byte.is_ascii_alphanumeric() || byte == b'-')
    };
    (name.len() <= MAX_NAME_BYTES && name.split('.').all(is_label)).then_some(name)
}

/// Returns whether a name is `parent` or a subdomain of it.
fn is_same_or_subdomain(name: &str, parent: &str) -> bool {
    name.strip_suffix(parent)
        .is_some_and(|rest| rest.is_empty() || rest.ends_with('.'))
}

/// Returns a host for an error message. Text before an `@` may be a password, so it is left out.
fn without_secrets(text: &str) -> String {
    let host = text.trim().rsplit('@').next().unwrap_or_default();
    host.split(['?', '#']).next().unwrap_or_default().to_owned()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_spelling_of_a_host_is_the_same_host() {
        for (spellings, expected, enterprise) in [
            (
                &[
                    "github.com",
                    "GitHub.com",
                    " github.com",
                    "\tGITHUB.COM\n",
                    "\u{a0}github.com\u{2003}",
                    "github.com.",
                    "github.com:443",
                    "github.com.:443",
                    "https://github.com",
                    "HTTPS://GitHub.Com/",
                    "api.github.com",
                    "www.github.com",
                ][..],
                "github.com",
                false,
            ),
            (
                &[
                    "octo.ghe.com",
                    "OCTO.GHE.COM.",
                    " api.octo.ghe.com ",
                    "https://octo.ghe.com:443/",
                ],
                "octo.ghe.com",
                false,
            ),
            (
                &[
                    "git.example.org",
                    "Git.Example.ORG.",
                    "https://git.example.org:443",
                ],
                "git.example.org",
                true,
            ),
            (
                &["git.example.org:8443", "GIT.example.org.:8443"],
                "git.example.org:8443",
                true,
            ),
            // These names only look similar.
            (&["notgithub.com"], "notgithub.com", true),
            (&["github.com.evil.org"], "github.com.evil.org", true),
            (&["notghe.com"], "notghe.com", true),
            (&["127.0.0.1", "0x7f.1", "2130706433"], "127.0.0.1", true),
            (&["[::1]:8443"], "[::1]:8443", true),
        ] {
            for spelling in spellings {
                let host =
                    GithubHost::parse(spelling).unwrap_or_else(|it| panic!("{spelling:?}: {it}"));
                assert_eq!(host.to_string(), expected, "{spelling:?}");
                assert_eq!(host.is_enterprise_server(), enterprise, "{spelling:?}");
            }
        }
    }

    #[test]
    fn what_may_be_two_hosts_is_refused() {
        for bad in [
            "",
            " ",
            ".",
            "github.com..",
            "git hub.com",
            "github.com/",
            "github.com/x",
            "http://github.com",
            "ssh://github.com",
            "user@github.com",
            "github.com@evil.org",
            "https://user:sesame@github.com",
            "github.com:8443",
            "octo.ghe.com:8443",
            "github.com:",
            "github.com:x",
            "github.com:443:443",
            "ghe.com",
            ".ghe.com",
            "-a.example.org",
            "github%2ecom",
            "github\u{3002}com",
            "\u{ff47}ithub.com",
            "gıthub.com",
            "github.com\0",
            "git\nhub.com",
            "evil.org#github.com",
            "evil.org\\github.com",
            "evil.org?github.com",
        ] {
            // A port that is left out is the default port.
            if bad == "github.com:" {
                assert_eq!(GithubHost::parse(bad).unwrap(), GithubHost::github_com());
                continue;
            }
            let error = GithubHost::parse(bad).expect_err(bad).to_string();
            assert!(!error.contains("sesame"), "{error}");
        }
    }
}
