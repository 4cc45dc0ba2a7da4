//! `If-Match`: changes a relation only if it is still the version that the client has seen.

use axum::http::StatusCode;
use axum::http::header::{HeaderMap, IF_MATCH};

use capstan_core::ErrorCode;

use super::dependencies;
use super::error::ApiError;
use super::finish::json_etag;
use super::state::ApiState;

/// Compares `If-Match` with the ETag that `GET` of the relation would return now. `*` matches any
/// relation that exists. Without the header, every state is accepted.
pub(super) async fn check_if_match(
    api: &ApiState,
    headers: &HeaderMap,
    from: &str,
    to: &str,
) -> Result<(), ApiError> {
    if !headers.contains_key(IF_MATCH) {
        return Ok(());
    }
    let problem = match api.capstan.discovery().relation(from, to).await {
        Ok((edge, observed)) => {
            let current = json_etag(api, dependencies::relation_content(&edge, &observed));
            if current.matches_if_match(headers) {
                return Ok(());
            }
            "the relation has changed; get it again and retry with its new ETag"
        }
        Err(error) if error.code == ErrorCode::NotFound => "there is no such relation",
        Err(error) => return Err(error.into()),
    };
    let message = format!("`If-Match` does not match: {problem}");
    let status = StatusCode::PRECONDITION_FAILED;
    Err(ApiError::new(status, ErrorCode::Conflict, message))
}
