//! `/api/search`: capabilities by what they do.

use axum::extract::State;
use serde_json::{Value, json};

use capstan_core::card::Kind;
use capstan_core::code::LONGEST_INTENT;
use capstan_engine::{HitWithDeps, MAX_HITS, SearchRequest};

use super::answer::Answer;
use super::api::Api;
use super::aside::aside;
use super::failure::Failure;
use super::query::Query;
use super::view;

const FEW: usize = 10;

pub(super) async fn find(State(api): State<Api>, mut query: Query) -> Result<Answer, Failure> {
    let intent = query.short(&["q", "intent"], LONGEST_INTENT)?;
    let Some(intent) = intent.filter(|intent| !intent.trim().is_empty()) else {
        return Err(query.refuse("q", "is missing: expected what is to be done, in words"));
    };
    let wanted = SearchRequest {
        intent: Some(intent),
        domain: query.text("domain")?,
        kind: query.word("kind", &Kind::ALL, Kind::as_str)?,
    };
    let limit = query.number("limit", 1..=MAX_HITS)?.unwrap_or(FEW);
    let with_deps = query.word(
        "deps",
        &[true, false],
        |it| if it { "true" } else { "false" },
    )?;
    let with_deps = with_deps.unwrap_or(true);
    query.finish()?;
    let intent = wanted.intent.clone();
    let found = aside(async move {
        let found = api
            .capstan
            .discovery()
            .search_by_intent_with_deps(&wanted, limit);
        Ok(found.await)
    });
    let found = found.await?;
    let shown: Vec<_> = found.hits.iter().map(|it| row(it, with_deps)).collect();
    let mut content = json!({"query": intent, "capabilities": shown, "total": found.total});
    if !found.warnings.is_empty() {
        content["warnings"] = found.warnings.into();
    }
    Ok(Answer::ok(content))
}

fn row(found: &HitWithDeps, with_deps: bool) -> Value {
    let HitWithDeps { hit, dependencies } = found;
    let mut row = json!({
        "id": hit.id,
        "kind": hit.kind,
        "description": hit.description,
        "operation": hit.operation,
        "score": view::rounded(hit.score),
    });
    if let Some(why) = &hit.why {
        row["why"] = why.as_str().into();
    }
    if let Some(reliability) = hit.reliability {
        row["reliability"] = view::rounded(reliability).into();
    }
    if with_deps && !dependencies.is_empty() {
        row["dependencies"] = dependencies.clone().into();
    }
    row
}
