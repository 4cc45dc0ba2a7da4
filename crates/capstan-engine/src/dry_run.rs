//! What a run would send, without sending it.

use serde::Serialize;
use serde_json::{Map, Value};

use capstan_core::expr::{Expr, Root, Segment};
use capstan_core::{ErrorCode, ResultError, Route, RouteReason, RouteRequest, TaskRequest};

use crate::Capstan;
use crate::pagination::Page;
use crate::run::Script;

/// The requests of a run, in their order. What only a lookup can tell stands as `<$issue.id>`.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct DryRun {
    pub capability_id: String,
    pub requests: Vec<PlannedRequest>,
    /// Why a route was not chosen.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub skipped: Vec<String>,
}

#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct PlannedRequest {
    /// `lookup issue`, or `run`.
    pub purpose: String,
    #[serde(flatten)]
    pub request: RouteRequest,
}

impl Capstan {
    /// Everything up to the first byte that would leave.
    pub async fn dry_run(&self, request: &TaskRequest) -> Result<DryRun, ResultError> {
        let (card, _, input) = self.prepare(request)?;
        let candidates = self.plan(&card, request, &input).await;
        let skipped = candidates.iter().filter_map(|candidate| {
            candidate
                .skipped
                .as_ref()
                .map(|(_, why)| format!("{}: {why}", candidate.route))
        });
        let skipped = skipped.collect();
        // A route that is merely not ready can still be shown: nothing is sent.
        let merely_not_ready = |reason: &RouteReason| *reason == RouteReason::PreflightFailed;
        let route: Option<Route> = candidates
            .iter()
            .find(|candidate| candidate.skipped.is_none())
            .or_else(|| {
                candidates.iter().find(|candidate| {
                    candidate
                        .skipped
                        .as_ref()
                        .is_some_and(|(reason, _)| merely_not_ready(reason))
                })
            })
            .map(|candidate| candidate.route);
        let script = route
            .and_then(|route| Script::of(&card, route))
            .ok_or_else(|| {
                ResultError::new(
                    ErrorCode::AdapterUnsupported,
                    format!("no route can run {}", card.id),
                )
            })?;
        let requests = requests(script, &input)?;
        Ok(DryRun {
            capability_id: card.id.to_string(),
            requests,
            skipped,
        })
    }
}

fn requests(script: Script<'_>, input: &Value) -> Result<Vec<PlannedRequest>, ResultError> {
    let mut variables = Map::new();
    variables.insert("input".to_owned(), input.clone());
    variables.insert("page".to_owned(), Page::of(input).variable());
    let mut planned = Vec::new();
    for (name, lookup) in script.lookups() {
        let mut single = |variables: &Map<String, Value>| {
            let request = lookup.request(input, variables)?;
            planned.push(PlannedRequest {
                purpose: format!("lookup {name}"),
                request,
            });
            Ok::<_, ResultError>(())
        };
        match lookup.each() {
            None => single(&variables)?,
            Some(each) => {
                let items = each.eval(&capstan_core::expr::Scope::new(input, &variables));
                for item in items.iter().filter_map(Value::as_array).flatten() {
                    let mut variables = variables.clone();
                    variables.insert("item".to_owned(), item.clone());
                    single(&variables)?;
                }
            }
        }
        variables.insert(name.to_owned(), stand_in(name, &script.expressions()));
    }
    let request = script.request(input, &variables)?;
    planned.push(PlannedRequest {
        purpose: "run".to_owned(),
        request,
    });
    Ok(planned)
}

/// A value that has every field which the operation reads from a lookup, each naming itself.
fn stand_in(name: &str, expressions: &[&Expr]) -> Value {
    let mut value = Value::Null;
    for path in expressions.iter().flat_map(|expr| expr.paths()) {
        if path.root == Root::Variable(name.to_owned()) {
            plant(&mut value, &path.segments, &format!("<{path}>"));
        }
    }
    value
}

fn plant(value: &mut Value, segments: &[Segment], text: &str) {
    let Some((segment, rest)) = segments.split_first() else {
        *value = text.into();
        return;
    };
    match segment {
        Segment::Key(key) => {
            if !value.is_object() {
                *value = Value::Object(Map::new());
            }
            if let Some(fields) = value.as_object_mut() {
                plant(fields.entry(key.clone()).or_insert(Value::Null), rest, text);
            }
        }
        Segment::Each | Segment::Index(_) => {
            let mut item = value.get(0).cloned().unwrap_or(Value::Null);
            plant(&mut item, rest, text);
            *value = Value::Array(vec![item]);
        }
    }
}
