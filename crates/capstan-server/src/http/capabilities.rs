//! `/api/capabilities`: everything that can be run, and how many relations each has.

use std::sync::Arc;

use axum::extract::State;
use futures_util::future::try_join_all;
use serde_json::{Value, json};

use capstan_core::ResultError;
use capstan_core::card::Kind;
use capstan_core::code::{Fqdn, Node};
use capstan_engine::{Hit, SearchRequest};

use super::answer::Answer;
use super::api::Api;
use super::aside::aside;
use super::failure::Failure;
use super::query::Query;

const FEW: usize = 50;
const MOST: usize = 200;

pub(super) async fn list(State(api): State<Api>, mut query: Query) -> Result<Answer, Failure> {
    let wanted = SearchRequest {
        domain: query.text("domain")?,
        kind: query.word("kind", &Kind::ALL, Kind::as_str)?,
        ..SearchRequest::default()
    };
    let rows = query.rows(FEW, MOST)?;
    query.finish()?;
    let capstan = Arc::clone(&api.capstan);
    let found = aside(async move { Ok(capstan.discovery().search(&wanted).await) });
    let (hits, warnings) = found.await?;
    let (shown, next) = rows.of(&hits);
    let shown = try_join_all(shown.iter().map(|hit| row(&api, hit))).await?;
    let mut content = json!({"capabilities": shown, "total": hits.len()});
    if let Some(next) = next {
        content["next_offset"] = next.into();
    }
    if !warnings.is_empty() {
        content["warnings"] = warnings.into();
    }
    Ok(Answer::ok(content))
}

async fn row(api: &Api, hit: &Hit) -> Result<Value, ResultError> {
    // Relations of code are of its full name.
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
