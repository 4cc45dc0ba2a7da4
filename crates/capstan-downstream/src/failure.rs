//! What went wrong with a server, in the words and codes that callers know.

use std::time::Duration;

use capstan_core::card::Operation;
use capstan_core::port::Failure;
use capstan_core::{ErrorCode, Outcome, ResultError};
use rmcp::model::ErrorCode as RpcCode;

use crate::config::ServerName;
use crate::http::HttpFault;
use crate::line::{Fault, Kind, LARGEST_MESSAGE};

/// What is shown of the words of a server.
const LONGEST_WORDS: usize = 2_000;

/// Nobody of this name.
pub(crate) fn unknown_server(name: &str, known: &[String]) -> Failure {
    let name: String = name.chars().take(ServerName::MAX_LENGTH).collect();
    let known = if known.is_empty() {
        "none is configured".to_owned()
    } else {
        format!("known are `{}`", known.join("`, `"))
    };
    let message = format!("there is no server `{name}`: {known}");
    Failure::not_sent(ResultError::new(ErrorCode::NotFound, message))
}

/// A call that was not made because the server keeps failing.
pub(crate) fn backing_off(server: &ServerName, wait: Duration, why: &str) -> Failure {
    let message = format!(
        "the server `{server}` keeps failing and is started again in {} at the earliest: {why}",
        in_words(wait)
    );
    let mut failure = Failure::not_sent(ResultError::new(ErrorCode::Network, message));
    failure.retry_after = Some(wait);
    failure
}

/// The server did not get ready before the call's deadline.
pub(crate) fn still_starting(server: &ServerName) -> Failure {
    let message = format!("the server `{server}` is still starting: try again in a moment");
    Failure::not_sent(ResultError::new(ErrorCode::Network, message))
}

/// The server could not be started; why, in words.
pub(crate) fn not_started(server: &ServerName, code: ErrorCode, why: &str) -> Failure {
    let message = format!("the server `{server}` cannot be started: {}", cut(why));
    Failure::not_sent(ResultError::new(code, message))
}

/// A request that has no answer. Whether a write may have happened depends on whether it left.
pub(crate) fn of_fault(
    server: &ServerName,
    what: &str,
    operation: Operation,
    fault: &Fault,
) -> Failure {
    let refused = matches!(&fault.kind, Kind::Http(fault) if fault.is_refusal());
    let outcome = if operation == Operation::Read || !fault.left || refused {
        Outcome::NotApplied
    } else {
        Outcome::Unknown
    };
    let (code, words) = words(&fault.kind, fault.left);
    let message = format!("{what} of the server `{server}`: {}", cut(&words));
    let mut error = ResultError::new(code, message);
    // That it may have happened is said by whoever asked for it, of a lost answer of any kind.
    error.retryable &= outcome != Outcome::Unknown;
    let mut failure = Failure::new(error, outcome);
    failure.too_much = matches!(fault.kind, Kind::TooLarge | Kind::Http(HttpFault::TooLarge));
    if let Kind::Http(HttpFault::Status { retry_after, .. }) = &fault.kind {
        failure.retry_after = *retry_after;
    }
    failure
}

/// A tool that says itself that it failed. It may have done something before.
pub(crate) fn of_tool(
    server: &ServerName,
    what: &str,
    operation: Operation,
    words: &str,
) -> Failure {
    let message = format!("{what} of the server `{server}` failed: {}", cut(words));
    let outcome = match operation {
        Operation::Read => Outcome::NotApplied,
        Operation::Write => Outcome::Unknown,
    };
    Failure::new(ResultError::new(ErrorCode::Unknown, message), outcome)
}

/// A tool that wants more from us than a call.
pub(crate) fn unfinished(
    server: &ServerName,
    what: &str,
    operation: Operation,
    why: &str,
) -> Failure {
    let mut failure = of_tool(
        server,
        what,
        operation,
        &format!("{why}, which is not offered here"),
    );
    failure.error.code = ErrorCode::AdapterUnsupported;
    failure
}

/// The code of a server that cannot be reached by HTTP.
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

/// What to do about a server that says no over HTTP.
pub(crate) fn advice_of_http(fault: &HttpFault) -> &'static str {
    match fault {
        HttpFault::Status { status, .. } => match status {
            301..=308 => "; write its new address into `url`",
            401 | 403 => "; put what it wants, such as a token, into `headers`",
            404 | 405 | 410 => "; check the path of `url`",
            _ => "",
        },
        _ => "",
    }
}

