//! The REST route over HTTP.

use std::sync::Arc;
use std::time::Instant;

use bytes::Bytes;
use capstan_core::card::Operation;
use capstan_core::port::{Answer, BoxFuture, Failure, Preflight, RouteAdapter};
use capstan_core::{AnswerFormat, ApiHost, ErrorCode, Method, RestRequest, Route, RouteRequest};
use capstan_http::{PathError, address_below};
use http::HeaderValue;
use serde_json::Value;
use url::Url;

use crate::client::{HttpClient, Outgoing, OutgoingBody};
use crate::remembered::{AnswerKey, RememberedAnswers};
use crate::reply::Reply;
use crate::{classify, file, redact, reply};

/// Sends REST requests over HTTP.
#[derive(Debug)]
pub struct RestAdapter {
    client: Arc<HttpClient>,
    remembered: RememberedAnswers,
}

impl RestAdapter {
    pub fn new(client: Arc<HttpClient>) -> Self {
        Self {
            client,
            remembered: RememberedAnswers::default(),
        }
    }

    async fn exchange(&self, request: &RestRequest, deadline: Instant) -> Result<Answer, Failure> {
        let endpoint = self.client.endpoint();
        let base = match request.host {
            ApiHost::Api => &endpoint.api_url,
            ApiHost::Uploads => &endpoint.upload_url,
        };
        let url = api_address(base, &request.path)?;
        let accept = request.accept.as_deref().map(HeaderValue::from_str);
        let accept = accept
            .transpose()
            .map_err(|error| classify::unsendable(ErrorCode::Validation, error.to_string()))?;
        let outgoing = Outgoing {
            may_leave: request.answer.is_file()
                || request.answer == AnswerFormat::Auto && request.operation == Operation::Read,
            method: method(request.method),
            url,
            body: body(request)?,
            accept,
            if_none_match: None,
        };
        if request.answer.is_file() && request.operation == Operation::Read {
            return match self.client.download(outgoing, deadline).await? {
                Ok((head, content)) => {
                    file::read(head, content, request.file.clone(), request.answer).await
                }
                Err(reply) => Err(reply::refused_file(&reply)),
            };
        }
        let reply = self.exchange_once(request, outgoing, deadline).await?;
        if request.operation == Operation::Read {
            if request.answer == AnswerFormat::Auto && !reply::is_json_or_text(&reply) {
                return file::read_reply(reply, request.file.clone()).await;
            }
            let mut answer = reply::rest_read(&reply, request.answer)?;
            if let (AnswerFormat::Diff, Value::String(diff)) = (request.answer, &answer.body) {
                answer.body = file::read_diff(&reply.head, diff, &request.file)?;
            }
            return Ok(answer);
        }
        let mut answer = reply::rest(&reply, request.answer)?;
        answer.next_page = None;
        Ok(answer)
    }

    /// Sends a request and returns the reply. What GitHub has sent before is not sent again.
    async fn exchange_once(
        &self,
        request: &RestRequest,
        mut outgoing: Outgoing,
        deadline: Instant,
    ) -> Result<Reply, Failure> {
        let may_be_known = request.method == Method::Get
            && matches!(request.answer, AnswerFormat::Json | AnswerFormat::Auto);
        if !may_be_known {
            return self.client.exchange(outgoing, deadline).await;
        }
        let key = AnswerKey {
            address: outgoing.url.to_string(),
            accept: outgoing.accept.clone(),
        };
        let known = self.remembered.get(&key);
        outgoing.if_none_match = known.as_ref().map(|known| known.tag.clone());
        let reply = self.client.exchange(outgoing, deadline).await?;
        Ok(self.remembered.complete(key, known, reply))
    }
}

impl RouteAdapter for RestAdapter {
    fn route(&self) -> Route {
        Route::Rest
    }

    fn preflight(&self) -> BoxFuture<'_, Preflight> {
        Box::pin(self.client.preflight())
    }

    fn send<'a>(
        &'a self,
        request: &'a RouteRequest,
        deadline: Instant,
    ) -> BoxFuture<'a, Result<Answer, Failure>> {
        Box::pin(async move {
            let result = match request {
                RouteRequest::Rest(request) => self.exchange(request, deadline).await,
                other => Err(classify::unsendable(
                    ErrorCode::AdapterUnsupported,
                    format!("a {} request cannot go over REST", other.route()),
                )),
            };
            redact::result(&self.client.redactor(), result)
        })
    }
}

/// Returns the body of a request with its media type.
fn body(request: &RestRequest) -> Result<Option<OutgoingBody>, Failure> {
    let invalid = |problem: String| classify::unsendable(ErrorCode::Validation, problem);
    if let Some(raw) = &request.raw {
        let media_type = HeaderValue::from_str(&raw.media_type);
        return Ok(Some(OutgoingBody {
            media_type: media_type.map_err(|_| {
                let shown = capstan_core::brief(&raw.media_type, LONGEST_ADDRESS);
                invalid(format!(
                    "`{shown}` is not a media type such as `text/plain`"
                ))
            })?,
            content: Bytes::from_owner(Arc::clone(&raw.content)),
        }));
    }
    let Some(json) = &request.body else {
        return Ok(None);
    };
    let content = serde_json::to_vec(json).map_err(|error| invalid(error.to_string()))?;
    Ok(Some(OutgoingBody::json(content)))
}

/// Returns the address of a path below the API's base address.
fn api_address(base: &Url, path: &str) -> Result<Url, Failure> {
    address_below(base, path).map_err(|error| match error {
        PathError::Elsewhere => elsewhere(path, base.as_str().trim_end_matches('/')),
        PathError::NotAPath => classify::unsendable(
            ErrorCode::Validation,
            format!("`{path}` is not a path of GitHub's API"),
        ),
    })
}

fn elsewhere(address: &str, prefix: &str) -> Failure {
    let message = format!(
        "`{}` is not an address of this GitHub, whose addresses begin with `{prefix}/`",
        capstan_core::brief(address, LONGEST_ADDRESS)
    );
    classify::unsendable(ErrorCode::Validation, message)
}

/// How much of an address is repeated in messages.
const LONGEST_ADDRESS: usize = 100;

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

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn paths_stay_below_the_base() {
        let base = Url::parse("https://git.example.org/api/v3").unwrap();
        let url = api_address(&base, "/repos/a/b?x=%2F..%2F").unwrap();
        assert_eq!(
            url.as_str(),
            "https://git.example.org/api/v3/repos/a/b?x=%2F..%2F"
        );
        let url = api_address(&base, "https://git.example.org/api/v3/repos/a?x=1").unwrap();
        assert_eq!(url.as_str(), "https://git.example.org/api/v3/repos/a?x=1");
        for bad in [
            "https://git.example.org/repos/a",
            "https://git.example.org/api/v3",
            "https://git.example.org/api/v33/x",
            "https://git.example.org/api/v3/../x",
            "https://git.example.org/api/v3//evil.org",
            "https://git.example.org.evil.org/api/v3/x",
            "https://git.example.org@evil.org/api/v3/x",
            "http://git.example.org/api/v3/x",
            "https://api.github.com/repos/a",
            "repos/a",
            "//evil.org/x",
            "/repos/../../x",
            "/repos/%2e%2E/x",
            "/..\\x",
            "@evil.org/",
        ] {
            assert!(api_address(&base, bad).is_err(), "{bad}");
        }
    }
}
