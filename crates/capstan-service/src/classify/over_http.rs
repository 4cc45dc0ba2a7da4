//! Classifies failures over HTTP: refusals, truncated or invalid answers, and missing answers.

use capstan_core::port::{Failure, Verdict};
use capstan_core::{ErrorCode, Outcome};
use capstan_http::{BodyError, Head, TransportFault};
use serde_json::Value;

use super::failure::with_head;
use super::message;
use super::verdict;
use crate::settings::ServiceSettings;

/// Classifies an HTTP status that is not a success.
pub(crate) fn refusal(settings: &ServiceSettings, head: &Head, body: &[u8]) -> Failure {
    let body = serde_json::from_slice(body).unwrap_or(Value::Null);
    let verdict = verdict::status(head.status.as_u16());
    from_body(settings, head, verdict, &body)
}

/// Classifies an answer that is an error although its status is a success. The service may have begun to work on it.
pub(crate) fn error_in_success(settings: &ServiceSettings, head: &Head, body: &Value) -> Failure {
    let verdict = Verdict::unknown(ErrorCode::Validation);
    from_body(settings, head, verdict, body)
}

fn from_body(settings: &ServiceSettings, head: &Head, verdict: Verdict, body: &Value) -> Failure {
    let message = message::from_body(settings.errors.message.as_ref(), body);
    let text = message.unwrap_or_else(|| message::for_status(settings.name.as_str(), head.status));
    let mut failure = with_head(verdict, text, head);
    let code = settings.errors.code.as_ref();
    if let Some(code) = code.and_then(|place| message::text_at(place, body)) {
        failure.error.set_detail("service_code", code);
    }
    failure
}

/// Classifies a refusal whose body is truncated. Its status counts, but it proves nothing about a write.
pub(crate) fn truncated_refusal(settings: &ServiceSettings, head: &Head) -> Failure {
    Failure {
        outcome: Outcome::Unknown,
        ..refusal(settings, head, b"")
    }
}

/// Classifies a success whose body could not be read completely.
pub(crate) fn truncated_success(head: &Head, error: BodyError, outcome: Outcome) -> Failure {
    let verdict = Verdict {
        outcome,
        ..verdict::body_error(error)
    };
    with_head(verdict, error.to_string(), head)
}

/// Classifies a success whose body is not in the expected format.
pub(crate) fn invalid_body(head: &Head, what: &str, outcome: Outcome) -> Failure {
    let verdict = Verdict {
        outcome,
        ..Verdict::unknown(ErrorCode::Server)
    };
    with_head(verdict, what.to_owned(), head)
}

/// Classifies a redirect that is not followed.
pub(crate) fn redirect(head: &Head, why: String) -> Failure {
    with_head(verdict::status(head.status.as_u16()), why, head)
}

/// Classifies a redirect that was not followed. The message leaves out the query of its target.
pub(crate) fn unfollowed_redirect(service: &str, head: &Head) -> Failure {
    let why = match head.header("location").map(message::without_secrets) {
        Some(target) => format!("it has moved to `{target}`, and nothing was sent there"),
        None => message::for_status(service, head.status),
    };
    redirect(head, why)
}

/// Classifies a request without an answer.
pub(crate) fn transport(fault: TransportFault, may_be_sent: bool, host: &str) -> Failure {
    verdict::transport(fault, may_be_sent).failure(fault.describe(host))
}

/// Classifies a request that cannot be sent as it is.
pub(crate) fn unsendable(code: ErrorCode, why: impl Into<String>) -> Failure {
    Verdict::refused(code).failure(why)
}

pub(crate) fn no_client(why: &str) -> Failure {
    let message = format!("the HTTP client cannot be set up: {why}");
    unsendable(ErrorCode::AdapterUnsupported, message)
}
