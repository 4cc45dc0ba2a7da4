//! `/api/graph/neighbors`: what is around a capability, nearest first.

use std::sync::Arc;

use axum::extract::State;
use serde_json::{Value, json};

use capstan_engine::{Around, Capstan, Neighbor};

use crate::http::answer::Answer;
use crate::http::api::Api;
use crate::http::aside::aside;
use crate::http::failure::Failure;
use crate::http::query::Query;
use crate::http::view;

const FEW: usize = 50;
const MOST: usize = 1000;
const DEEPEST: usize = 10;

pub(in crate::http) async fn show(
    State(api): State<Api>,
    mut query: Query,
) -> Result<Answer, Failure> {
    let capability = query.required("capability", "the id of the one in the middle")?;
    let direction = query.direction()?;
    let kinds = query.list(&["type", "edge_type"])?;
    let depth = query.number("depth", 1..=DEEPEST)?.unwrap_or(1);
    let limit = query.number("limit", 1..=MOST)?.unwrap_or(FEW);
    query.finish()?;
    api.capstan.check_policy("graph.neighbors")?;
    let (capstan, name) = (Arc::clone(&api.capstan), capability.clone());
    let found = aside(async move {
        let around = Around {
            direction,
            kinds: &kinds,
            depth: u32::try_from(depth).unwrap_or(u32::MAX),
            // One more tells whether there are more.
            limit: limit + 1,
        };
        capstan.discovery().graph_neighbors(&name, &around).await
    });
    let found = found.await?;
    // The ends of relations have full names, so this has too.
    let own = api.capstan.discovery().node(&capability).await;
    let capability = own.map_or(capability, |node| node.to_string());
    let shown = found.iter().take(limit).map(|it| row(&api.capstan, it));
    let content = json!({
        "capability_id": capability,
        "neighbors": shown.collect::<Vec<_>>(),
        "has_more": found.len() > limit,
    });
    Ok(Answer::ok(content))
}

fn row(capstan: &Capstan, found: &Neighbor) -> Value {
    json!({
        "id": found.node.as_str(),
        "kind": capstan.discovery().kind_of(&found.node),
        "distance": found.distance,
        "via": view::relation(&found.via),
    })
}
