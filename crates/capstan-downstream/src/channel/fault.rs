//! Why a request has no answer.

use std::sync::Arc;

use rmcp::ErrorData;
use rmcp::model::ErrorCode;
use rmcp::service::ServiceError;
use rmcp::transport::DynamicTransportError;
use rmcp::transport::streamable_http_client::StreamableHttpError;

use crate::http::HttpFault;

#[derive(Clone, Debug)]
pub(crate) struct RequestFault {
    pub(crate) kind: FaultKind,
    /// Whether any byte of the request may have been sent.
    pub(crate) may_be_sent: bool,
}

#[derive(Clone, Debug)]
pub(crate) enum FaultKind {
    OutOfTime,
    /// The server has ended; how.
    Ended(Arc<str>),
    /// The server answered with an error.
    Refused(ErrorData),
    /// The answer is larger than the limit.
    TooLarge,
    Http(HttpFault),
    /// The request could not be written.
    Unwritten(String),
    /// The stream ended before the answer, or another error that the server did not report.
    Lost(String),
}

/// The code of an error that replaces an answer that was too large to be read. Servers may not use
/// codes in this range.
pub(crate) const TOO_LARGE: ErrorCode = ErrorCode(-31_999);

impl FaultKind {
    pub(crate) fn from_service_error(error: ServiceError) -> Self {
        match error {
            ServiceError::McpError(error) if error.code == TOO_LARGE => FaultKind::TooLarge,
            ServiceError::McpError(error) => FaultKind::Refused(error),
            ServiceError::TransportSend(error) => FaultKind::from_transport_error(&error),
            other => FaultKind::Lost(match other {
                ServiceError::TransportClosed => "the answer broke off".to_owned(),
                other => other.to_string(),
            }),
        }
    }

    pub(crate) fn from_transport_error(error: &DynamicTransportError) -> Self {
        type Http = StreamableHttpError<HttpFault>;
        match error.error.downcast_ref::<Http>() {
            Some(StreamableHttpError::Client(fault)) => FaultKind::Http(fault.clone()),
            Some(StreamableHttpError::SessionExpired) => FaultKind::Http(HttpFault::Expired),
            Some(other) => FaultKind::Http(HttpFault::Unusable(other.to_string())),
            None => FaultKind::Unwritten(error.error.to_string()),
        }
    }
}
