//! Decides which requests are accepted: those with the right token, if one is required, and none from
//! foreign web pages.
//!
//! A web page can make the browser send requests to this machine, and by DNS rebinding it can even read
//! the responses. The `Host` header of such requests does not name this server.

use std::net::{IpAddr, SocketAddr};

use axum::extract::{Request, State};
use axum::http::header::{AUTHORIZATION, HOST, HeaderMap, HeaderValue, ORIGIN, WWW_AUTHENTICATE};
use axum::http::{StatusCode, Uri};
use axum::middleware::Next;
use axum::response::{IntoResponse as _, Response};
use sha2::{Digest as _, Sha256};

use capstan_core::code::shown_name;
use capstan_core::{ErrorCode, Secret};

use super::error::ApiError;
use super::health;
use super::state::ApiState;

/// Who may use the server.
#[derive(Clone, Debug, Default)]
pub struct AccessOptions {
    /// The token that every request must carry, if any.
    pub token: Option<Secret>,
    /// Further names of this server that `Host` may contain, with or without a port.
    pub hosts: Vec<String>,
}

/// The error for an address that other machines can reach when no token is set.
#[derive(Debug, thiserror::Error)]
#[error("{0} is reachable from other machines, so a token is required")]
pub struct TokenRequired(IpAddr);

/// Checks requests to a server whose address is known.
#[derive(Debug)]
pub(super) struct AccessControl {
    address: SocketAddr,
    /// The SHA-256 of the token. Comparing hashes takes the same time whatever the client sends.
    token_hash: Option<[u8; 32]>,
    hosts: Vec<String>,
}

impl AccessOptions {
    /// Requires a token unless the address is a loopback address.
    pub(super) fn check_address(&self, address: SocketAddr) -> Result<(), TokenRequired> {
        let ip = address.ip().to_canonical();
        if ip.is_loopback() || self.token.is_some() {
            Ok(())
        } else {
            Err(TokenRequired(ip))
        }
    }
}

impl AccessControl {
    pub(super) fn new(options: AccessOptions, address: SocketAddr) -> Self {
        Self {
            address,
            token_hash: options.token.map(|token| sha256(token.expose().as_bytes())),
            hosts: options.hosts,
        }
    }

    /// Returns whether a `Host` header names this server.
    fn is_own_host(&self, host: &str) -> bool {
        let (name, port) = split_host_and_port(host);
        if self.hosts.iter().any(|allowed| {
            let (allowed_name, allowed_port) = split_host_and_port(allowed);
            let is_port_allowed = allowed_port.is_none() || allowed_port == port;
            allowed_name.eq_ignore_ascii_case(name) && is_port_allowed
        }) {
            return true;
        }
        // Compared as text: a sign or leading zeros are not accepted.
        if port.unwrap_or("80") != self.address.port().to_string() {
            return false;
        }
        if name.eq_ignore_ascii_case("localhost") {
            return true;
        }
        let in_brackets = name.strip_prefix('[').and_then(|it| it.strip_suffix(']'));
        let Ok(ip) = in_brackets.unwrap_or(name).parse::<IpAddr>() else {
            return false;
        };
        // DNS cannot rebind an IP address. So a server that listens on all addresses accepts any.
        let own_ip = self.address.ip();
        ip.is_loopback() || ip == own_ip || own_ip.is_unspecified()
    }

    /// Refuses requests that were sent to another host, or by a web page of another origin.
    fn check_host(&self, uri: &Uri, headers: &HeaderMap) -> Result<(), ApiError> {
        let Some(host) = single_value(headers, &HOST) else {
            return Err(forbidden("send the `Host` header exactly once"));
        };
        if !self.is_own_host(host) {
            let message = format!(
                "`Host` is `{}`, which is not a name of this server: allow it with `capstan serve --allow-host`",
                shown_name(host)
            );
            return Err(forbidden(&message));
        }
        let is_other_host = |name: &str| !name.eq_ignore_ascii_case(host);
        if uri.authority().is_some_and(|it| is_other_host(it.as_str())) {
            return Err(forbidden("the request URL names another host than `Host`"));
        }
        if headers.contains_key(ORIGIN) {
            let origin_host = single_value(headers, &ORIGIN).and_then(|origin| {
                let without_scheme = origin.strip_prefix("http://");
                without_scheme.or_else(|| origin.strip_prefix("https://"))
            });
            if origin_host.is_none_or(is_other_host) {
                let message =
                    "`Origin` is another site: only pages of this server may send requests";
                return Err(forbidden(message));
            }
        }
        Ok(())
    }

    /// Returns whether the request carries the token. Without a token, every request does.
    fn has_valid_token(&self, headers: &HeaderMap) -> bool {
        let Some(expected) = &self.token_hash else {
            return true;
        };
        let credentials = single_value(headers, &AUTHORIZATION).and_then(|it| it.split_once(' '));
        let Some((scheme, token)) = credentials else {
            return false;
        };
        let given = sha256(token.trim().as_bytes());
        let differing_bits = expected
            .iter()
            .zip(given)
            .fold(0, |all, (a, b)| all | (a ^ b));
        scheme.eq_ignore_ascii_case("bearer") && differing_bits == 0
    }
}

