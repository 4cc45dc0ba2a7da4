//! What an error tells beside its message: enough to act on or to report, never a secret.

use std::time::Duration;

use capstan_core::{ErrorCode, ResultError};

use super::Head;

pub(super) fn add(error: &mut ResultError, head: &Head, retry_after: Option<Duration>) {
    let details = &mut error.details;
    details.insert("status".to_owned(), head.status.as_u16().into());
    if let Some(id) = head.header("x-github-request-id") {
        details.insert("request_id".to_owned(), id.into());
    }
    if let Some(wait) = retry_after {
        details.insert("retry_after_s".to_owned(), wait.as_secs().into());
    }
    // A token without the scope is told that the thing does not exist.
    if matches!(error.code, ErrorCode::Auth | ErrorCode::NotFound) {
        for (key, header) in [
            ("scopes_needed", "x-accepted-oauth-scopes"),
            ("scopes_given", "x-oauth-scopes"),
            ("permissions_needed", "x-accepted-github-permissions"),
        ] {
            if let Some(scopes) = head.header(header).filter(|scopes| !scopes.is_empty()) {
                details.insert(key.to_owned(), scopes.into());
            }
        }
    }
    if head.header("x-github-sso").is_some() {
        details.insert("sso".to_owned(), "required".into());
    }
}
