//! Who may come in: those with the token, where there is one, and no pages of strangers.
//!
//! A page in a browser can send requests to this machine, and by changing what its name means it can
//! even read the answers. Such requests have a name in `Host` that is not ours.

use std::net::{IpAddr, SocketAddr};

use axum::extract::{Request, State};
use axum::http::header::{AUTHORIZATION, HOST, HeaderMap, HeaderValue, ORIGIN, WWW_AUTHENTICATE};
use axum::http::{StatusCode, Uri};
use axum::middleware::Next;
use axum::response::{IntoResponse as _, Response};
use sha2::{Digest as _, Sha256};

use capstan_core::code::shown_name;
use capstan_core::{ErrorCode, Secret};

use super::api::Api;
use super::failure::Failure;
use super::health;

/// What is asked of those who come.
#[derive(Clone, Debug, Default)]
pub struct Entry {
    /// What every request must carry.
    pub token: Option<Secret>,
    /// Names by which this server is called beside its address.
    pub hosts: Vec<String>,
}

/// Others could reach it, and anybody could do anything.
#[derive(Debug, thiserror::Error)]
#[error("{0} can be reached from other machines, so callers must show a token")]
pub struct NeedsToken(IpAddr);

/// The same when it is known where it is.
#[derive(Debug)]
pub(super) struct Door {
    address: SocketAddr,
    /// Only its hash is compared: that takes the same time whatever is sent.
    token: Option<[u8; 32]>,
    hosts: Vec<String>,
}

impl Entry {
    /// Without a token only this machine can be served.
    pub(super) fn check(&self, address: SocketAddr) -> Result<(), NeedsToken> {
        let ip = address.ip().to_canonical();
        if ip.is_loopback() || self.token.is_some() {
            Ok(())
        } else {
            Err(NeedsToken(ip))
        }
    }
}

impl Door {
    pub(super) fn new(entry: Entry, address: SocketAddr) -> Self {
        Self {
            address,
            token: entry.token.map(|token| hash(token.expose().as_bytes())),
            hosts: entry.hosts,
        }
    }

    fn is_ours(&self, host: &str) -> bool {
        let (name, port) = split(host);
        if self.hosts.iter().any(|known| {
            let (known, at) = split(known);
            known.eq_ignore_ascii_case(name) && (at.is_none() || at == port)
        }) {
            return true;
        }
        // As it is written in addresses: no sign, no zeros before it.
        if port.unwrap_or("80") != self.address.port().to_string() {
            return false;
        }
        if name.eq_ignore_ascii_case("localhost") {
            return true;
        }
        let ip = name.strip_prefix('[').and_then(|it| it.strip_suffix(']'));
        let Ok(ip) = ip.unwrap_or(name).parse::<IpAddr>() else {
            return false;
        };
        // What an address means cannot be changed, so where all are listened at any will do.
        let ours = self.address.ip();
        ip.is_loopback() || ip == ours || ours.is_unspecified()
    }

    fn check(&self, uri: &Uri, headers: &HeaderMap) -> Result<(), Failure> {
        let host = one(headers, &HOST);
        let host = host.ok_or_else(|| stranger("`Host` must stand there once"))?;
        if !self.is_ours(host) {
            let message = format!(
                "`Host` is `{}`, which is not the address of this server: `capstan serve --allow-host` adds a name",
                shown_name(host)
            );
            return Err(stranger(&message));
        }
        let elsewhere = |named: &str| !named.eq_ignore_ascii_case(host);
        if uri.authority().is_some_and(|it| elsewhere(it.as_str())) {
            return Err(stranger("the request is meant for another server"));
        }
        if headers.contains_key(ORIGIN) {
            let origin = one(headers, &ORIGIN).and_then(|origin| {
                let plain = origin.strip_prefix("http://");
                plain.or_else(|| origin.strip_prefix("https://"))
            });
            if origin.is_none_or(elsewhere) {
                return Err(stranger("`Origin` is not the address of this server"));
            }
        }
        Ok(())
    }

    fn knows(&self, headers: &HeaderMap) -> bool {
        let Some(token) = &self.token else {
            return true;
        };
        let given = one(headers, &AUTHORIZATION).and_then(|it| it.split_once(' '));
        let Some((scheme, given)) = given else {
            return false;
        };
        let given = hash(given.trim().as_bytes());
        let differing = token.iter().zip(given).fold(0, |all, (a, b)| all | (a ^ b));
        scheme.eq_ignore_ascii_case("bearer") && differing == 0
    }
}

