//! `/api/graph/snapshot`: the graph, in pages.

use std::sync::Arc;

use axum::extract::State;
use axum::http::HeaderMap;

use super::SNAPSHOT;
use super::filter::Part;
use super::nodes;
use crate::http::answer::Answer;
use crate::http::api::Api;
use crate::http::aside::aside;
use crate::http::etag::ETag;
use crate::http::failure::Failure;
use crate::http::query::Query;

/// Whoever has it already is answered without making it: what a page holds is decided by the graph,
/// by what was asked, and by what names mean here.
pub(in crate::http) async fn show(
    State(api): State<Api>,
    headers: HeaderMap,
    mut query: Query,
) -> Result<Answer, Failure> {
    let part = Part::read(&mut query)?;
    query.finish()?;
    api.capstan.check_policy(SNAPSHOT)?;
    let etag = etag(&api, &part).await?;
    if etag.is_known_to(&headers) {
        return Ok(Answer::not_modified(etag));
    }
    let (capstan, wanted) = (Arc::clone(&api.capstan), part.clone());
    let content = aside(async move {
        let Part { filter, page } = &wanted;
        let snapshot = capstan.discovery().graph_snapshot(filter, page).await?;
        Ok(nodes::content(&capstan, &snapshot))
    });
    let answer = Answer::ok(content.await?);
    // The graph may have changed since: then its content says what it is.
    Ok(if self::etag(&api, &part).await? == etag {
        answer.with_etag(etag)
    } else {
        answer
    })
}

async fn etag(api: &Api, part: &Part) -> Result<ETag, Failure> {
    let graph = api.capstan.discovery().graph_digest().await?;
    let part = part.key();
    Ok(ETag::of(&[graph.as_bytes(), part.as_bytes(), api.kinds()]))
}
