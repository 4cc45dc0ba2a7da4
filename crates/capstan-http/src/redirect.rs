//! Which redirects may be followed: reads only, a few times, and to another host only if the request allows it.

use http::header::HeaderValue;
use http::{Method, StatusCode};
use url::Url;

use crate::is_loopback;

/// How many redirects a read follows.
const MAX_REDIRECTS: usize = 3;

/// A redirect that a server answered with.
#[derive(Clone, Copy, Debug)]
pub struct Redirect<'a> {
    pub method: &'a Method,
    pub from: &'a Url,
    pub location: Option<&'a HeaderValue>,
    /// Whether the request may go to another host, without the token and without a body.
    pub may_leave: bool,
    /// How many redirects were followed already.
    pub followed: usize,
}

/// Why a redirect is not followed. The addresses have no query, which may be secret.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum RedirectRefusal {
    #[error("the answer is a redirect without a target")]
    NoTarget,
    #[error("it has moved to `{0}`: nothing was sent there, because that could repeat the write")]
    Write(String),
    #[error("it has moved to `{0}`, another host, which must not get the token")]
    AnotherHost(String),
    #[error("it has moved to `{0}`, which is not encrypted")]
    Unencrypted(String),
    #[error("more than {MAX_REDIRECTS} redirects, last to `{0}`")]
    TooMany(String),
}

pub fn is_redirect(status: StatusCode) -> bool {
    matches!(status.as_u16(), 301 | 302 | 303 | 307 | 308)
}

impl Redirect<'_> {
    /// Returns the address to go on with.
    pub fn target(self) -> Result<Url, RedirectRefusal> {
        let location = self.location.and_then(|location| location.to_str().ok());
        let target = location.and_then(|location| self.from.join(location).ok());
        let target = target.ok_or(RedirectRefusal::NoTarget)?;
        let shown = format!("{}{}", target.origin().ascii_serialization(), target.path());
        if self.method != Method::GET {
            return Err(RedirectRefusal::Write(shown));
        }
        let is_elsewhere = target.origin() != self.from.origin();
        if is_elsewhere && !self.may_leave {
            return Err(RedirectRefusal::AnotherHost(shown));
        }
        // A server elsewhere must not send us to this machine, or to an address without encryption.
        let is_safe = is_loopback(self.from) && is_loopback(&target)
            || target.scheme() == "https" && !is_loopback(&target);
        if is_elsewhere && !is_safe {
            return Err(RedirectRefusal::Unencrypted(shown));
        }
        if self.followed >= MAX_REDIRECTS {
            return Err(RedirectRefusal::TooMany(shown));
        }
        Ok(target)
    }
}
