//! Failures over HTTP: refusals, answers that break off or make no sense, and no answer at all.

use capstan_core::port::Failure;
use capstan_core::{ErrorCode, Outcome};

use super::failure::{plain, with_head, words_of_limit};
use super::table::{self, Cut, Fault, Verdict};
use super::{Head, wait};
use crate::message;

/// An HTTP status that is not a success. `body` is what could be read of it.
pub(crate) fn refusal(head: &Head, body: &[u8]) -> Failure {
    let said = message::of_body(body);
    let words = said.as_deref().unwrap_or_default();
    let verdict = limited(head, words)
        .unwrap_or_else(|| table::refined(table::status(head.status.as_u16()), words));
    let text = said.unwrap_or_else(|| message::of_status(head.status));
    with_head(verdict, text, head)
}

/// A refusal whose body broke off: its status counts, but it proves nothing about a write.
pub(crate) fn cut_refusal(head: &Head) -> Failure {
    let mut failure = refusal(head, b"");
    failure.outcome = Outcome::Unknown;
    failure
}

/// The body of a success could not be read whole.
pub(crate) fn cut_success(head: &Head, cut: Cut, outcome: Outcome) -> Failure {
    with_head(
        Verdict {
            outcome,
            ..table::cut(cut)
        },
        message::of_cut(cut),
        head,
    )
}

/// A success whose body is not what GitHub promises.
pub(crate) fn nonsense(head: &Head, what: &str, outcome: Outcome) -> Failure {
    let verdict = Verdict {
        outcome,
        ..table::NONSENSE
    };
    with_head(verdict, what.to_owned(), head)
}

/// An answer that points elsewhere and is not followed.
pub(crate) fn redirect(head: &Head, why: String) -> Failure {
    with_head(table::redirect(head.status.as_u16()), why, head)
}

/// A redirect that nobody followed. What its address says in its query is not shown.
pub(crate) fn moved(head: &Head) -> Failure {
    let why = match head.header("location").map(message::of_address) {
        Some(target) => format!("it has moved to `{target}`, and nothing was sent there"),
        None => message::of_status(head.status),
    };
    redirect(head, why)
}

/// Nothing answers at the GraphQL address; what is missing inside GraphQL is never a 404.
pub(crate) fn no_graphql(head: &Head) -> Failure {
    let what = "there is no GraphQL API at the configured address";
    with_head(table::NO_GRAPHQL, what.to_owned(), head)
}

/// No answer at all. `sent` says whether the request may have left.
pub(crate) fn transport(fault: Fault, sent: bool, host: &str) -> Failure {
    plain(
        table::transport(fault, sent),
        message::of_fault(fault, host),
    )
}

/// The request cannot be sent as it is.
pub(crate) fn unsendable(code: ErrorCode, why: impl Into<String>) -> Failure {
    plain(table::refused(code), why.into())
}

/// Rate limits come with many statuses; only GitHub's headers and words tell them apart.
fn limited(head: &Head, said: &str) -> Option<Verdict> {
    let refused = matches!(head.status.as_u16(), 403 | 429);
    let by_headers = refused
        && head.header("x-github-sso").is_none()
        && (head.header("retry-after").is_some() || wait::budget_is_spent(head));
    if by_headers || head.status.as_u16() == 429 {
        return Some(table::refused(ErrorCode::RateLimit));
    }
    head.status
        .is_client_error()
        .then(|| words_of_limit(said))
        .flatten()
}
