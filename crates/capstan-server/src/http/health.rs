//! `/health`: says that the server runs. It needs no token.

use serde_json::json;

use super::error::ApiError;
use super::query::Query;
use super::response::ApiResponse;

pub(super) const PATH: &str = "/health";

pub(super) async fn show(query: Query) -> Result<ApiResponse, ApiError> {
    query.finish()?;
    Ok(ApiResponse::ok(json!({"ok": true})))
}
