//! Adds details to an error beside its message: what helps to act on it or to report it, never a
//! secret.

use capstan_core::ErrorCode;
use capstan_core::port::{Fact, Failure};

use super::Head;

/// Adds the details that the head of an answer carries.
pub(super) fn add(failure: &mut Failure, head: &Head) {
    failure.write_detail(Fact::Status);
    if let Some(id) = head.header("x-github-request-id") {
        let details = &mut failure.error.details;
        details.insert("request_id".to_owned(), id.into());
    }
    failure.write_detail(Fact::RetryAfter);
    let error = &mut failure.error;
    let details = &mut error.details;
    // GitHub answers "not found" to a token that lacks the scope.
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