/// Lets a request in, or not.
pub(super) async fn check(State(api): State<Api>, request: Request, next: Next) -> Response {
    if let Err(failure) = api.door.check(request.uri(), request.headers()) {
        return failure.into_response();
    }
    let is_open = request.uri().path() == health::PATH;
    if !is_open && !api.door.knows(request.headers()) {
        let message = "this server asks for its token: `Authorization: Bearer …`";
        let failure = Failure::new(StatusCode::UNAUTHORIZED, ErrorCode::Auth, message);
        let mut response = failure.into_response();
        let scheme = HeaderValue::from_static("Bearer");
        response.headers_mut().insert(WWW_AUTHENTICATE, scheme);
        return response;
    }
    next.run(request).await
}

/// A header that stands there once.
fn one<'a>(headers: &'a HeaderMap, name: &axum::http::HeaderName) -> Option<&'a str> {
    let mut all = headers.get_all(name).iter();
    let first = all.next().filter(|_| all.next().is_none());
    first.and_then(|value| value.to_str().ok())
}

/// The name and the port of `name:port`, `[address]:port`, or without one.
fn split(host: &str) -> (&str, Option<&str>) {
    match host.rsplit_once(':') {
        Some((name, port)) if !port.contains(']') => (name, Some(port)),
        _ => (host, None),
    }
}

fn stranger(message: &str) -> Failure {
    Failure::new(StatusCode::FORBIDDEN, ErrorCode::Policy, message)
}

fn hash(text: &[u8]) -> [u8; 32] {
    Sha256::digest(text).into()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn door(address: &str, hosts: &[&str]) -> Door {
        let entry = Entry {
            token: Some(Secret::new("open-sesame-open")),
            hosts: hosts.iter().map(|it| (*it).to_owned()).collect(),
        };
        Door::new(entry, address.parse().unwrap())
    }

    #[test]
    fn only_our_own_names_are_let_in() {
        let here = door("127.0.0.1:7717", &[]);
        for host in [
            "127.0.0.1:7717",
            "localhost:7717",
            "LocalHost:7717",
            "[::1]:7717",
        ] {
            assert!(here.is_ours(host), "{host}");
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
            assert!(!here.is_ours(host), "{host}");
        }
        assert!(door("127.0.0.1:80", &[]).is_ours("localhost"));
        assert!(door("[::1]:7717", &[]).is_ours("[::1]:7717"));
    }

    #[test]
    fn names_can_be_added_and_addresses_mean_themselves() {
        let open = door("0.0.0.0:7717", &["capstan.example", "other.example:8080"]);
        for host in [
            "10.1.2.3:7717",
            "[fe80::1]:7717",
            "capstan.example",
            "Capstan.Example:443",
            "other.example:8080",
        ] {
            assert!(open.is_ours(host), "{host}");
        }
        for host in [
            "10.1.2.3:80",
            "other.example",
            "other.example:81",
            "evil.example:7717",
        ] {
            assert!(!open.is_ours(host), "{host}");
        }
    }

    #[test]
    fn a_token_is_asked_for_as_a_whole() {
        let door = door("127.0.0.1:7717", &[]);
        let with = |value: &str| {
            HeaderMap::from_iter([(AUTHORIZATION, HeaderValue::from_str(value).unwrap())])
        };
        for good in ["Bearer open-sesame-open", "bearer  open-sesame-open "] {
            assert!(door.knows(&with(good)), "{good}");
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
            assert!(!door.knows(&with(bad)), "{bad}");
        }
        assert!(!door.knows(&HeaderMap::new()));
        let mut twice = with("Bearer open-sesame-open");
        twice.append(AUTHORIZATION, HeaderValue::from_static("Bearer other"));
        assert!(!door.knows(&twice));
    }

    #[test]
    fn other_machines_need_a_token() {
        let open = Entry::default();
        for address in [
            "127.0.0.1:1",
            "127.9.9.9:1",
            "[::1]:1",
            "[::ffff:127.0.0.1]:1",
        ] {
            assert!(open.check(address.parse().unwrap()).is_ok(), "{address}");
        }
        for address in ["0.0.0.0:1", "[::]:1", "10.0.0.1:1"] {
            assert!(open.check(address.parse().unwrap()).is_err(), "{address}");
        }
    }
}
