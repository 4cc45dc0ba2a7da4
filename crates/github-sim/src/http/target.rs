//! The endpoint a request addresses: GraphQL, REST or control, with the paths of github.com or GitHub Enterprise.

use http::Uri;
use http::header::{HOST, HeaderMap};

const ENTERPRISE_REST: &str = "/api/v3";
const ENTERPRISE_UPLOADS: &str = "/api/uploads";

/// An endpoint of the simulator.
#[derive(Debug, PartialEq, Eq)]
pub(crate) enum Target {
    Control {
        path: String,
    },
    Graphql,
    Rest {
        path: String,
        enterprise: bool,
    },
    /// The host for uploads; on GitHub Enterprise a path of the same host.
    Upload {
        path: String,
    },
    /// The host for downloads.
    Storage,
}

impl Target {
    /// Returns the target of a request; `is_storage` says that it was sent to the storage host.
    pub(crate) fn from_uri(uri: &Uri, is_storage: bool) -> Self {
        let path = uri.path();
        if let Some(control) = path.strip_prefix("/_sim") {
            return Self::Control {
                path: control.trim_end_matches('/').to_owned(),
            };
        }
        if is_storage {
            // Downloads have no path that begins so.
            return if path.starts_with("/repos/") {
                Self::Upload {
                    path: path.to_owned(),
                }
            } else {
                Self::Storage
            };
        }
        if let Some(path) = path.strip_prefix(ENTERPRISE_UPLOADS) {
            return Self::Upload {
                path: path.to_owned(),
            };
        }
        if matches!(path, "/graphql" | "/api/graphql") {
            return Self::Graphql;
        }
        let enterprise = path
            .strip_prefix(ENTERPRISE_REST)
            .filter(|rest| rest.is_empty() || rest.starts_with('/'));
        Self::Rest {
            path: enterprise.unwrap_or(path).to_owned(),
            enterprise: enterprise.is_some(),
        }
    }
}

/// Returns the API root under the host that the client used, for links in responses.
pub(crate) fn base_url(headers: &HeaderMap, enterprise: bool) -> String {
    let host = headers
        .get(HOST)
        .and_then(|host| host.to_str().ok())
        .unwrap_or("api.github.com");
    let scheme = if host.ends_with("github.com") {
        "https"
    } else {
        "http"
    };
    let prefix = if enterprise { ENTERPRISE_REST } else { "" };
    format!("{scheme}://{host}{prefix}")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn both_path_styles_reach_the_same_resources() {
        let rest = |path: &str, enterprise| Target::Rest {
            path: path.to_owned(),
            enterprise,
        };
        let cases = [
            ("/graphql", Target::Graphql),
            ("/api/graphql", Target::Graphql),
            ("/", rest("/", false)),
            ("/repos/a/b?page=2", rest("/repos/a/b", false)),
            ("/api/v3/repos/a/b", rest("/repos/a/b", true)),
            ("/api/v3", rest("", true)),
            ("/api/v3x", rest("/api/v3x", false)),
            (
                "/_sim/faults",
                Target::Control {
                    path: "/faults".to_owned(),
                },
            ),
        ];
        for (uri, expected) in cases {
            assert_eq!(
                Target::from_uri(&uri.parse().unwrap(), false),
                expected,
                "{uri}"
            );
        }
    }
}
