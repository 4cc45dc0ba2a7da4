//! The REST route to a service.

use std::sync::Arc;
use std::time::Instant;

use bytes::Bytes;
use capstan_core::card::{Operation, ServiceParts};
use capstan_core::port::{Answer, BoxFuture, Failure, Preflight, RouteAdapter};
use capstan_core::{ErrorCode, Method, RestRequest, Route, RouteRequest, ServiceName};
use capstan_http::{PathError, address_below};
use http::{HeaderMap, HeaderName, HeaderValue};

use crate::client::{Outgoing, ServiceClient};
use crate::{classify, reply};

/// Sends REST requests to a service.
#[derive(Debug)]
pub struct ServiceRest {
    client: Arc<ServiceClient>,
}

impl ServiceRest {
    pub fn new(client: Arc<ServiceClient>) -> Self {
        Self { client }
    }

    async fn exchange(&self, request: &RestRequest, deadline: Instant) -> Result<Answer, Failure> {
        let settings = self.client.settings();
        let service = &settings.name;
        let Some(base) = &settings.base_url else {
            let message = format!("the service `{service}` has no `base_url`");
            return Err(classify::unsendable(ErrorCode::AdapterUnsupported, message));
        };
        if request.answer.has_parts() {
            let message = format!("files and diffs of the service `{service}` cannot be read");
            return Err(classify::unsendable(ErrorCode::AdapterUnsupported, message));
        }
        let url = address_below(base, &request.path).map_err(|error| {
            let problem = match error {
                PathError::NotAPath => "is not a path of",
                PathError::Elsewhere => "is not an address of",
            };
            let message = format!("`{}` {problem} `{service}`", request.path);
            classify::unsendable(ErrorCode::Validation, message)
        })?;
        let invalid = |why: String| classify::unsendable(ErrorCode::Validation, why);
        let body = request.body.as_ref().map(serde_json::to_vec).transpose();
        let body = body.map_err(|error| invalid(error.to_string()))?;
        let raw = request.raw.as_ref();
        let raw_body = raw.map(|raw| Bytes::copy_from_slice(&raw.content));
        let content_type = raw.map(|raw| HeaderValue::from_str(&raw.media_type));
        let content_type = content_type.transpose();
        let accept = request.accept.as_deref().map(HeaderValue::from_str);
        let accept = accept.transpose();
        let outgoing = Outgoing {
            method: method(request.method),
            url,
            body: raw_body.or(body.map(Into::into)),
            content_type: content_type.map_err(|error| invalid(error.to_string()))?,
            headers: headers_of(request).map_err(invalid)?,
            accept: accept.map_err(|error| invalid(error.to_string()))?,
        };
        let read = |reply: &reply::Reply| {
            let mut answer = reply::rest(settings, reply, request.answer)?;
            if request.operation == Operation::Read {
                let page = settings
                    .paging
                    .next(&outgoing.url, &reply.head, &answer.body);
                answer.next_page = page;
            }
            Ok(answer)
        };
        let operation = request.operation;
        self.client.call(&outgoing, operation, deadline, read).await
    }
}

impl RouteAdapter for ServiceRest {
    fn route(&self) -> Route {
        Route::Rest
    }

    fn service(&self) -> Option<&ServiceName> {
        Some(self.client.name())
    }

    fn preflight(&self) -> BoxFuture<'_, Preflight> {
        Box::pin(async { self.client.preflight() })
    }

    fn send<'a>(
        &'a self,
        request: &'a RouteRequest,
        deadline: Instant,
    ) -> BoxFuture<'a, Result<Answer, Failure>> {
        Box::pin(async move {
            match request {
                RouteRequest::Rest(request) => self.exchange(request, deadline).await,
                other => Err(classify::unsendable(
                    ErrorCode::AdapterUnsupported,
                    format!("a {} request cannot go over REST", other.route()),
                )),
            }
        })
    }
}

/// Returns the headers of a request. Those that Capstan sets itself are refused.
fn headers_of(request: &RestRequest) -> Result<HeaderMap, String> {
    let mut headers = HeaderMap::new();
    for (name, value) in &request.headers {
        let parsed = HeaderName::from_bytes(name.as_bytes());
        let parsed = parsed.ok().filter(|_| ServiceParts::may_set(name));
        let parsed = parsed.ok_or_else(|| format!("a card cannot set the header `{name}`"))?;
        let value = HeaderValue::from_str(value).map_err(|_| {
            format!("the value for the header `{name}` has characters that no header can have")
        })?;
        headers.insert(parsed, value);
    }
    Ok(headers)
}

fn method(method: Method) -> http::Method {
    match method {
        Method::Get => http::Method::GET,
        Method::Head => http::Method::HEAD,
        Method::Post => http::Method::POST,
        Method::Put => http::Method::PUT,
        Method::Patch => http::Method::PATCH,
        Method::Delete => http::Method::DELETE,
    }
}
