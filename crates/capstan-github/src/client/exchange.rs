//! Sends one request and reads its complete answer, within a deadline.

use std::sync::OnceLock;
use std::time::Instant;

use bytes::{Bytes, BytesMut};
use capstan_core::port::{Failure, Preflight};
use capstan_core::{ErrorCode, Redactor, Secret};
use capstan_http::is_loopback;
use http::header::{ACCEPT, AUTHORIZATION, CONTENT_TYPE, HeaderValue, LOCATION};
use http::{Method, StatusCode};
use tokio::time::timeout_at;
use url::Url;

use super::body::{BodyTracker, TrackedBody};
use super::build;
use super::spool::{self, Spool};
use super::{fault, gzip};
use crate::classify::{self, BodyError, Head, TransportFault};
use crate::endpoint::Endpoint;
use crate::reply::Reply;
use crate::token::TokenSource;

/// The largest answer that is read, in bytes after decompression.
const MAX_ANSWER_BYTES: usize = 10 * 1024 * 1024;

/// How many redirects a read follows.
const MAX_REDIRECTS: usize = 3;

/// The HTTP client of the GraphQL and REST routes. Creating one is cheap: connections and
/// certificates are set up for the first request.
#[derive(Debug)]
pub struct HttpClient {
    endpoint: Endpoint,
    token: TokenSource,
    loopback: OnceLock<Result<reqwest::Client, String>>,
    remote: OnceLock<Result<reqwest::Client, String>>,
}

/// A request ready to be sent.
#[derive(Debug)]
pub(crate) struct Outgoing {
    pub(crate) method: Method,
    pub(crate) url: Url,
    pub(crate) body: Option<Bytes>,
    /// The requested media type, if it is not GitHub's usual one.
    pub(crate) accept: Option<HeaderValue>,
    /// Whether a redirect may lead to another host, which gets neither the token nor a body.
    pub(crate) may_leave: bool,
}

impl HttpClient {
    pub fn new(endpoint: Endpoint, token: TokenSource) -> Self {
        Self {
            endpoint,
            token,
            loopback: OnceLock::new(),
            remote: OnceLock::new(),
        }
    }

    pub fn endpoint(&self) -> &Endpoint {
        &self.endpoint
    }

    pub(crate) async fn preflight(&self) -> Preflight {
        match self.token.token().await {
            Some(_) => Preflight::Ready,
            None => {
                Preflight::NotReady("no token: set GITHUB_TOKEN or run `gh auth login`".to_owned())
            }
        }
    }

    /// Sends a request once and reads its answer. Only GET follows redirects, and only to the same
    /// origin unless it may leave. The token never goes to another origin: who has left is anonymous from then on.
    pub(crate) async fn exchange(
        &self,
        outgoing: Outgoing,
        deadline: Instant,
    ) -> Result<Reply, Failure> {
        let (head, response) = self.follow(outgoing, deadline).await?;
        let body = read(response, deadline).await;
        let body = body.and_then(|body| gzip::decoded(body, &head.headers, MAX_ANSWER_BYTES));
        Ok(Reply { head, body })
    }

    /// Sends a request as [`exchange`](Self::exchange) does, and stores what it answers with: a file, which may be
    /// large. Everything but a complete file is a [`Reply`].
    pub(crate) async fn download(
        &self,
        outgoing: Outgoing,
        deadline: Instant,
    ) -> Result<Result<(Head, Spool), Reply>, Failure> {
        let (head, response) = self.follow(outgoing, deadline).await?;
        if head.status != StatusCode::OK {
            let body = read(response, deadline).await;
            let body = body.and_then(|body| gzip::decoded(body, &head.headers, MAX_ANSWER_BYTES));
            return Ok(Err(Reply { head, body }));
        }
        match spool::read(response, &head.headers, deadline).await {
            Ok(file) => Ok(Ok((head, file))),
            Err(error) => Ok(Err(Reply {
                head,
                body: Err(error),
            })),
        }
    }

    /// Sends a request and follows where its answers lead, up to the first that is no redirect.
    async fn follow(
        &self,
        mut outgoing: Outgoing,
        deadline: Instant,
    ) -> Result<(Head, reqwest::Response), Failure> {
        let mut followed = 0;
        let home = outgoing.url.origin();
        let mut has_left = false;
        loop {
            let mut response = self.send(&outgoing, has_left, deadline).await?;
            let head = Head {
                status: response.status(),
                headers: std::mem::take(response.headers_mut()),
            };
            if is_redirect(head.status) {
                outgoing.url = next_url(&outgoing, &head, followed)?;
                followed += 1;
                has_left |= outgoing.url.origin() != home;
                continue;
            }
            if has_left && !head.status.is_success() {
                return Err(classify::gone(&head));
            }
            return Ok((head, response));
        }
    }

    pub(crate) fn redactor(&self) -> Redactor {
        self.token.redactor()
    }

