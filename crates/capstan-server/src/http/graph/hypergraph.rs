//! `/api/graph/hypergraph`: the graph with zones. A zone groups the capabilities that a skill, code or
//! another capability contains.

use axum::extract::State;

use super::graph_query::GraphQuery;
use super::snapshot::POLICY_NAME;
use super::snapshot_json::snapshot_content;
use crate::http::blocking::run_blocking;
use crate::http::error::ApiError;
use crate::http::query::Query;
use crate::http::response::ApiResponse;
use crate::http::state::ApiState;

pub(in crate::http) async fn show(
    State(api): State<ApiState>,
    mut query: Query,
) -> Result<ApiResponse, ApiError> {
    let graph_query = GraphQuery::take(&mut query)?;
    query.finish()?;
    api.capstan.check_policy(POLICY_NAME)?;
    let content = run_blocking(async move {
        let GraphQuery { filter, page } = &graph_query;
        let found = api.capstan.discovery().hypergraph(filter, page).await?;
        let mut content = snapshot_content(&api.capstan, &found.snapshot);
        content["zones"] = serde_json::to_value(&found.zones).unwrap_or_default();
        content["digest"] = found.digest.into();
        Ok(content)
    });
    Ok(ApiResponse::ok(content.await?))
}
