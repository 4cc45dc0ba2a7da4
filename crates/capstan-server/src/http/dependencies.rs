//! `/api/capabilities/{id}/dependencies`: the relations of one, and each of them.

use axum::extract::State;
use axum::http::HeaderMap;
use percent_encoding::{AsciiSet, NON_ALPHANUMERIC, utf8_percent_encode};
use serde_json::{Value, json};

use capstan_core::code::{EdgeKind, EdgeSource, Node, Observed};
use capstan_core::date::rfc3339;
use capstan_engine::{KnownEdge, RelationFilter, relation_warnings};

use super::answer::Answer;
use super::api::Api;
use super::body::Sent;
use super::condition;
use super::failure::Failure;
use super::path::Names;
use super::query::Query;
use super::view;

const FEW: usize = 100;
const MOST: usize = 1000;

/// What the policy calls it.
const LIST: &str = "dep.list";
const SHOW: &str = "dep.show";
const ADD: &str = "dep.add";
const REMOVE: &str = "dep.remove";
const UPDATE: &str = "dep.update";

/// Nobody sees something more often between two requests.
const MOST_AT_ONCE: u64 = 1_000_000;

/// What need not be written otherwise in a name.
const IN_NAMES: &AsciiSet = &NON_ALPHANUMERIC.remove(b'.').remove(b'_').remove(b'-');

pub(super) async fn list(
    State(api): State<Api>,
    Names(id): Names<String>,
    mut query: Query,
) -> Result<Answer, Failure> {
    let direction = query.direction()?;
    let (kinds, sources) = (
        query.list(&["edge_type", "type"])?,
        query.list(&["edge_source", "source"])?,
    );
    let min_confidence = query.min_confidence()?;
    let rows = query.rows(FEW, MOST)?;
    query.finish()?;
    api.capstan.check_policy(LIST)?;
    let wanted = RelationFilter {
        capability: Some(id.clone()),
        direction,
        min_confidence,
        ..RelationFilter::default()
    };
    let mut found = api.capstan.discovery().relations(&wanted).await?;
    found.retain(|known| {
        (kinds.is_empty() || kinds.contains(&known.edge.kind))
            && (sources.is_empty() || sources.contains(&known.edge.source))
    });
    // The ends of relations have full names, so this has too.
    let own = api.capstan.discovery().node(&id).await;
    let own = own.map_or(id, |node| node.to_string());
    let (shown, next) = rows.of(&found);
    let shown: Vec<_> = shown.iter().map(view::known_dependency).collect();
    let mut content = json!({"capability_id": own, "dependencies": shown, "total": found.len()});
    if let Some(next) = next {
        content["next_offset"] = next.into();
    }
    Ok(Answer::ok(content))
}

/// One, and what it was learned from.
pub(super) async fn show(
    State(api): State<Api>,
    Names((from, to)): Names<(String, String)>,
    query: Query,
) -> Result<Answer, Failure> {
    query.finish()?;
    api.capstan.check_policy(SHOW)?;
    let (edge, observed) = api.capstan.discovery().relation(&from, &to).await?;
    Ok(Answer::ok(content(&edge, &observed)))
}

pub(super) fn content(edge: &KnownEdge, observed: &[Observed]) -> Value {
    let shown: Vec<_> = observed.iter().take(MOST).map(observation).collect();
    let mut content = json!({"dependency": view::known_dependency(edge), "observations": shown});
    if observed.len() > MOST {
        content["observations_total"] = observed.len().into();
    }
    content
}

