//! `If-Match`: a relation is changed only while it is what the caller has seen.

use axum::http::StatusCode;
use axum::http::header::{HeaderMap, IF_MATCH};

use capstan_core::ErrorCode;

use super::api::Api;
use super::dependencies;
use super::failure::Failure;
use super::finish::etag_of;

/// Compares with the validator that `GET` of the relation has now. `*` means that there is one.
pub(super) async fn check(
    api: &Api,
    headers: &HeaderMap,
    from: &str,
    to: &str,
) -> Result<(), Failure> {
    if !headers.contains_key(IF_MATCH) {
        return Ok(());
    }
    let problem = match api.capstan.discovery().relation(from, to).await {
        Ok((edge, observed)) => {
            let now = etag_of(api, dependencies::content(&edge, &observed));
            if now.is_meant_by(headers) {
                return Ok(());
            }
            "the relation is not what it was: get it again, and decide anew"
        }
        Err(error) if error.code == ErrorCode::NotFound => "there is no such relation",
        Err(error) => return Err(error.into()),
    };
    let message = format!("`If-Match` does not hold: {problem}");
    let status = StatusCode::PRECONDITION_FAILED;
    Err(Failure::new(status, ErrorCode::Conflict, message))
}
