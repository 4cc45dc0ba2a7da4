//! What can go wrong on the way to a server and back.

use std::time::Duration;

use capstan_http::root_cause;

#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub(crate) enum HttpFault {
    /// No connection was made.
    #[error("it cannot be reached: {0}")]
    Unreachable(String),
    /// The connection broke.
    #[error("the connection broke: {0}")]
    Broken(String),
    /// An answer that says no. The text is the server's own, cut.
    #[error("it answers with HTTP status {status}{}", in_words(.text))]
    Status {
        status: u16,
        retry_after: Option<Duration>,
        text: String,
    },
    /// The server does not know our session any more.
    #[error("it has forgotten the session")]
    Expired,
    /// The answer is larger than what is read.
    #[error("its answer is too large")]
    TooLarge,
    /// Not what the protocol promises.
    #[error("it does not speak MCP over streamable HTTP: {0}")]
    Unusable(String),
}

impl HttpFault {
    pub(crate) fn of(error: reqwest::Error) -> Self {
        // Addresses often have secrets in them.
        let error = error.without_url();
        let words = root_cause(&error);
        if error.is_connect() {
            HttpFault::Unreachable(words)
        } else {
            HttpFault::Broken(words)
        }
    }

    /// Whether the server certainly did nothing: it was not reached, or it refused before it
    /// looked at the message.
    pub(crate) fn is_refusal(&self) -> bool {
        match self {
            HttpFault::Unreachable(_) | HttpFault::Expired => true,
            HttpFault::Status { status, .. } => matches!(status, 401 | 403 | 429),
            _ => false,
        }
    }
}

fn in_words(text: &str) -> String {
    if text.is_empty() {
        String::new()
    } else {
        format!(": {text}")
    }
}