pub(super) async fn add(
    State(api): State<Api>,
    Names(from): Names<String>,
    query: Query,
    headers: HeaderMap,
    Sent(mut fields): Sent,
) -> Result<Answer, Failure> {
    query.finish()?;
    let to = fields.take_name(&["to_capability_id"])?;
    let to = to.ok_or_else(|| fields.missing("to_capability_id", "the id of a capability"))?;
    if to.trim().is_empty() {
        let problem = "is empty: expected the id of a capability";
        return Err(fields.problem("to_capability_id", problem).into());
    }
    let kinds = EdgeKind::ALL.map(EdgeKind::as_str).join(", ");
    let kinds = format!("one of {kinds}");
    let kind: Option<EdgeKind> = fields.take_as("edge_type", &kinds)?;
    let kind = kind.ok_or_else(|| fields.missing("edge_type", &kinds))?;
    let sources = EdgeSource::ALL.map(EdgeSource::as_str).join(", ");
    let source = fields.take_as("edge_source", &format!("one of {sources}"))?;
    let known = ["to_capability_id", "edge_type", "edge_source"];
    fields.finish("a field here", &known, "")?;
    api.capstan.check_policy(ADD)?;
    let _alone = api.changing.lock().await;
    condition::check(&api, &headers, &from, &to).await?;
    let source = source.unwrap_or(EdgeSource::Manual);
    let added = api
        .capstan
        .discovery()
        .add_relation(&from, &to, kind, source)
        .await?;
    let dependency = view::dependency(&added.edge);
    let mut content = json!({"created": added.is_new, "dependency": dependency});
    if let Some(before) = added.replaced {
        content["replaced"] = before.as_str().into();
    }
    let warnings = relation_warnings(&added, kind, source);
    if !warnings.is_empty() {
        content["warnings"] = warnings.into();
    }
    Ok(if added.is_new {
        Answer::created(content, location(&added.edge.from, &added.edge.to))
    } else {
        Answer::ok(content)
    })
}

pub(super) async fn remove(
    State(api): State<Api>,
    Names((from, to)): Names<(String, String)>,
    query: Query,
    headers: HeaderMap,
) -> Result<Answer, Failure> {
    query.finish()?;
    api.capstan.check_policy(REMOVE)?;
    let _alone = api.changing.lock().await;
    condition::check(&api, &headers, &from, &to).await?;
    let (edge, _) = api.capstan.discovery().relation(&from, &to).await?;
    api.capstan.discovery().remove_relation(&from, &to).await?;
    let content = json!({"removed": true, "dependency": view::known_dependency(&edge)});
    Ok(Answer::ok(content))
}

/// Counts that a relation was seen again: `{"increment_by": 2}`, once if it is not said.
pub(super) async fn update(
    State(api): State<Api>,
    Names((from, to)): Names<(String, String)>,
    query: Query,
    headers: HeaderMap,
    Sent(mut fields): Sent,
) -> Result<Answer, Failure> {
    query.finish()?;
    let expected = format!("a whole number from 1 to {MOST_AT_ONCE}");
    let by: Option<u64> = fields.take_as("increment_by", &expected)?;
    let by = by.unwrap_or(1);
    if !(1..=MOST_AT_ONCE).contains(&by) {
        let problem = format!("must be {expected}, not `{by}`");
        return Err(fields.problem("increment_by", problem).into());
    }
    fields.finish("a field here", &["increment_by"], "")?;
    api.capstan.check_policy(UPDATE)?;
    let _alone = api.changing.lock().await;
    condition::check(&api, &headers, &from, &to).await?;
    let edge = api
        .capstan
        .discovery()
        .observe_relation(&from, &to, by)
        .await?;
    let content = json!({"updated": true, "dependency": view::dependency(&edge)});
    Ok(Answer::ok(content))
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

fn location(from: &Node, to: &Node) -> String {
    let name = |node: &Node| utf8_percent_encode(node.as_str(), IN_NAMES).to_string();
    let (from, to) = (name(from), name(to));
    format!("/api/capabilities/{from}/dependencies/{to}")
}

#[cfg(test)]
mod tests {
    use capstan_core::code::{Edge, Evidence};

    use super::*;

    #[test]
    fn observations_that_are_cut_are_counted() {
        let edge = Edge {
            from: Node::Named("a".to_owned()),
            to: Node::Named("b".to_owned()),
            kind: EdgeKind::Sequence,
            source: EdgeSource::Observed,
            observed: 1001,
            created_at: 0,
            last_observed: 0,
        };
        let one = Observed {
            trace: None,
            kind: EdgeKind::Sequence,
            evidence: Evidence::Followed,
            times: 1,
            at: 0,
        };
        for (there, total) in [(MOST, Value::Null), (MOST + 1, (MOST + 1).into())] {
            let known = KnownEdge {
                edge: edge.clone(),
                is_declared: false,
            };
            let content = content(&known, &vec![one.clone(); there]);
            assert_eq!(content["observations"].as_array().unwrap().len(), MOST);
            assert_eq!(content["observations_total"], total);
        }
    }
}
