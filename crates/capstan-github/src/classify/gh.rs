//! Classifies failures of `gh` as a process.

use capstan_core::ErrorCode;
use capstan_core::port::{Failure, Verdict};
use capstan_http::BodyError;
use http::HeaderMap;

use super::failure::{rate_limit_verdict, with_head};
use super::table;
use super::{Head, wait};
use crate::message;

/// Classifies an exit of `gh` that printed no HTTP answer.
pub(crate) fn gh_exit(exit: Option<i32>, stderr: &str) -> Failure {
    let message = message::from_stderr(stderr);
    if exit == Some(table::GH_NOT_LOGGED_IN) {
        return Verdict::refused(ErrorCode::Auth).failure(message);
    }
    if let Some(status) = message::status_in(stderr) {
        let verdict = rate_limit_verdict(&message)
            .unwrap_or_else(|| table::reclassified(table::status(status.as_u16()), &message));
        let head = Head {
            status,
            headers: HeaderMap::new(),
        };
        return with_head(verdict, message, &head);
    }
    let graphql = stderr.trim_start().starts_with("GraphQL:");
    let verdict = (!graphql)
        .then(|| table::words(&table::GH_WORDS, stderr))
        .flatten()
        .or_else(|| table::words(&table::GITHUB_WORDS, stderr))
        .unwrap_or(table::UNKNOWN);
    let limits_login = wait::limits_login(verdict.code, None, &message);
    let failure = verdict.failure(message);
    let retry_after = wait::without_headers(verdict.code);
    Failure {
        retry_after,
        limits_login,
        ..failure
    }
}

/// Classifies a `gh` that was stopped because it ran out of time or printed too much.
pub(crate) fn gh_stopped(error: BodyError) -> Failure {
    table::body_error(error).failure(error.to_string())
}

/// Classifies a `gh` that succeeded but did not print JSON.
pub(crate) fn gh_not_json() -> Failure {
    let what = "the output of `gh` is not JSON";
    table::GH_NOT_JSON.failure(what)
}
