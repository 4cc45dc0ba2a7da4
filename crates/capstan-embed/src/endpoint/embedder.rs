//! A server as an `Embedder`.

use std::fmt;
use std::sync::{Arc, OnceLock};
use std::time::Duration;

use capstan_core::port::{BoxFuture, Clock, Embedder, Fact, Failure};
use capstan_core::{ErrorCode, Redactor, ResultError, Secret};
use capstan_http::ClientOptions;
use http::StatusCode;
use serde_json::{Value, json};
use url::Url;

use super::address::{AddressError, embeddings_url};
use super::exchange::{HttpAnswer, post};
use super::{answer, refusal};

/// How many characters of a text are sent: about two thousand tokens.
const MAX_TEXT_CHARS: usize = 8_000;

/// The text that replaces an empty one, because servers refuse empty texts.
const EMPTY_TEXT: &str = "-";

/// The wait before the second try if the server does not name one.
const DEFAULT_WAIT: Duration = Duration::from_secs(1);

/// The longest wait. If a server asks for a longer one, there is no second try, because a user is
/// waiting.
const MAX_WAIT: Duration = Duration::from_secs(2);

#[derive(Clone, Debug)]
pub struct EndpointSettings {
    /// The base address to which `/embeddings` is appended, such as `https://api.openai.com/v1`.
    pub base: String,
    /// The server's name for the model.
    pub model: String,
    pub key: Option<Secret>,
    /// The time limit for one request.
    pub time_limit: Duration,
    /// The number of texts in one request.
    pub batch: usize,
}

impl EndpointSettings {
    /// Returns settings without a key, with limits that suit most servers: some accept at most 32
    /// texts.
    pub fn new(base: impl Into<String>, model: impl Into<String>) -> Self {
        Self {
            base: base.into(),
            model: model.into(),
            key: None,
            time_limit: Duration::from_secs(10),
            batch: 32,
        }
    }
}

/// A server with OpenAI's embeddings API. It connects when it is first used.
pub struct Endpoint {
    settings: EndpointSettings,
    url: Url,
    name: String,
    redactor: Redactor,
    clock: Arc<dyn Clock>,
    client: OnceLock<Result<reqwest::Client, String>>,
}

impl Endpoint {
    pub fn new(settings: EndpointSettings, clock: Arc<dyn Clock>) -> Result<Self, AddressError> {
        let url = embeddings_url(&settings.base)?;
        Ok(Self {
            name: format!("{} of {url}", settings.model),
            redactor: Redactor::new(settings.key.clone()),
            client: OnceLock::new(),
            settings,
            url,
            clock,
        })
    }

    async fn vectors(&self, texts: &[String]) -> Result<Vec<Vec<f32>>, ResultError> {
        let mut vectors: Vec<Vec<f32>> = Vec::with_capacity(texts.len());
        for batch in texts.chunks(self.settings.batch.max(1)) {
            // The vectors of one call have one length. The next call may reach another model.
            let length = vectors.first().map(Vec::len);
            let made = self.embed_batch(batch, length).await;
            vectors.extend(made.map_err(|error| self.masked(error))?);
        }
        Ok(vectors)
    }

    async fn embed_batch(
        &self,
        texts: &[String],
        length: Option<usize>,
    ) -> Result<Vec<Vec<f32>>, ResultError> {
        let answered = self.send(texts).await?;
        answer::read(&answered.body, texts.len(), length).map_err(|why| {
            let host = self.host();
            let message = format!("`{host}` returned embeddings that cannot be used: {why}");
            ResultError::new(ErrorCode::Server, message).not_retryable()
        })
    }

    /// Sends a request, and repeats it once if the server is busy. Embedding changes nothing, so
    /// this is safe.
    async fn send(&self, texts: &[String]) -> Result<HttpAnswer, ResultError> {
        let input: Vec<_> = texts.iter().map(|text| text_to_send(text)).collect();
        let body = json!({ "model": self.settings.model, "input": input });
        let first = self.post(&body).await?;
        let busy = first.status == StatusCode::TOO_MANY_REQUESTS || first.status.is_server_error();
        let wait = capstan_http::retry_after(&first.headers).unwrap_or(DEFAULT_WAIT);
        if !busy || wait > MAX_WAIT {
            return self.check_status(first);
        }
        self.clock.sleep(wait).await;
        let second = self.post(&body).await?;
        self.check_status(second)
    }

    async fn post(&self, body: &Value) -> Result<HttpAnswer, ResultError> {
        let client = self.client.get_or_init(|| {
            let client = ClientOptions::for_url(&self.url).build();
            client.map_err(|why| why.to_string())
        });
        let client = client.as_ref().map_err(|why| {
            ResultError::new(
                ErrorCode::AdapterUnsupported,
                format!("the HTTP client cannot be set up: {why}"),
            )
        })?;
        let (key, limit) = (self.settings.key.as_ref(), self.settings.time_limit);
        post(client, &self.url, key, body, limit).await
    }

    fn check_status(&self, answered: HttpAnswer) -> Result<HttpAnswer, ResultError> {
        if answered.status.is_success() {
            return Ok(answered);
        }
        let error = refusal::to_error(answered.status, &answered.body, self.host());
        let failure = Failure {
            retry_after: capstan_http::retry_after(&answered.headers),
            ..Failure::not_sent(error)
        };
        Err(failure.with_detail_of(Fact::RetryAfter).error)
    }

    fn host(&self) -> &str {
        self.url.host_str().unwrap_or_default()
    }

    /// Masks the key. Servers often repeat the key that they refuse.
    fn masked(&self, mut error: ResultError) -> ResultError {
        error.message = self.redactor.text(&error.message).into_owned();
        error
    }
}

impl Embedder for Endpoint {
    fn model(&self) -> &str {
        &self.name
    }

    fn embed<'a>(
        &'a self,
        texts: &'a [String],
    ) -> BoxFuture<'a, Result<Vec<Vec<f32>>, ResultError>> {
        Box::pin(self.vectors(texts))
    }
}

impl fmt::Debug for Endpoint {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Endpoint")
            .field("settings", &self.settings)
            .finish_non_exhaustive()
    }
}

fn text_to_send(text: &str) -> &str {
    if text.trim().is_empty() {
        return EMPTY_TEXT;
    }
    match text.char_indices().nth(MAX_TEXT_CHARS) {
        Some((end, _)) => &text[..end],
        None => text,
    }
}
