//! What can go wrong between us and a server.

use std::time::Duration;

use capstan_http::root_cause;

#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub(crate) enum HttpFault {
    /// No connection could be made.
    #[error("it cannot be reached: {0}")]
    Unreachable(String),
    /// The connection broke.
    #[error("the connection broke: {0}")]
    Broken(String),
    /// An error status. The text is the server's own, shortened.
    #[error("it answers with HTTP status {status}{}", after_colon(.text))]
    Status {
        status: u16,
        retry_after: Option<Duration>,
        text: String,
    },
    /// The server does not know our session any more.
    #[error("it has forgotten the session")]
    Expired,
    /// The answer is larger than the limit.
    #[error("its answer is too large")]
    TooLarge,
    /// The answer violates the protocol.
    #[error("it does not speak MCP over streamable HTTP: {0}")]
    Unusable(String),
}

impl HttpFault {
    pub(crate) fn from_reqwest(error: reqwest::Error) -> Self {
        // URLs often contain secrets.
        let error = error.without_url();
        let cause = root_cause(&error);
        if error.is_connect() {
            HttpFault::Unreachable(cause)
        } else {
            HttpFault::Broken(cause)
        }
    }

    /// Returns whether the server certainly did nothing: it was not reached, or it refused before
    /// it read the message.
    pub(crate) fn is_refusal(&self) -> bool {
        match self {
            HttpFault::Unreachable(_) | HttpFault::Expired => true,
            HttpFault::Status { status, .. } => matches!(status, 401 | 403 | 429),
            _ => false,
        }
    }
}

fn after_colon(text: &str) -> String {
    if text.is_empty() {
        String::new()
    } else {
        format!(": {text}")
    }
}
