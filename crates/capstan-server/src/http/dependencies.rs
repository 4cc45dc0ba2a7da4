//! `/api/capabilities/{id}/dependencies`: the relations of a capability, and single relations.

use axum::extract::State;
use axum::http::HeaderMap;
use percent_encoding::{AsciiSet, NON_ALPHANUMERIC, utf8_percent_encode};
use serde_json::{Value, json};

use capstan_core::code::{EdgeKind, EdgeSource, Node, Observed};
use capstan_core::date::rfc3339;
use capstan_engine::{KnownEdge, RelationFilter, relation_warnings};

use super::body::JsonBody;
use super::error::ApiError;
use super::if_match::check_if_match;
use super::path::PathNames;
use super::query::Query;
use super::relation_json;
use super::response::ApiResponse;
use super::state::ApiState;

/// How many relations a response has unless `limit` says otherwise.
const DEFAULT_LIMIT: usize = 100;
const MAX_LIMIT: usize = 1000;

/// How many observations of a relation are shown.
const MAX_OBSERVATIONS: usize = 1000;

// The capabilities whose policy applies to each request.
const LIST: &str = "dep.list";
const SHOW: &str = "dep.show";
const ADD: &str = "dep.add";
const REMOVE: &str = "dep.remove";
const UPDATE: &str = "dep.update";

/// The largest `increment_by` that is accepted.
const MAX_INCREMENT: u64 = 1_000_000;

/// The characters that are percent-encoded in a capability name in a path.
const ENCODED_IN_NAMES: &AsciiSet = &NON_ALPHANUMERIC.remove(b'.').remove(b'_').remove(b'-');

pub(super) async fn list(
    State(api): State<ApiState>,
    PathNames(id): PathNames<String>,
    mut query: Query,
) -> Result<ApiResponse, ApiError> {
    let direction = query.take_direction()?;
    let (kinds, sources) = (
        query.take_list(&["edge_type", "type"])?,
        query.take_list(&["edge_source", "source"])?,
    );
    let min_confidence = query.take_min_confidence()?;
    let range = query.take_row_range(DEFAULT_LIMIT, MAX_LIMIT)?;
    query.finish()?;
    api.capstan.check_policy(LIST)?;
    let filter = RelationFilter {
        capability: Some(id.clone()),
        direction,
        min_confidence,
        ..RelationFilter::default()
    };
    let mut found = api.capstan.discovery().relations(&filter).await?;
    found.retain(|known| {
        (kinds.is_empty() || kinds.contains(&known.edge.kind))
            && (sources.is_empty() || sources.contains(&known.edge.source))
    });
    // Relations show the full names of both ends, so the capability is shown by its full name too.
    let node = api.capstan.discovery().node(&id).await;
    let full_name = node.map_or(id, |node| node.to_string());
    let (selected, next_offset) = range.select(&found);
    let rows: Vec<_> = selected.iter().map(relation_json::known_edge).collect();
    let mut content =
        json!({"capability_id": full_name, "dependencies": rows, "total": found.len()});
    if let Some(next_offset) = next_offset {
        content["next_offset"] = next_offset.into();
    }
    Ok(ApiResponse::ok(content))
}

/// Shows one relation and the observations that support it.
pub(super) async fn show(
    State(api): State<ApiState>,
    PathNames((from, to)): PathNames<(String, String)>,
    query: Query,
) -> Result<ApiResponse, ApiError> {
    query.finish()?;
    api.capstan.check_policy(SHOW)?;
    let (edge, observed) = api.capstan.discovery().relation(&from, &to).await?;
    Ok(ApiResponse::ok(relation_content(&edge, &observed)))
}

/// Returns the body of [`show`]. If there are more than [`MAX_OBSERVATIONS`], `observations_total`
/// says how many there are.
pub(super) fn relation_content(edge: &KnownEdge, observed: &[Observed]) -> Value {
    let shown: Vec<_> = observed
        .iter()
        .take(MAX_OBSERVATIONS)
        .map(observation)
        .collect();
    let dependency = relation_json::known_edge(edge);
    let mut content = json!({"dependency": dependency, "observations": shown});
    if observed.len() > MAX_OBSERVATIONS {
        content["observations_total"] = observed.len().into();
    }
    content
}

