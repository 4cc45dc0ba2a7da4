//! Sends requests to one service, with its secret and to its address only.

use std::fmt;
use std::sync::{Arc, OnceLock};
use std::time::Instant;

use bytes::Bytes;
use capstan_core::card::Operation;
use capstan_core::port::{Answer, Clock, Failure, Preflight};
use capstan_core::{Redactor, ServiceName};
use capstan_http::{
    ACCEPTED_ENCODING, ClientOptions, Redirect, TransportFault, is_redirect, read_body, send,
};
use http::header::{ACCEPT, ACCEPT_ENCODING, CONTENT_TYPE, HeaderMap, HeaderValue, LOCATION};
use http::{Method, StatusCode};
use url::Url;

use crate::classify::{self, Head};
use crate::credential::{CredentialStore, Issued};
use crate::reply::Reply;
use crate::settings::{CredentialSource, ServiceSettings};

/// The client of one service, which its routes share. Creating one is cheap: nothing is read, run or connected before
/// the first request.
pub struct ServiceClient {
    settings: ServiceSettings,
    credential: CredentialStore,
    redactor: Redactor,
    http: OnceLock<Result<reqwest::Client, String>>,
}

/// A request without its secret.
#[derive(Clone, Debug)]
pub(crate) struct Outgoing {
    pub(crate) method: Method,
    pub(crate) url: Url,
    pub(crate) body: Option<Bytes>,
    /// The media type of the body, if it is not JSON.
    pub(crate) content_type: Option<HeaderValue>,
    /// Headers of this request only. Those of the configuration and the secret take precedence.
    pub(crate) headers: HeaderMap,
    pub(crate) accept: Option<HeaderValue>,
}

impl fmt::Debug for ServiceClient {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("ServiceClient")
            .field("settings", &self.settings)
            .finish_non_exhaustive()
    }
}

impl ServiceClient {
    /// Creates the client. The redactor learns the secret as soon as it is found.
    pub fn new(settings: ServiceSettings, clock: Arc<dyn Clock>, redactor: Redactor) -> Self {
        let credential = CredentialStore::new(
            settings.credential.clone(),
            settings.place.clone(),
            clock,
            redactor.clone(),
        );
        Self {
            settings,
            credential,
            redactor,
            http: OnceLock::new(),
        }
    }

    pub fn settings(&self) -> &ServiceSettings {
        &self.settings
    }

    pub(crate) fn name(&self) -> &ServiceName {
        &self.settings.name
    }

    /// Returns whether the secret can be looked for. Nothing is run or sent.
    pub(crate) fn preflight(&self) -> Preflight {
        let variables = match &self.settings.credential {
            CredentialSource::Variable(variable) => vec![variable],
            CredentialSource::ClientCredentials(grant) => vec![&grant.id, &grant.secret],
            CredentialSource::None | CredentialSource::Command(_) => Vec::new(),
        };
        match variables.into_iter().find(|it| it.value.is_none()) {
            Some(missing) => Preflight::NotReady(missing.missing()),
            None => Preflight::Ready,
        }
    }

    /// Sends a request and reads its answer. If the secret was refused and its source has another one, sends it once
    /// more: a refusal with status 401 changes nothing.
    pub(crate) async fn call(
        &self,
        outgoing: &Outgoing,
        operation: Operation,
        deadline: Instant,
        read: impl Fn(&Reply) -> Result<Answer, Failure> + Sync,
    ) -> Result<Answer, Failure> {
        let mut result = self.try_call(outgoing, operation, deadline, &read).await;
        match &mut result {
            Ok(answer) => answer.redact_errors(&self.redactor),
            Err(failure) => failure.redact(&self.redactor),
        }
        result
    }

