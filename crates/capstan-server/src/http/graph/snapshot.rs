//! `/api/graph/snapshot`: the graph in pages.

use std::sync::Arc;

use axum::extract::State;
use axum::http::HeaderMap;

use super::graph_query::GraphQuery;
use super::snapshot_json::snapshot_content;
use crate::http::blocking::run_blocking;
use crate::http::error::ApiError;
use crate::http::etag::ETag;
use crate::http::query::Query;
use crate::http::response::ApiResponse;
use crate::http::state::ApiState;

/// The capability whose policy applies to the whole graph.
pub(super) const POLICY_NAME: &str = "graph.snapshot";

/// Shows a page. A page depends only on the graph, the query and the catalog, so its ETag is known
/// without building it, and a client whose copy is current gets 304 at once.
pub(in crate::http) async fn show(
    State(api): State<ApiState>,
    headers: HeaderMap,
    mut query: Query,
) -> Result<ApiResponse, ApiError> {
    let graph_query = GraphQuery::take(&mut query)?;
    query.finish()?;
    api.capstan.check_policy(POLICY_NAME)?;
    let etag = page_etag(&api, &graph_query).await?;
    if etag.matches_if_none_match(&headers) {
        return Ok(ApiResponse::not_modified(etag));
    }
    let (capstan, selected) = (Arc::clone(&api.capstan), graph_query.clone());
    let content = run_blocking(async move {
        let GraphQuery { filter, page } = &selected;
        let snapshot = capstan.discovery().graph_snapshot(filter, page).await?;
        Ok(snapshot_content(&capstan, &snapshot))
    });
    let response = ApiResponse::ok(content.await?);
    // If the graph changed meanwhile, the ETag may not fit: it is then computed from the body.
    Ok(if page_etag(&api, &graph_query).await? == etag {
        response.with_etag(etag)
    } else {
        response
    })
}

async fn page_etag(api: &ApiState, graph_query: &GraphQuery) -> Result<ETag, ApiError> {
    let graph = api.capstan.discovery().graph_digest().await?;
    let query = graph_query.cache_key();
    let parts = [graph.as_bytes(), query.as_bytes(), api.catalog_digest()];
    Ok(ETag::from_parts(&parts))
}
