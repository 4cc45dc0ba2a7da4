//! `/api/capabilities`: lists all capabilities with the number of relations of each.

use std::sync::Arc;

use axum::extract::State;
use futures_util::future::try_join_all;
use serde_json::{Value, json};

use capstan_core::ResultError;
use capstan_core::card::Kind;
use capstan_core::code::{Fqdn, Node};
use capstan_engine::{Hit, SearchRequest};

use super::blocking::run_blocking;
use super::error::ApiError;
use super::query::Query;
use super::response::ApiResponse;
use super::state::ApiState;

/// How many capabilities a response has unless `limit` says otherwise.
const DEFAULT_LIMIT: usize = 50;
const MAX_LIMIT: usize = 200;

pub(super) async fn list(
    State(api): State<ApiState>,
    mut query: Query,
) -> Result<ApiResponse, ApiError> {
    let request = SearchRequest {
        domain: query.take_text("domain")?,
        kind: query.take_one_of("kind", &Kind::ALL, Kind::as_str)?,
        ..SearchRequest::default()
    };
    let range = query.take_row_range(DEFAULT_LIMIT, MAX_LIMIT)?;
    query.finish()?;
    let capstan = Arc::clone(&api.capstan);
    let search = async move { Ok(capstan.discovery().search(&request).await) };
    let (hits, warnings) = run_blocking(search).await?;
    let (selected, next_offset) = range.select(&hits);
    let rows = try_join_all(selected.iter().map(|hit| row(&api, hit))).await?;
    let mut content = json!({"capabilities": rows, "total": hits.len()});
    if let Some(next_offset) = next_offset {
        content["next_offset"] = next_offset.into();
    }
    if !warnings.is_empty() {
        content["warnings"] = warnings.into();
    }
    Ok(ApiResponse::ok(content))
}

async fn row(api: &ApiState, hit: &Hit) -> Result<Value, ResultError> {
    // Relations of code are stored under its fully qualified name.
    let fqdn = hit.fqdn.as_deref();
    let node = match fqdn.and_then(|fqdn| Fqdn::parse(fqdn).ok()) {
        Some(fqdn) => Node::Code(fqdn),
        None => Node::Named(hit.id.clone()),
    };
    let count = if api.capstan.services().store.is_some() {
        api.capstan.discovery().count_relations(&node).await?
    } else {
        0
    };
    let mut row = json!({
        "id": hit.id,
        "kind": hit.kind,
        "description": hit.description,
        "operation": hit.operation,
        "dependencies_count": count,
    });
    if let Some(fqdn) = fqdn {
        row["fqdn"] = fqdn.into();
    }
    Ok(row)
}
