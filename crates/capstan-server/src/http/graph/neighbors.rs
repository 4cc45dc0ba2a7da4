//! `/api/graph/neighbors`: the capabilities around one, nearest first.

use std::sync::Arc;

use axum::extract::State;
use serde_json::{Value, json};

use capstan_engine::{Around, Capstan, Neighbor};

use crate::http::blocking::run_blocking;
use crate::http::error::ApiError;
use crate::http::query::Query;
use crate::http::relation_json;
use crate::http::response::ApiResponse;
use crate::http::state::ApiState;

/// How many neighbors a response has unless `limit` says otherwise.
const DEFAULT_LIMIT: usize = 50;
const MAX_LIMIT: usize = 1000;
/// The largest distance that `depth` may ask for.
const MAX_DEPTH: usize = 10;

pub(in crate::http) async fn show(
    State(api): State<ApiState>,
    mut query: Query,
) -> Result<ApiResponse, ApiError> {
    let capability = query.take_required("capability", "the id of a capability")?;
    let direction = query.take_direction()?;
    let kinds = query.take_list(&["type", "edge_type"])?;
    let depth = query.take_number("depth", 1..=MAX_DEPTH)?.unwrap_or(1);
    let limit = query.take_number("limit", 1..=MAX_LIMIT)?;
    let limit = limit.unwrap_or(DEFAULT_LIMIT);
    query.finish()?;
    api.capstan.check_policy("graph.neighbors")?;
    let (capstan, name) = (Arc::clone(&api.capstan), capability.clone());
    let search = async move {
        let around = Around {
            direction,
            kinds: &kinds,
            depth: u32::try_from(depth).unwrap_or(u32::MAX),
            // One more than asked for, to see whether there are more.
            limit: limit + 1,
        };
        capstan.discovery().graph_neighbors(&name, &around).await
    };
    let found = run_blocking(search).await?;
    // Relations show the full names of both ends, so the capability is shown by its full name too.
    let node = api.capstan.discovery().node(&capability).await;
    let full_name = node.map_or(capability, |node| node.to_string());
    let rows = found.iter().take(limit).map(|it| row(&api.capstan, it));
    let content = json!({
        "capability_id": full_name,
        "neighbors": rows.collect::<Vec<_>>(),
        "has_more": found.len() > limit,
    });
    Ok(ApiResponse::ok(content))
}

fn row(capstan: &Capstan, neighbor: &Neighbor) -> Value {
    json!({
        "id": neighbor.node.as_str(),
        "kind": capstan.discovery().kind_of(&neighbor.node),
        "distance": neighbor.distance,
        "via": relation_json::graph_edge(&neighbor.via),
    })
}
