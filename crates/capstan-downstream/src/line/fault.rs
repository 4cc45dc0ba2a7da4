//! Why there is no answer to a request.

use std::sync::Arc;

use rmcp::ErrorData;
use rmcp::model::ErrorCode;
use rmcp::service::ServiceError;
use rmcp::transport::DynamicTransportError;
use rmcp::transport::streamable_http_client::StreamableHttpError;

use crate::http::HttpFault;

#[derive(Clone, Debug)]
pub(crate) struct Fault {
    pub(crate) kind: Kind,
    /// Whether anything of it may have left.
    pub(crate) left: bool,
}

#[derive(Clone, Debug)]
pub(crate) enum Kind {
    OutOfTime,
    /// The server is gone; how, in words.
    Ended(Arc<str>),
    /// The server answered with an error.
    Refused(ErrorData),
    /// The answer is larger than what is read.
    TooLarge,
    Http(HttpFault),
    /// It could not be written.
    Unwritten(String),
    /// The answer's stream ended before it, or something else that is nobody's word.
    Lost(String),
}

/// The code of an error that stands in for an answer that was too large to be read. It is outside
/// of what servers may use.
pub(crate) const TOO_LARGE: ErrorCode = ErrorCode(-31_999);

impl Kind {
    pub(crate) fn of(error: ServiceError) -> Self {
        match error {
            ServiceError::McpError(error) if error.code == TOO_LARGE => Kind::TooLarge,
            ServiceError::McpError(error) => Kind::Refused(error),
            ServiceError::TransportSend(error) => Kind::of_transport(&error),
            other => Kind::Lost(match other {
                ServiceError::TransportClosed => "the answer broke off".to_owned(),
                other => other.to_string(),
            }),
        }
    }

    pub(crate) fn of_transport(error: &DynamicTransportError) -> Self {
        type Http = StreamableHttpError<HttpFault>;
        match error.error.downcast_ref::<Http>() {
            Some(StreamableHttpError::Client(fault)) => Kind::Http(fault.clone()),
            Some(StreamableHttpError::SessionExpired) => Kind::Http(HttpFault::Expired),
            Some(other) => Kind::Http(HttpFault::Unusable(other.to_string())),
            None => Kind::Unwritten(error.error.to_string()),
        }
    }
}
