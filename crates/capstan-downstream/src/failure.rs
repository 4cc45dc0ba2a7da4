//! Converts faults of servers into failures with the codes and messages that callers know.

use std::time::Duration;

use capstan_core::card::Operation;
use capstan_core::port::Failure;
use capstan_core::{ErrorCode, Outcome, ResultError};
use rmcp::model::ErrorCode as RpcCode;

use crate::channel::{FaultKind, MAX_MESSAGE_BYTES, RequestFault};
use crate::config::ServerName;
use crate::http::HttpFault;

/// How many characters of a server's message are shown.
const MAX_MESSAGE_CHARS: usize = 2_000;

/// No server has this name.
pub(crate) fn unknown_server(name: &str, known: &[String]) -> Failure {
    let name: String = name.chars().take(ServerName::MAX_LENGTH).collect();
    let known = if known.is_empty() {
        "none is configured".to_owned()
    } else {
        format!("expected one of `{}`", known.join("`, `"))
    };
    let message = format!("there is no server `{name}`: {known}");
    Failure::not_sent(ResultError::new(ErrorCode::NotFound, message))
}

/// A call was not made because the server keeps failing.
pub(crate) fn backing_off(server: &ServerName, wait: Duration, why: &str) -> Failure {
    let message = format!(
        "the server `{server}` keeps failing and will not be restarted for {}: {why}",
        format_wait(wait)
    );
    let mut failure = Failure::not_sent(ResultError::new(ErrorCode::Network, message));
    failure.retry_after = Some(wait);
    failure
}

/// The server was not ready before the call's deadline.
pub(crate) fn still_starting(server: &ServerName) -> Failure {
    let message = format!("the server `{server}` is still starting: try again in a moment");
    Failure::not_sent(ResultError::new(ErrorCode::Network, message))
}

/// The server could not be started.
pub(crate) fn not_started(server: &ServerName, code: ErrorCode, why: &str) -> Failure {
    let message = format!("the server `{server}` cannot be started: {}", shorten(why));
    Failure::not_sent(ResultError::new(code, message))
}

/// A request has no answer. Whether a write may have happened depends on whether the request was
/// sent.
pub(crate) fn from_fault(
    server: &ServerName,
    what: &str,
    operation: Operation,
    fault: &RequestFault,
) -> Failure {
    let is_refusal = matches!(&fault.kind, FaultKind::Http(fault) if fault.is_refusal());
    let outcome = if operation == Operation::Read || !fault.may_be_sent || is_refusal {
        Outcome::NotApplied
    } else {
        Outcome::Unknown
    };
    let (code, words) = code_and_message(&fault.kind, fault.may_be_sent);
    let message = format!("{what} of the server `{server}`: {}", shorten(&words));
    let mut error = ResultError::new(code, message);
    // The caller reports that a write may have happened, for a lost answer of any kind.
    error.retryable &= outcome != Outcome::Unknown;
    let mut failure = Failure::new(error, outcome);
    failure.too_much = matches!(
        fault.kind,
        FaultKind::TooLarge | FaultKind::Http(HttpFault::TooLarge)
    );
    if let FaultKind::Http(HttpFault::Status { retry_after, .. }) = &fault.kind {
        failure.retry_after = *retry_after;
    }
    failure
}

/// A tool reported that it failed. It may have changed something before.
pub(crate) fn from_tool(
    server: &ServerName,
    what: &str,
    operation: Operation,
    words: &str,
) -> Failure {
    let message = format!("{what} of the server `{server}` failed: {}", shorten(words));
    let outcome = match operation {
        Operation::Read => Outcome::NotApplied,
        Operation::Write => Outcome::Unknown,
    };
    Failure::new(ResultError::new(ErrorCode::Unknown, message), outcome)
}

/// A tool needs more from us than a call.
pub(crate) fn unfinished(
    server: &ServerName,
    what: &str,
    operation: Operation,
    why: &str,
) -> Failure {
    let mut failure = from_tool(
        server,
        what,
        operation,
        &format!("{why}, which is not supported here"),
    );
    failure.error.code = ErrorCode::AdapterUnsupported;
    failure
}

/// Returns the code for a server that cannot be reached by HTTP.
pub(crate) fn code_of_http(fault: &HttpFault) -> ErrorCode {
    match fault {
        HttpFault::Status { status, .. } => match status {
            401 | 403 => ErrorCode::Auth,
            404 | 405 | 410 => ErrorCode::AdapterUnsupported,
            429 => ErrorCode::RateLimit,
            500.. => ErrorCode::Server,
            _ => ErrorCode::Unknown,
        },
        HttpFault::Unreachable(_) | HttpFault::Broken(_) | HttpFault::Expired => ErrorCode::Network,
        HttpFault::TooLarge => ErrorCode::Server,
        HttpFault::Unusable(_) => ErrorCode::AdapterUnsupported,
    }
}

/// Returns what to do about a server that refuses over HTTP.
pub(crate) fn advice_of_http(fault: &HttpFault) -> &'static str {
    match fault {
        HttpFault::Status { status, .. } => match status {
            301..=308 => "; write its new address into `url`",
            401 | 403 => "; add what it requires, such as a token, to `headers`",
            404 | 405 | 410 => "; check the path of `url`",
            _ => "",
        },
        _ => "",
    }
}

