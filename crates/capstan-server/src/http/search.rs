//! `/api/search`: finds capabilities by what they do.

use axum::extract::State;
use serde_json::{Value, json};

use capstan_core::card::Kind;
use capstan_core::code::LONGEST_INTENT;
use capstan_engine::{HitWithDeps, MAX_HITS, SearchRequest};

use super::blocking::run_blocking;
use super::error::ApiError;
use super::query::Query;
use super::relation_json::round_to_4_decimals;
use super::response::ApiResponse;
use super::state::ApiState;

/// How many capabilities a response has unless `limit` says otherwise.
const DEFAULT_LIMIT: usize = 10;

pub(super) async fn find(
    State(api): State<ApiState>,
    mut query: Query,
) -> Result<ApiResponse, ApiError> {
    let given_intent = query.take_short_text(&["q", "intent"], LONGEST_INTENT)?;
    let Some(intent) = given_intent.filter(|intent| !intent.trim().is_empty()) else {
        return Err(query.problem("q", "is missing: expected what you want to do, in words"));
    };
    let request = SearchRequest {
        intent: Some(intent.clone()),
        domain: query.take_text("domain")?,
        kind: query.take_one_of("kind", &Kind::ALL, Kind::as_str)?,
        with_generated: true,
    };
    let limit = query.take_number("limit", 1..=MAX_HITS)?;
    let limit = limit.unwrap_or(DEFAULT_LIMIT);
    let deps = query.take_one_of(
        "deps",
        &[true, false],
        |it| if it { "true" } else { "false" },
    )?;
    let with_deps = deps.unwrap_or(true);
    query.finish()?;
    let search = async move {
        let discovery = api.capstan.discovery();
        Ok(discovery.search_by_intent_with_deps(&request, limit).await)
    };
    let found = run_blocking(search).await?;
    let rows: Vec<_> = found.hits.iter().map(|it| row(it, with_deps)).collect();
    let mut content = json!({"query": intent, "capabilities": rows, "total": found.total});
    if !found.warnings.is_empty() {
        content["warnings"] = found.warnings.into();
    }
    Ok(ApiResponse::ok(content))
}

fn row(found: &HitWithDeps, with_deps: bool) -> Value {
    let HitWithDeps { hit, dependencies } = found;
    let mut row = json!({
        "id": hit.id,
        "kind": hit.kind,
        "description": hit.description,
        "operation": hit.operation,
        "score": round_to_4_decimals(hit.score),
    });
    if let Some(why) = &hit.why {
        row["why"] = why.as_str().into();
    }
    if let Some(reliability) = hit.reliability {
        row["reliability"] = round_to_4_decimals(reliability).into();
    }
    if with_deps && !dependencies.is_empty() {
        row["dependencies"] = dependencies.clone().into();
    }
    row
}
