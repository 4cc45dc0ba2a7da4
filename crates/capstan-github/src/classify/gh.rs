//! Failures of `gh` as a process.

use capstan_core::ErrorCode;
use capstan_core::port::Failure;
use http::HeaderMap;

use super::failure::{plain, with_head, words_of_limit};
use super::table::{self, Cut};
use super::{Head, wait};
use crate::message;

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
