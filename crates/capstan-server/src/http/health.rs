//! `/health`: whether anybody is there. It is asked without a token.

use serde_json::json;

use super::answer::Answer;
use super::failure::Failure;
use super::query::Query;

pub(super) const PATH: &str = "/health";

pub(super) async fn show(query: Query) -> Result<Answer, Failure> {
    query.finish()?;
    Ok(Answer::ok(json!({"ok": true})))
}
