//! What a failure means: one place decides its code, whether repeating it can help, whether a
//! write may have happened, and how long to wait.
//!
//! `table` holds the facts; the functions here look at structure first (status, headers,
//! `type`, `extensions.code`, exit code) and at words last.

mod details;
mod graphql;
mod table;
#[cfg(test)]
mod tests;
mod wait;

pub(crate) use graphql::{failure_of_errors, partial_errors};
pub(crate) use table::{Cut, Fault};

use capstan_core::port::Failure;
use capstan_core::{ErrorCode, Outcome, ResultError};
use http::{HeaderMap, StatusCode};

use crate::message;
use table::Verdict;

/// Status and headers of an answer, wherever it came from.
#[derive(Clone, Debug)]
pub(crate) struct Head {
    pub(crate) status: StatusCode,
    pub(crate) headers: HeaderMap,
}

impl Head {
    fn header(&self, name: &str) -> Option<&str> {
        self.headers.get(name)?.to_str().ok().map(str::trim)
    }
}

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

/// `gh` failed without showing an HTTP answer.
pub(crate) fn gh_exit(exit: Option<i32>, stderr: &str) -> Failure {
    let said = message::of_stderr(stderr);
    if exit == Some(table::GH_NOT_LOGGED_IN) {
        return plain(table::refused(ErrorCode::Auth), said);
    }
    if let Some(status) = message::status_in(stderr) {
        let verdict = words_of_limit(&said)
            .unwrap_or_else(|| table::refined(table::status(status.as_u16()), &said));
        let head = Head {
            status,
            headers: HeaderMap::new(),
        };
        return with_head(verdict, said, &head);
    }
    let graphql = stderr.trim_start().starts_with("GraphQL:");
    let verdict = (!graphql)
        .then(|| table::words(&table::GH_WORDS, stderr))
        .flatten()
        .or_else(|| table::words(&table::GITHUB_WORDS, stderr))
        .unwrap_or(table::UNKNOWN);
    let limits_host = wait::is_of_host(verdict.code, None, &said);
    let failure = plain(verdict, said);
    let retry_after = wait::without_headers(verdict.code);
    Failure {
        retry_after,
        limits_host,
        ..failure
    }
}

/// `gh` was stopped: it ran out of time, or said too much.
pub(crate) fn gh_cut(cut: Cut) -> Failure {
    plain(table::cut(cut), message::of_cut(cut))
}

/// `gh` succeeded, and what it printed is not JSON.
pub(crate) fn gh_text() -> Failure {
    let what = "what `gh` printed is not JSON";
    plain(table::GH_TEXT, what.to_owned())
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

fn words_of_limit(said: &str) -> Option<Verdict> {
    table::words(&table::GITHUB_WORDS, said).filter(|verdict| verdict.code == ErrorCode::RateLimit)
}

fn with_head(verdict: Verdict, text: String, head: &Head) -> Failure {
    let retry_after = wait::of(verdict.code, head);
    let limits_host = wait::is_of_host(verdict.code, Some(head), &text);
    let mut failure = Failure {
        status: Some(head.status.as_u16()),
        retry_after,
        limits_host,
        ..plain(verdict, text)
    };
    details::add(&mut failure, head);
    failure
}

fn plain(verdict: Verdict, text: String) -> Failure {
    let mut error = ResultError::new(verdict.code, text);
    error.retryable = verdict.retryable;
    Failure {
        too_much: verdict.too_much,
        ..Failure::new(error, verdict.outcome)
    }
}
