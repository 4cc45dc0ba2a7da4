//! The HTTP client of the library's transport.

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
use super::post::{OutgoingPost, client_error, post};
use crate::channel::MAX_MESSAGE_BYTES;

/// How often a broken stream of events is requested again.
const MAX_RECONNECTS: usize = 5;
const MAX_RECONNECT_DELAY: Duration = Duration::from_secs(10);

/// How many calls may be under way to one server at the same time.
const MAX_CONCURRENT_CALLS: usize = 64;

#[derive(Clone, Debug)]
pub(crate) struct HttpClient(reqwest::Client);

/// Creates a transport without sending anything.
pub(crate) fn transport(
    url: &Url,
    headers: &[(String, Secret)],
) -> Result<StreamableHttpClientTransport<HttpClient>, HttpFault> {
    // No redirect is followed: the new address of a server must be written into the configuration.
    let client = ClientOptions::for_url(url)
        .build()
        .map_err(HttpFault::from_reqwest)?;
    let mut config = StreamableHttpClientTransportConfig::with_uri(url.as_str())
        .custom_headers(header_map(headers))
        .max_concurrent_requests(MAX_CONCURRENT_CALLS)
        .max_sse_event_size(MAX_MESSAGE_BYTES)
        // Otherwise the library would send a call twice.
        .reinit_on_expired_session(false);
    let mut reconnect = ExponentialBackoff::default();
    reconnect.max_times = Some(MAX_RECONNECTS);
    reconnect.max_delay = Some(MAX_RECONNECT_DELAY);
    config.retry_config = Arc::new(reconnect);
    Ok(StreamableHttpClientTransport::with_client(
        HttpClient(client),
        config,
    ))
}

fn header_map(headers: &[(String, Secret)]) -> HashMap<HeaderName, HeaderValue> {
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
        let outgoing = OutgoingPost {
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
        let response = request.send().await.map_err(client_error)?;
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
        Ok(events::read(stream, None, MAX_MESSAGE_BYTES))
    }

    async fn delete_session(
        &self,
        uri: Arc<str>,
        session: Arc<str>,
        _: Option<String>,
        headers: HashMap<HeaderName, HeaderValue>,
    ) -> Result<(), StreamableHttpError<HttpFault>> {
        // The answer does not matter: we do not use the session any more.
        self.0
            .delete(uri.as_ref())
            .headers(headers.into_iter().collect())
            .header("mcp-session-id", session.as_ref())
            .send()
            .await
            .map_err(client_error)?;
        Ok(())
    }
}