    async fn try_call(
        &self,
        outgoing: &Outgoing,
        operation: Operation,
        deadline: Instant,
        read: impl Fn(&Reply) -> Result<Answer, Failure> + Sync,
    ) -> Result<Answer, Failure> {
        let issued = self.credential.secret(deadline).await?;
        let result = self.exchange(outgoing, issued.as_ref(), deadline).await;
        let failure = match result.and_then(|reply| read(&reply)) {
            Ok(answer) => return Ok(answer),
            Err(failure) => failure,
        };
        let is_refused = failure.status == Some(StatusCode::UNAUTHORIZED.as_u16())
            && failure.permits_repeating(operation)
            && self.credential.is_renewable();
        let Some(refused) = issued.filter(|_| is_refused) else {
            return Err(failure);
        };
        match self.credential.renewed(&refused, deadline).await? {
            Some(next) => {
                let reply = self.exchange(outgoing, Some(&next), deadline).await?;
                read(&reply)
            }
            None => Err(failure),
        }
    }

    /// Sends a request once and reads its answer. Only GET follows redirects, and only to the same origin.
    async fn exchange(
        &self,
        outgoing: &Outgoing,
        issued: Option<&Issued>,
        deadline: Instant,
    ) -> Result<Reply, Failure> {
        let mut url = outgoing.url.clone();
        let mut followed = 0;
        loop {
            let request = self.request(outgoing, &url, issued)?;
            let host = url.host_str().unwrap_or_default();
            if deadline <= Instant::now() {
                return Err(classify::transport(TransportFault::Timeout, false, host));
            }
            let mut response = send(request, outgoing.body.clone(), deadline)
                .await
                .map_err(|it| classify::transport(it.fault, it.may_be_sent, host))?;
            let head = Head {
                status: response.status(),
                headers: std::mem::take(response.headers_mut()),
            };
            if is_redirect(head.status) {
                let redirect = Redirect {
                    method: &outgoing.method,
                    from: &url,
                    location: head.headers.get(LOCATION),
                    may_leave: false,
                    followed,
                };
                let target = redirect.target();
                url = target.map_err(|refused| classify::redirect(&head, refused.to_string()))?;
                followed += 1;
                continue;
            }
            let body = read_body(response, &head.headers, deadline).await;
            return Ok(Reply { head, body });
        }
    }

    /// Returns a request with the secret, which goes to the origin of the service and nowhere else.
    fn request(
        &self,
        outgoing: &Outgoing,
        url: &Url,
        issued: Option<&Issued>,
    ) -> Result<reqwest::RequestBuilder, Failure> {
        let mut url = url.clone();
        let mut headers = outgoing.headers.clone();
        for (name, value) in &self.settings.headers {
            headers.insert(name, value.clone());
        }
        let is_own = self.settings.urls().any(|own| own.origin() == url.origin());
        if let Some(issued) = issued.filter(|_| is_own) {
            let place = &self.settings.place;
            place.add(&issued.secret, &mut url, &mut headers)?;
        }
        if let Some(accept) = &outgoing.accept {
            headers.insert(ACCEPT, accept.clone());
        }
        if outgoing.body.is_some() {
            let json = HeaderValue::from_static("application/json");
            let stated = outgoing.content_type.clone();
            headers.insert(CONTENT_TYPE, stated.unwrap_or(json));
        }
        let client = self.http(&url)?;
        Ok(client
            .request(outgoing.method.clone(), url)
            .headers(headers))
    }

    /// Returns the HTTP client. One is enough, because all addresses of a service have the same origin.
    fn http(&self, url: &Url) -> Result<&reqwest::Client, Failure> {
        let client = self.http.get_or_init(|| {
            let mut headers = HeaderMap::new();
            headers.insert(ACCEPT, HeaderValue::from_static("application/json"));
            headers.insert(ACCEPT_ENCODING, ACCEPTED_ENCODING);
            let options = ClientOptions {
                gzip: false,
                headers,
                ..ClientOptions::for_url(url)
            };
            options.build().map_err(|error| error.to_string())
        });
        client.as_ref().map_err(|why| classify::no_client(why))
    }
}