fn words(kind: &Kind, left: bool) -> (ErrorCode, String) {
    match kind {
        Kind::OutOfTime if left => (
            ErrorCode::Network,
            "no answer within its time; the call was cancelled".to_owned(),
        ),
        Kind::OutOfTime => (
            ErrorCode::Network,
            "the server took nothing in within the time of the call".to_owned(),
        ),
        Kind::Ended(how) => (
            ErrorCode::Network,
            format!("the server is gone: {how}; the next call starts it again"),
        ),
        Kind::Refused(error) => {
            let code = match error.code {
                RpcCode::INVALID_PARAMS | RpcCode::INVALID_REQUEST => ErrorCode::Validation,
                RpcCode::METHOD_NOT_FOUND => ErrorCode::AdapterUnsupported,
                _ => ErrorCode::Unknown,
            };
            (code, error.message.to_string())
        }
        // Asking again would bring as much.
        Kind::TooLarge | Kind::Http(HttpFault::TooLarge) => (
            ErrorCode::Unknown,
            format!(
                "the answer is larger than {} MiB: ask for less",
                LARGEST_MESSAGE / 1024 / 1024
            ),
        ),
        Kind::Http(fault) => (
            code_of_http(fault),
            format!("{fault}{}", advice_of_http(fault)),
        ),
        Kind::Unwritten(why) | Kind::Lost(why) => (ErrorCode::Network, why.clone()),
    }
}

fn cut(words: &str) -> String {
    if words.chars().count() <= LONGEST_WORDS {
        return words.to_owned();
    }
    let mut cut: String = words.chars().take(LONGEST_WORDS).collect();
    cut.push('…');
    cut
}

/// A tenth of a second is as exact as anybody wants it.
fn in_words(wait: Duration) -> String {
    format!("{:.1} s", wait.as_secs_f64())
}

#[cfg(test)]
mod tests {
    use super::*;
    use rmcp::ErrorData;

    fn told(operation: Operation, kind: Kind, left: bool) -> (ErrorCode, Outcome, bool) {
        let server = ServerName::parse("x").unwrap();
        let failure = of_fault(&server, "the tool `t`", operation, &Fault { kind, left });
        (failure.error.code, failure.outcome, failure.error.retryable)
    }

    fn status(status: u16) -> Kind {
        Kind::Http(HttpFault::Status {
            status,
            retry_after: None,
            text: String::new(),
        })
    }

    /// Every way to fail, for a write that left.
    #[test]
    fn a_write_that_left_may_have_happened_unless_it_was_refused_at_the_door() {
        use ErrorCode::{
            AdapterUnsupported, Auth, Network, RateLimit, Server, Unknown, Validation,
        };
        use Outcome::NotApplied;
        let perhaps = |code| (code, Outcome::Unknown, false);
        let rpc = |code| Kind::Refused(ErrorData::new(code, "no", None));
        for (kind, expected) in [
            (Kind::OutOfTime, perhaps(Network)),
            (Kind::Ended("x".into()), perhaps(Network)),
            (Kind::Lost("x".to_owned()), perhaps(Network)),
            (Kind::TooLarge, perhaps(Unknown)),
            (rpc(RpcCode::INVALID_PARAMS), perhaps(Validation)),
            (rpc(RpcCode::INTERNAL_ERROR), perhaps(Unknown)),
            (
                Kind::Http(HttpFault::Broken("x".to_owned())),
                perhaps(Network),
            ),
            (status(500), perhaps(Server)),
            (status(404), perhaps(AdapterUnsupported)),
            (Kind::Http(HttpFault::Expired), (Network, NotApplied, true)),
            (
                Kind::Http(HttpFault::Unreachable("x".to_owned())),
                (Network, NotApplied, true),
            ),
            (status(401), (Auth, NotApplied, false)),
            (status(403), (Auth, NotApplied, false)),
            (status(429), (RateLimit, NotApplied, true)),
        ] {
            let what = format!("{kind:?}");
            assert_eq!(told(Operation::Write, kind, true), expected, "{what}");
        }
    }

    #[test]
    fn what_did_not_leave_and_what_only_reads_did_not_happen() {
        let kinds = || {
            [
                Kind::OutOfTime,
                Kind::Ended("x".into()),
                Kind::Lost("x".to_owned()),
                status(500),
            ]
        };
        for kind in kinds() {
            let (_, outcome, retryable) = told(Operation::Write, kind, false);
            assert_eq!((outcome, retryable), (Outcome::NotApplied, true));
        }
        for kind in kinds() {
            let (_, outcome, retryable) = told(Operation::Read, kind, true);
            assert_eq!((outcome, retryable), (Outcome::NotApplied, true));
        }
    }

    #[test]
    fn the_words_of_a_server_are_cut() {
        let words = cut(&"é".repeat(5_000));
        assert_eq!(words.chars().count(), LONGEST_WORDS + 1);
        assert_eq!(in_words(Duration::from_millis(1_234)), "1.2 s");
    }
}