pub(super) async fn add(
    State(api): State<ApiState>,
    PathNames(from): PathNames<String>,
    query: Query,
    headers: HeaderMap,
    JsonBody(mut fields): JsonBody,
) -> Result<ApiResponse, ApiError> {
    query.finish()?;
    let Some(to) = fields.take_name(&["to_capability_id"])? else {
        let missing = fields.missing("to_capability_id", "the id of a capability");
        return Err(missing.into());
    };
    if to.trim().is_empty() {
        let problem = "is empty: expected the id of a capability";
        return Err(fields.problem("to_capability_id", problem).into());
    }
    let expected_kind = format!("one of {}", EdgeKind::ALL.map(EdgeKind::as_str).join(", "));
    let Some(kind) = fields.take_as::<EdgeKind>("edge_type", &expected_kind)? else {
        return Err(fields.missing("edge_type", &expected_kind).into());
    };
    let sources = EdgeSource::ALL.map(EdgeSource::as_str).join(", ");
    let given_source = fields.take_as("edge_source", &format!("one of {sources}"))?;
    let source = given_source.unwrap_or(EdgeSource::Manual);
    let known = ["to_capability_id", "edge_type", "edge_source"];
    fields.finish("a field here", &known, "")?;
    api.capstan.check_policy(ADD)?;
    let _guard = api.relation_lock.lock().await;
    check_if_match(&api, &headers, &from, &to).await?;
    let added = api
        .capstan
        .discovery()
        .add_relation(&from, &to, kind, source)
        .await?;
    let dependency = relation_json::stored_edge(&added.edge);
    let mut content = json!({"created": added.is_new, "dependency": dependency});
    if let Some(replaced_kind) = added.replaced {
        content["replaced"] = replaced_kind.as_str().into();
    }
    let warnings = relation_warnings(&added, kind, source);
    if !warnings.is_empty() {
        content["warnings"] = warnings.into();
    }
    Ok(if added.is_new {
        ApiResponse::created(content, location(&added.edge.from, &added.edge.to))
    } else {
        ApiResponse::ok(content)
    })
}

pub(super) async fn remove(
    State(api): State<ApiState>,
    PathNames((from, to)): PathNames<(String, String)>,
    query: Query,
    headers: HeaderMap,
) -> Result<ApiResponse, ApiError> {
    query.finish()?;
    api.capstan.check_policy(REMOVE)?;
    let _guard = api.relation_lock.lock().await;
    check_if_match(&api, &headers, &from, &to).await?;
    let (edge, _) = api.capstan.discovery().relation(&from, &to).await?;
    api.capstan.discovery().remove_relation(&from, &to).await?;
    let content = json!({"removed": true, "dependency": relation_json::known_edge(&edge)});
    Ok(ApiResponse::ok(content))
}

/// Counts further observations of a relation: `{"increment_by": 2}`. The default is 1.
pub(super) async fn update(
    State(api): State<ApiState>,
    PathNames((from, to)): PathNames<(String, String)>,
    query: Query,
    headers: HeaderMap,
    JsonBody(mut fields): JsonBody,
) -> Result<ApiResponse, ApiError> {
    query.finish()?;
    let expected = format!("a whole number from 1 to {MAX_INCREMENT}");
    let given = fields.take_as::<u64>("increment_by", &expected)?;
    let increment = given.unwrap_or(1);
    if !(1..=MAX_INCREMENT).contains(&increment) {
        let problem = format!("must be {expected}, not `{increment}`");
        return Err(fields.problem("increment_by", problem).into());
    }
    fields.finish("a field here", &["increment_by"], "")?;
    api.capstan.check_policy(UPDATE)?;
    let _guard = api.relation_lock.lock().await;
    check_if_match(&api, &headers, &from, &to).await?;
    let edge = api
        .capstan
        .discovery()
        .observe_relation(&from, &to, increment)
        .await?;
    let content = json!({"updated": true, "dependency": relation_json::stored_edge(&edge)});
    Ok(ApiResponse::ok(content))
}

fn observation(observed: &Observed) -> Value {
    json!({
        "edge_type": observed.kind.as_str(),
        "times": observed.times,
        "evidence": observed.evidence,
        "trace_id": observed.trace,
        "at": rfc3339(observed.at),
    })
}

/// Returns the path of a relation.
fn location(from: &Node, to: &Node) -> String {
    let encode = |node| utf8_percent_encode(Node::as_str(node), ENCODED_IN_NAMES);
    format!(
        "/api/capabilities/{}/dependencies/{}",
        encode(from),
        encode(to)
    )
}

#[cfg(test)]
mod tests {
    use capstan_core::code::{Edge, Evidence};

    use super::*;

    #[test]
    fn the_total_is_shown_if_observations_are_left_out() {
        let edge = Edge {
            from: Node::Named("a".to_owned()),
            to: Node::Named("b".to_owned()),
            kind: EdgeKind::Sequence,
            source: EdgeSource::Observed,
            observed: 1001,
            created_at: 0,
            last_observed: 0,
        };
        let observed = Observed {
            trace: None,
            kind: EdgeKind::Sequence,
            evidence: Evidence::Followed,
            times: 1,
            at: 0,
        };
        for (count, total) in [
            (MAX_OBSERVATIONS, Value::Null),
            (MAX_OBSERVATIONS + 1, (MAX_OBSERVATIONS + 1).into()),
        ] {
            let known = KnownEdge {
                edge: edge.clone(),
                is_declared: false,
            };
            let content = relation_content(&known, &vec![observed.clone(); count]);
            let shown = content["observations"].as_array().unwrap();
            assert_eq!(shown.len(), MAX_OBSERVATIONS);
            assert_eq!(content["observations_total"], total);
        }
    }
}
