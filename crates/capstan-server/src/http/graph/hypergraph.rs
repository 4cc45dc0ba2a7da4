//! `/api/graph/hypergraph`: the graph, with code and skills as what they hold together.

use axum::extract::State;

use super::SNAPSHOT;
use super::filter::Part;
use super::nodes;
use crate::http::answer::Answer;
use crate::http::api::Api;
use crate::http::aside::aside;
use crate::http::failure::Failure;
use crate::http::query::Query;

pub(in crate::http) async fn show(
    State(api): State<Api>,
    mut query: Query,
) -> Result<Answer, Failure> {
    let part = Part::read(&mut query)?;
    query.finish()?;
    api.capstan.check_policy(SNAPSHOT)?;
    let content = aside(async move {
        let found = api
            .capstan
            .discovery()
            .hypergraph(&part.filter, &part.page)
            .await?;
        let mut content = nodes::content(&api.capstan, &found.snapshot);
        content["zones"] = serde_json::to_value(&found.zones).unwrap_or_default();
        content["digest"] = found.digest.into();
        Ok(content)
    });
    Ok(Answer::ok(content.await?))
}
