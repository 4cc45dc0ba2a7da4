//! A server behind the port.

use std::fmt;
use std::sync::{Arc, OnceLock};
use std::time::Duration;

use capstan_core::port::{BoxFuture, Clock, Embedder};
use capstan_core::{ErrorCode, Redactor, ResultError, Secret};
use capstan_http::ClientOptions;
use http::StatusCode;
use serde_json::{Value, json};
use url::Url;

use super::address::{AddressError, address};
use super::exchange::{Answered, post};
use super::{answer, refusal};

/// More characters of a text are not sent: about two thousand tokens.
const LONGEST_TEXT: usize = 8_000;

/// Servers refuse a text of nothing.
const NOTHING: &str = "-";

/// How long to wait before the second try where the server does not say.
const USUAL_WAIT: Duration = Duration::from_secs(1);

/// Who asks to wait for longer is not asked again: somebody waits for an answer.
const LONGEST_WAIT: Duration = Duration::from_secs(2);

#[derive(Clone, Debug)]
pub struct EndpointSettings {
    /// What `/embeddings` is appended to, such as `https://api.openai.com/v1`.
    pub base: String,
    /// The model as the server calls it.
    pub model: String,
    pub key: Option<Secret>,
    /// For one request.
    pub time_limit: Duration,
    /// Texts in one request.
    pub batch: usize,
}

impl EndpointSettings {
    /// Without a key, with limits that suit most servers: some take no more than 32 texts at once.
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

/// A server that speaks OpenAI's embeddings. Nothing is connected before it is used.
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
        let url = address(&settings.base)?;
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
        for some in texts.chunks(self.settings.batch.max(1)) {
            // Those of one model have one length; another time it may be another model.
            let length = vectors.first().map(Vec::len);
            let made = self.some(some, length).await;
            vectors.extend(made.map_err(|error| self.masked(error))?);
        }
        Ok(vectors)
    }

    async fn some(
        &self,
        texts: &[String],
        length: Option<usize>,
    ) -> Result<Vec<Vec<f32>>, ResultError> {
        let answered = self.ask(texts).await?;
        answer::read(&answered.body, texts.len(), length).map_err(|why| {
            let host = self.host();
            let message =
                format!("the embeddings of `{host}` gave an answer that cannot be used: {why}");
            ResultError::new(ErrorCode::Server, message).not_retryable()
        })
    }

    /// Asks, and once more where the server has too much to do: embedding changes nothing.
    async fn ask(&self, texts: &[String]) -> Result<Answered, ResultError> {
        let input: Vec<_> = texts.iter().map(|text| sent(text)).collect();
        let body = json!({ "model": self.settings.model, "input": input });
        let first = self.post(&body).await?;
        let busy = first.status == StatusCode::TOO_MANY_REQUESTS || first.status.is_server_error();
        let wait = refusal::wait(&first.headers).unwrap_or(USUAL_WAIT);
        if !busy || wait > LONGEST_WAIT {
            return self.accepted(first);
        }
        self.clock.sleep(wait).await;
        let second = self.post(&body).await?;
        self.accepted(second)
    }

    async fn post(&self, body: &Value) -> Result<Answered, ResultError> {
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

    fn accepted(&self, answered: Answered) -> Result<Answered, ResultError> {
        if answered.status.is_success() {
            return Ok(answered);
        }
        let error = refusal::of(answered.status, &answered.body, self.host());
        Err(match refusal::wait(&answered.headers) {
            Some(wait) => error.with_detail("retry_after_s", wait.as_secs()),
            None => error,
        })
    }

    fn host(&self) -> &str {
        self.url.host_str().unwrap_or_default()
    }

    /// Servers like to repeat the key that they refuse.
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

fn sent(text: &str) -> &str {
    if text.trim().is_empty() {
        return NOTHING;
    }
    match text.char_indices().nth(LONGEST_TEXT) {
        Some((end, _)) => &text[..end],
        None => text,
    }
}
