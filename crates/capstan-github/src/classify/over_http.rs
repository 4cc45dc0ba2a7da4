//! Classifies failures over HTTP: refusals, truncated or invalid answers, and missing answers.

use capstan_core::port::{Failure, Verdict};
use capstan_core::{ErrorCode, Outcome};
use capstan_http::{BodyError, TransportFault};

use super::failure::{rate_limit_verdict, with_head};
use super::table;
use super::{Head, wait};
use crate::message;

/// Classifies an HTTP status that is not a success. `body` is the part that could be read.
pub(crate) fn refusal(head: &Head, body: &[u8]) -> Failure {
    let message = message::from_body(body);
    let words = message.as_deref().unwrap_or_default();
    let verdict = rate_limit_verdict_on(head, words)
        .unwrap_or_else(|| table::reclassified(table::status(head.status.as_u16()), words));
    let text = message.unwrap_or_else(|| message::for_status(head.status));
    with_head(verdict, text, head)
}

/// Classifies a refusal whose body is truncated. Its status counts, but it proves nothing about a
/// write.
pub(crate) fn truncated_refusal(head: &Head) -> Failure {
    let mut failure = refusal(head, b"");
    failure.outcome = Outcome::Unknown;
    failure
}

/// Classifies a success whose body could not be read completely.
pub(crate) fn truncated_success(head: &Head, error: BodyError, outcome: Outcome) -> Failure {
    with_head(
        Verdict {
            outcome,
            ..table::body_error(error)
        },
        error.to_string(),
        head,
    )
}

/// Classifies a success whose body is not in the format that GitHub documents.
pub(crate) fn invalid_body(head: &Head, what: &str, outcome: Outcome) -> Failure {
    let verdict = Verdict {
        outcome,
        ..table::INVALID_BODY
    };
    with_head(verdict, what.to_owned(), head)
}

/// Classifies a redirect that is not followed.
pub(crate) fn redirect(head: &Head, why: String) -> Failure {
    with_head(table::redirect(head.status.as_u16()), why, head)
}

/// Classifies a redirect that was not followed. The message leaves out the query of its target.
pub(crate) fn unfollowed_redirect(head: &Head) -> Failure {
    let why = match head.header("location").map(message::without_secrets) {
        Some(target) => format!("it has moved to `{target}`, and nothing was sent there"),
        None => message::for_status(head.status),
    };
    redirect(head, why)
}

/// Classifies the refusal of another host to which GitHub had sent us for a file. Its own words are not GitHub's.
pub(crate) fn gone(head: &Head) -> Failure {
    let status = head.status.as_u16();
    let code = match status {
        500.. => ErrorCode::Server,
        _ => ErrorCode::NotFound,
    };
    let message =
        format!("the file cannot be read: the host that stores it answered with status {status}");
    with_head(Verdict::refused(code), message, head)
}

/// Classifies a 404 at the GraphQL address: there is no API. GraphQL itself never answers 404 for a
/// missing object.
pub(crate) fn graphql_missing(head: &Head) -> Failure {
    let what = "there is no GraphQL API at the configured address";
    with_head(table::GRAPHQL_MISSING, what.to_owned(), head)
}

/// Classifies a request without an answer. `sent` says whether the request may have been sent.
pub(crate) fn transport(fault: TransportFault, sent: bool, host: &str) -> Failure {
    table::transport(fault, sent).failure(fault.describe(host))
}

/// Classifies a request that cannot be sent as it is.
pub(crate) fn unsendable(code: ErrorCode, why: impl Into<String>) -> Failure {
    Verdict::refused(code).failure(why)
}

/// Recognizes rate limits. They come with several statuses; only GitHub's headers and wording
/// distinguish them.
fn rate_limit_verdict_on(head: &Head, message: &str) -> Option<Verdict> {
    let refused = matches!(head.status.as_u16(), 403 | 429);
    let by_headers = refused
        && head.header("x-github-sso").is_none()
        && (head.header("retry-after").is_some() || wait::budget_is_spent(head));
    if by_headers || head.status.as_u16() == 429 {
        return Some(Verdict::refused(ErrorCode::RateLimit));
    }
    head.status
        .is_client_error()
        .then(|| rate_limit_verdict(message))
        .flatten()
}