/// Middleware: passes a request on if it may use the server.
pub(super) async fn check_access(
    State(api): State<ApiState>,
    request: Request,
    next: Next,
) -> Response {
    if let Err(error) = api.access.check_host(request.uri(), request.headers()) {
        return error.into_response();
    }
    let is_public = request.uri().path() == health::PATH;
    if !is_public && !api.access.has_valid_token(request.headers()) {
        let message = "this server requires its token: send `Authorization: Bearer TOKEN`";
        let error = ApiError::new(StatusCode::UNAUTHORIZED, ErrorCode::Auth, message);
        let mut response = error.into_response();
        let scheme = HeaderValue::from_static("Bearer");
        response.headers_mut().insert(WWW_AUTHENTICATE, scheme);
        return response;
    }
    next.run(request).await
}

/// Returns the value of a header, unless the header is missing, repeated or not ASCII.
fn single_value<'a>(headers: &'a HeaderMap, name: &axum::http::HeaderName) -> Option<&'a str> {
    let mut values = headers.get_all(name).iter();
    match (values.next(), values.next()) {
        (Some(value), None) => value.to_str().ok(),
        _ => None,
    }
}

/// Splits `name:port` or `[address]:port`. The port may be missing.
fn split_host_and_port(host: &str) -> (&str, Option<&str>) {
    match host.rsplit_once(':') {
        Some((name, port)) if !port.contains(']') => (name, Some(port)),
        _ => (host, None),
    }
}

fn forbidden(message: &str) -> ApiError {
    ApiError::new(StatusCode::FORBIDDEN, ErrorCode::Policy, message)
}

fn sha256(text: &[u8]) -> [u8; 32] {
    Sha256::digest(text).into()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn access(address: &str, hosts: &[&str]) -> AccessControl {
        let options = AccessOptions {
            token: Some(Secret::new("open-sesame-open")),
            hosts: hosts.iter().map(|it| (*it).to_owned()).collect(),
        };
        AccessControl::new(options, address.parse().unwrap())
    }

    #[test]
    fn accepts_only_own_host_names() {
        let local = access("127.0.0.1:7717", &[]);
        for host in [
            "127.0.0.1:7717",
            "localhost:7717",
            "LocalHost:7717",
            "[::1]:7717",
        ] {
            assert!(local.is_own_host(host), "{host}");
        }
        for host in [
            "",
            ":",
            ":7717",
            "localhost",
            "localhost:80",
            "localhost:7717:7717",
            "evil.example:7717",
            "localhost.evil.example:7717",
            "127.0.0.1.evil.example:7717",
            "10.0.0.1:7717",
            "localhost:7717.evil",
            "[::1]",
            "::1:7717:",
            "localhost:+7717",
            "[localhost]:7717",
        ] {
            assert!(!local.is_own_host(host), "{host}");
        }
        assert!(access("127.0.0.1:80", &[]).is_own_host("localhost"));
        assert!(access("[::1]:7717", &[]).is_own_host("[::1]:7717"));
    }

    #[test]
    fn accepts_allowed_names_and_any_ip_address_when_listening_on_all() {
        let open = access("0.0.0.0:7717", &["capstan.example", "other.example:8080"]);
        for host in [
            "10.1.2.3:7717",
            "[fe80::1]:7717",
            "capstan.example",
            "Capstan.Example:443",
            "other.example:8080",
        ] {
            assert!(open.is_own_host(host), "{host}");
        }
        for host in [
            "10.1.2.3:80",
            "other.example",
            "other.example:81",
            "evil.example:7717",
        ] {
            assert!(!open.is_own_host(host), "{host}");
        }
    }

    #[test]
    fn accepts_only_the_complete_token() {
        let access = access("127.0.0.1:7717", &[]);
        let with = |value: &str| {
            HeaderMap::from_iter([(AUTHORIZATION, HeaderValue::from_str(value).unwrap())])
        };
        for good in ["Bearer open-sesame-open", "bearer  open-sesame-open "] {
            assert!(access.has_valid_token(&with(good)), "{good}");
        }
        for bad in [
            "",
            "Bearer",
            "Bearer ",
            "Bearer open-sesame-ope",
            "Bearer open-sesame-openn",
            "Basic open-sesame-open",
            "open-sesame-open",
        ] {
            assert!(!access.has_valid_token(&with(bad)), "{bad}");
        }
        assert!(!access.has_valid_token(&HeaderMap::new()));
        let mut twice = with("Bearer open-sesame-open");
        twice.append(AUTHORIZATION, HeaderValue::from_static("Bearer other"));
        assert!(!access.has_valid_token(&twice));
    }

    #[test]
    fn addresses_that_other_machines_reach_require_a_token() {
        let options = AccessOptions::default();
        for address in [
            "127.0.0.1:1",
            "127.9.9.9:1",
            "[::1]:1",
            "[::ffff:127.0.0.1]:1",
        ] {
            let checked = options.check_address(address.parse().unwrap());
            assert!(checked.is_ok(), "{address}");
        }
        for address in ["0.0.0.0:1", "[::]:1", "10.0.0.1:1"] {
            let checked = options.check_address(address.parse().unwrap());
            assert!(checked.is_err(), "{address}");
        }
    }
}