    async fn send(
        &self,
        outgoing: &Outgoing,
        is_anonymous: bool,
        deadline: Instant,
    ) -> Result<reqwest::Response, Failure> {
        let host = outgoing.url.host_str().unwrap_or_default();
        if deadline <= Instant::now() {
            return Err(classify::transport(TransportFault::Timeout, false, host));
        }
        let (request, tracker) = self.request(outgoing, is_anonymous).await?;
        let result = timeout_at(deadline.into(), request.send()).await;
        // Without a body we cannot know how far the request got, unless connecting failed.
        let cancel_came_late =
            |tracker: Option<&BodyTracker>| tracker.is_none_or(|body| !body.cancel());
        match result {
            Ok(Ok(response)) => Ok(response),
            Ok(Err(error)) => {
                let sent = !error.is_connect() && cancel_came_late(tracker.as_ref());
                Err(classify::transport(fault::from_error(&error), sent, host))
            }
            Err(_) => {
                let sent = cancel_came_late(tracker.as_ref());
                let fault = if sent {
                    TransportFault::Timeout
                } else {
                    TransportFault::Connect
                };
                Err(classify::transport(fault, sent, host))
            }
        }
    }

    async fn request(
        &self,
        outgoing: &Outgoing,
        is_anonymous: bool,
    ) -> Result<(reqwest::RequestBuilder, Option<BodyTracker>), Failure> {
        let mut request = self
            .client(&outgoing.url)?
            .request(outgoing.method.clone(), outgoing.url.clone());
        if !is_anonymous && let Some(token) = self.token.token().await {
            request = request.header(AUTHORIZATION, authorization(token)?);
        }
        if let Some(accept) = &outgoing.accept {
            request = request.header(ACCEPT, accept);
        }
        let Some(body) = &outgoing.body else {
            return Ok((request, None));
        };
        let (body, tracker) = TrackedBody::new(body.clone());
        let request = request
            .header(CONTENT_TYPE, HeaderValue::from_static("application/json"))
            .body(reqwest::Body::wrap(body));
        Ok((request, Some(tracker)))
    }

    fn client(&self, url: &Url) -> Result<&reqwest::Client, Failure> {
        let loopback = is_loopback(url);
        let cell = if loopback {
            &self.loopback
        } else {
            &self.remote
        };
        let client = cell.get_or_init(|| {
            let urls = [&self.endpoint.api_url, &self.endpoint.graphql_url];
            let tls = urls
                .into_iter()
                .any(|url| is_loopback(url) == loopback && url.scheme() == "https");
            build::client(loopback, tls).map_err(|error| error.to_string())
        });
        client.as_ref().map_err(|why| {
            classify::unsendable(
                ErrorCode::AdapterUnsupported,
                format!("the HTTP client cannot be set up: {why}"),
            )
        })
    }
}

/// Reads a body to its end, within the deadline and the size limit.
async fn read(mut response: reqwest::Response, deadline: Instant) -> Result<Bytes, BodyError> {
    let too_large = BodyError::TooLarge {
        limit: MAX_ANSWER_BYTES,
    };
    // Most answers are one chunk, which need not be copied.
    let mut first = Bytes::new();
    let mut joined = BytesMut::new();
    loop {
        match timeout_at(deadline.into(), response.chunk()).await {
            Ok(Ok(Some(chunk))) => {
                let read = first.len().max(joined.len());
                if read + chunk.len() > MAX_ANSWER_BYTES {
                    return Err(too_large);
                }
                if first.is_empty() {
                    first = chunk;
                    continue;
                }
                if joined.is_empty() {
                    joined.extend_from_slice(&first);
                }
                joined.extend_from_slice(&chunk);
            }
            Ok(Ok(None)) if joined.is_empty() => return Ok(first),
            Ok(Ok(None)) => return Ok(joined.freeze()),
            Ok(Err(_)) => return Err(BodyError::Broken),
            Err(_) => return Err(BodyError::Timeout),
        }
    }
}

fn authorization(token: &Secret) -> Result<HeaderValue, Failure> {
    let value = format!("Bearer {}", token.expose());
    let mut value = HeaderValue::try_from(value).map_err(|_| {
        classify::unsendable(
            ErrorCode::Auth,
            "the token has characters that no token has: was it pasted with a line break?",
        )
    })?;
    value.set_sensitive(true);
    Ok(value)
}

fn is_redirect(status: StatusCode) -> bool {
    matches!(status.as_u16(), 301 | 302 | 303 | 307 | 308)
}

fn next_url(outgoing: &Outgoing, head: &Head, followed: usize) -> Result<Url, Failure> {
    let target = head
        .headers
        .get(LOCATION)
        .and_then(|location| location.to_str().ok())
        .and_then(|location| outgoing.url.join(location).ok());
    let refuse = |why: String| Err(classify::redirect(head, why));
    let Some(target) = target else {
        return refuse("GitHub answered with a redirect without a target".to_owned());
    };
    let shown = format!("{}{}", target.origin().ascii_serialization(), target.path());
    if outgoing.method != Method::GET {
        return refuse(format!(
            "it has moved to `{shown}`: nothing was sent there, because that could repeat the write"
        ));
    }
    let is_elsewhere = target.origin() != outgoing.url.origin();
    if is_elsewhere && !outgoing.may_leave {
        return refuse(format!(
            "it has moved to `{shown}`, another host, which must not get the token"
        ));
    }
    // A server elsewhere must not send us to this machine, or to an address without encryption.
    let is_safe = is_loopback(&outgoing.url) && is_loopback(&target)
        || target.scheme() == "https" && !is_loopback(&target);
    if is_elsewhere && !is_safe {
        return refuse(format!("it has moved to `{shown}`, which is not encrypted"));
    }
    if followed >= MAX_REDIRECTS {
        return refuse(format!(
            "more than {MAX_REDIRECTS} redirects, last to `{shown}`"
        ));
    }
    Ok(target)
}
