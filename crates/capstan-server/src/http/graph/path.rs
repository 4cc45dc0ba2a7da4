//! `/api/graph/path`: the most reliable path from one capability to another.

use axum::extract::State;
use serde_json::json;

use capstan_core::code::Node;

use crate::http::blocking::run_blocking;
use crate::http::error::ApiError;
use crate::http::query::Query;
use crate::http::relation_json;
use crate::http::response::ApiResponse;
use crate::http::state::ApiState;

pub(in crate::http) async fn show(
    State(api): State<ApiState>,
    mut query: Query,
) -> Result<ApiResponse, ApiError> {
    let from = query.take_required("from", "the id of the capability where the path starts")?;
    let to = query.take_required("to", "the id of the capability where the path ends")?;
    query.finish()?;
    api.capstan.check_policy("graph.path")?;
    let search = async move { api.capstan.discovery().graph_path(&from, &to).await };
    let path = run_blocking(search).await?;
    let nodes: Vec<_> = path.nodes.iter().map(Node::as_str).collect();
    let edges: Vec<_> = path.edges.iter().map(relation_json::graph_edge).collect();
    let cost = relation_json::round_to_4_decimals(path.cost);
    Ok(ApiResponse::ok(
        json!({"path": nodes, "cost": cost, "edges": edges}),
    ))
}