fn code_and_message(kind: &FaultKind, may_be_sent: bool) -> (ErrorCode, String) {
    match kind {
        FaultKind::OutOfTime if may_be_sent => (
            ErrorCode::Network,
            "no answer within the time limit; the call was cancelled".to_owned(),
        ),
        FaultKind::OutOfTime => (
            ErrorCode::Network,
            "the server accepted no input within the time limit".to_owned(),
        ),
        FaultKind::Ended(how) => (
            ErrorCode::Network,
            format!("the server is gone: {how}; the next call starts it again"),
        ),
        FaultKind::Refused(error) => {
            let code = match error.code {
                RpcCode::INVALID_PARAMS | RpcCode::INVALID_REQUEST => ErrorCode::Validation,
                RpcCode::METHOD_NOT_FOUND => ErrorCode::AdapterUnsupported,
                _ => ErrorCode::Unknown,
            };
            (code, error.message.to_string())
        }
        // Repeating the request would return as much.
        FaultKind::TooLarge | FaultKind::Http(HttpFault::TooLarge) => (
            ErrorCode::Unknown,
            format!(
                "the answer is larger than {} MiB: ask for less",
                MAX_MESSAGE_BYTES / 1024 / 1024
            ),
        ),
        FaultKind::Http(fault) => (
            code_of_http(fault),
            format!("{fault}{}", advice_of_http(fault)),
        ),
        FaultKind::Unwritten(why) | FaultKind::Lost(why) => (ErrorCode::Network, why.clone()),
    }
}

fn shorten(words: &str) -> String {
    if words.chars().count() <= MAX_MESSAGE_CHARS {
        return words.to_owned();
    }
    let mut cut: String = words.chars().take(MAX_MESSAGE_CHARS).collect();
    cut.push('…');
    cut
}

/// Formats a wait to a tenth of a second.
fn format_wait(wait: Duration) -> String {
    format!("{:.1} s", wait.as_secs_f64())
}

#[cfg(test)]
mod tests {
    use super::*;
    use rmcp::ErrorData;

    fn outcome_of(
        operation: Operation,
        kind: FaultKind,
        may_be_sent: bool,
    ) -> (ErrorCode, Outcome, bool) {
        let server = ServerName::parse("x").unwrap();
        let failure = from_fault(
            &server,
            "the tool `t`",
            operation,
            &RequestFault { kind, may_be_sent },
        );
        (failure.error.code, failure.outcome, failure.error.retryable)
    }

    fn status(status: u16) -> FaultKind {
        FaultKind::Http(HttpFault::Status {
            status,
            retry_after: None,
            text: String::new(),
        })
    }

    /// Every kind of fault, for a write that was sent.
    #[test]
    fn a_write_that_left_may_have_happened_unless_it_was_refused_at_the_door() {
        use ErrorCode::{
            AdapterUnsupported, Auth, Network, RateLimit, Server, Unknown, Validation,
        };
        use Outcome::NotApplied;
        let perhaps = |code| (code, Outcome::Unknown, false);
        let rpc = |code| FaultKind::Refused(ErrorData::new(code, "no", None));
        for (kind, expected) in [
            (FaultKind::OutOfTime, perhaps(Network)),
            (FaultKind::Ended("x".into()), perhaps(Network)),
            (FaultKind::Lost("x".to_owned()), perhaps(Network)),
            (FaultKind::TooLarge, perhaps(Unknown)),
            (rpc(RpcCode::INVALID_PARAMS), perhaps(Validation)),
            (rpc(RpcCode::INTERNAL_ERROR), perhaps(Unknown)),
            (
                FaultKind::Http(HttpFault::Broken("x".to_owned())),
                perhaps(Network),
            ),
            (status(500), perhaps(Server)),
            (status(404), perhaps(AdapterUnsupported)),
            (
                FaultKind::Http(HttpFault::Expired),
                (Network, NotApplied, true),
            ),
            (
                FaultKind::Http(HttpFault::Unreachable("x".to_owned())),
                (Network, NotApplied, true),
            ),
            (status(401), (Auth, NotApplied, false)),
            (status(403), (Auth, NotApplied, false)),
            (status(429), (RateLimit, NotApplied, true)),
        ] {
            let what = format!("{kind:?}");
            assert_eq!(outcome_of(Operation::Write, kind, true), expected, "{what}");
        }
    }

    #[test]
    fn what_did_not_leave_and_what_only_reads_did_not_happen() {
        let kinds = || {
            [
                FaultKind::OutOfTime,
                FaultKind::Ended("x".into()),
                FaultKind::Lost("x".to_owned()),
                status(500),
            ]
        };
        for kind in kinds() {
            let (_, outcome, retryable) = outcome_of(Operation::Write, kind, false);
            assert_eq!((outcome, retryable), (Outcome::NotApplied, true));
        }
        for kind in kinds() {
            let (_, outcome, retryable) = outcome_of(Operation::Read, kind, true);
            assert_eq!((outcome, retryable), (Outcome::NotApplied, true));
        }
    }

    #[test]
    fn the_words_of_a_server_are_cut() {
        let words = shorten(&"é".repeat(5_000));
        assert_eq!(words.chars().count(), MAX_MESSAGE_CHARS + 1);
        assert_eq!(format_wait(Duration::from_millis(1_234)), "1.2 s");
    }
}
