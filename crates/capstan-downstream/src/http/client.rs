//! What the library's transport sends through.

use std::collections::HashMap;
use std::sync::Arc;
use std::time::Duration;

use capstan_core::Secret;
use capstan_http::ClientOptions;
use http::StatusCode;
use http::header::{ACCEPT, CONTENT_TYPE, HeaderName, HeaderValue};
use rmcp::model::ClientJsonRpcMessage;
use rmcp::transport::StreamableHttpClientTransport;
use rmcp::transport::common::client_side_sse::ExponentialBackoff;
use rmcp::transport::streamable_http_client::{
    StreamableHttpClient, StreamableHttpClientTransportConfig, StreamableHttpError,
    StreamableHttpPostResponse,
};
use url::Url;

use super::HttpFault;
use super::events::{self, Events};
use super::post::{Outgoing, broken, post};
use crate::line::LARGEST_MESSAGE;

/// How often a stream of events that broke off is asked for again.
const MOST_RECONNECTS: usize = 5;
const LONGEST_RECONNECT: Duration = Duration::from_secs(10);

/// How many calls may be on their way to one server at once.
const MOST_CALLS: usize = 64;

#[derive(Clone, Debug)]
pub(crate) struct HttpClient(reqwest::Client);

/// A transport that has not sent anything yet.
pub(crate) fn transport(
    url: &Url,
    headers: &[(String, Secret)],
) -> Result<StreamableHttpClientTransport<HttpClient>, HttpFault> {
    // A server that moved has to be named anew in the configuration: no redirect is followed.
    let client = ClientOptions::for_url(url).build().map_err(HttpFault::of)?;
    let mut config = StreamableHttpClientTransportConfig::with_uri(url.as_str())
        .custom_headers(sent(headers))
        .max_concurrent_requests(MOST_CALLS)
        .max_sse_event_size(LARGEST_MESSAGE)
        // It would send a call twice.
        .reinit_on_expired_session(false);
    let mut reconnect = ExponentialBackoff::default();
    reconnect.max_times = Some(MOST_RECONNECTS);
    reconnect.max_delay = Some(LONGEST_RECONNECT);
    config.retry_config = Arc::new(reconnect);
    Ok(StreamableHttpClientTransport::with_client(
        HttpClient(client),
        config,
    ))
}

fn sent(headers: &[(String, Secret)]) -> HashMap<HeaderName, HeaderValue> {
    let header = |(name, value): &(String, Secret)| {
        let name = HeaderName::try_from(name).ok()?;
        let mut value = HeaderValue::try_from(value.expose()).ok()?;
        value.set_sensitive(true);
        Some((name, value))
    };
    headers.iter().filter_map(header).collect()
}

impl StreamableHttpClient for HttpClient {
    type Error = HttpFault;

    async fn post_message(
        &self,
        uri: Arc<str>,
        message: ClientJsonRpcMessage,
        session: Option<Arc<str>>,
        _: Option<String>,
        headers: HashMap<HeaderName, HeaderValue>,
    ) -> Result<StreamableHttpPostResponse, StreamableHttpError<HttpFault>> {
        let outgoing = Outgoing {
            uri,
            message,
            session,
            headers,
        };
        post(&self.0, outgoing).await
    }

    async fn get_stream(
        &self,
        uri: Arc<str>,
        session: Option<Arc<str>>,
        last_event: Option<String>,
        _: Option<String>,
        headers: HashMap<HeaderName, HeaderValue>,
    ) -> Result<Events, StreamableHttpError<HttpFault>> {
        let mut request = self
            .0
            .get(uri.as_ref())
            .headers(headers.into_iter().collect())
            .header(ACCEPT, "text/event-stream");
        if let Some(session) = session {
            request = request.header("mcp-session-id", session.as_ref());
        }
        if let Some(last_event) = last_event {
            request = request.header("last-event-id", last_event);
        }
        let response = request.send().await.map_err(broken)?;
        let kind = response.headers().get(CONTENT_TYPE);
        let is_stream = kind.is_some_and(|kind| kind.as_bytes().starts_with(b"text/event-stream"));
        if response.status() == StatusCode::METHOD_NOT_ALLOWED
            || (response.status().is_success() && !is_stream)
        {
            return Err(StreamableHttpError::ServerDoesNotSupportSse);
        }
        if !response.status().is_success() {
            return Err(StreamableHttpError::Client(HttpFault::Status {
                status: response.status().as_u16(),
                retry_after: None,
                text: String::new(),
            }));
        }
        let stream = Box::pin(response.bytes_stream());
        Ok(events::read(stream, None, LARGEST_MESSAGE))
    }

    async fn delete_session(
        &self,
        uri: Arc<str>,
        session: Arc<str>,
        _: Option<String>,
        headers: HashMap<HeaderName, HeaderValue>,
    ) -> Result<(), StreamableHttpError<HttpFault>> {
        // Whatever it answers: the session is over for us.
        self.0
            .delete(uri.as_ref())
            .headers(headers.into_iter().collect())
            .header("mcp-session-id", session.as_ref())
            .send()
            .await
            .map_err(broken)?;
        Ok(())
    }
}
