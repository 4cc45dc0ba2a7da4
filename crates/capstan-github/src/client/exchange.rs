//! Sends one request and reads its complete answer, within a deadline.

use std::sync::OnceLock;
use std::time::Instant;

use bytes::Bytes;
use capstan_core::port::{Failure, Preflight};
use capstan_core::{ErrorCode, Redactor, Secret};
use capstan_http::{Redirect, TransportFault, is_loopback, is_redirect, read_body, send};
use http::header::{ACCEPT, AUTHORIZATION, CONTENT_TYPE, HeaderValue, IF_NONE_MATCH, LOCATION};
use http::{Method, StatusCode};
use url::Url;

use super::build;
use super::spool::{self, Spool};
use crate::classify::{self, Head};
use crate::endpoint::Endpoint;
use crate::reply::Reply;
use crate::token::TokenSource;

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
    pub(crate) body: Option<OutgoingBody>,
    /// The requested media type, if it is not GitHub's usual one.
    pub(crate) accept: Option<HeaderValue>,
    /// The tag of an answer that need not be sent again.
    pub(crate) if_none_match: Option<HeaderValue>,
    /// Whether a redirect may lead to another host, which gets neither the token nor a body.
    pub(crate) may_leave: bool,
}

/// The body of a request.
#[derive(Debug)]
pub(crate) struct OutgoingBody {
    pub(crate) media_type: HeaderValue,
    pub(crate) content: Bytes,
}

impl OutgoingBody {
    pub(crate) fn json(content: Vec<u8>) -> Self {
        Self {
            media_type: HeaderValue::from_static("application/json"),
            content: content.into(),
        }
    }
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
        let body = read_body(response, &head.headers, deadline).await;
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
            let body = read_body(response, &head.headers, deadline).await;
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
        let request = self.request(outgoing, is_anonymous).await?;
        let content = outgoing.body.as_ref().map(|body| body.content.clone());
        send(request, content, deadline)
            .await
            .map_err(|it| classify::transport(it.fault, it.may_be_sent, host))
    }

    async fn request(
        &self,
        outgoing: &Outgoing,
        is_anonymous: bool,
    ) -> Result<reqwest::RequestBuilder, Failure> {
        let mut request = self
            .client(&outgoing.url)?
            .request(outgoing.method.clone(), outgoing.url.clone());
        if !is_anonymous && let Some(token) = self.token.token().await {
            request = request.header(AUTHORIZATION, authorization(token)?);
        }
        if let Some(accept) = &outgoing.accept {
            request = request.header(ACCEPT, accept);
        }
        if !is_anonymous && let Some(tag) = &outgoing.if_none_match {
            request = request.header(IF_NONE_MATCH, tag);
        }
        if let Some(body) = &outgoing.body {
            request = request.header(CONTENT_TYPE, body.media_type.clone());
        }
        Ok(request)
    }

    fn client(&self, url: &Url) -> Result<&reqwest::Client, Failure> {
        let loopback = is_loopback(url);
        let cell = if loopback {
            &self.loopback
        } else {
            &self.remote
        };
        let client = cell.get_or_init(|| {
            let Endpoint {
                api_url,
                graphql_url,
                upload_url,
                ..
            } = &self.endpoint;
            let urls = [api_url, graphql_url, upload_url];
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

fn next_url(outgoing: &Outgoing, head: &Head, followed: usize) -> Result<Url, Failure> {
    let redirect = Redirect {
        method: &outgoing.method,
        from: &outgoing.url,
        location: head.headers.get(LOCATION),
        may_leave: outgoing.may_leave,
        followed,
    };
    redirect
        .target()
        .map_err(|refused| classify::redirect(head, refused.to_string()))
}
