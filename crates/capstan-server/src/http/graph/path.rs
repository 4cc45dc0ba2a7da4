//! `/api/graph/path`: the surest way from one to another.

use axum::extract::State;
use serde_json::json;

use capstan_core::code::Node;

use crate::http::answer::Answer;
use crate::http::api::Api;
use crate::http::aside::aside;
use crate::http::failure::Failure;
use crate::http::query::Query;
use crate::http::view;

pub(in crate::http) async fn show(
    State(api): State<Api>,
    mut query: Query,
) -> Result<Answer, Failure> {
    let from = query.required("from", "where the way begins, the id of a capability")?;
    let to = query.required("to", "where the way ends, the id of a capability")?;
    query.finish()?;
    api.capstan.check_policy("graph.path")?;
    let path = aside(async move { api.capstan.discovery().graph_path(&from, &to).await }).await?;
    let nodes: Vec<_> = path.nodes.iter().map(Node::as_str).collect();
    let edges: Vec<_> = path.edges.iter().map(view::relation).collect();
    let cost = view::rounded(path.cost);
    Ok(Answer::ok(
        json!({"path": nodes, "cost": cost, "edges": edges}),
    ))
}
