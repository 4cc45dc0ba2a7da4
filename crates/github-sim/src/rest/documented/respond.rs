//! Answers a request from GitHub's example of the operation.

use http::StatusCode;
use serde_json::Value;

use super::operation::Operation;
use super::template::{MatchedOperation, find};
use super::{reflect, rows, validate};
use crate::http::HttpResponse;
use crate::rest::page::with_link;
use crate::rest::request::RestRequest;
use crate::rest::result::{RestError, RestResult};
use crate::world::{Permission, World};

/// Answers a documented request that no handler answers.
pub(in crate::rest) fn respond(world: &mut World, request: &RestRequest<'_>) -> RestResult {
    let method = match request.method.as_str() {
        "HEAD" => "GET",
        method => method,
    };
    let matched = find(method, &request.segments).ok_or(RestError::NotFound)?;
    check_repository(world, request, &matched)?;
    if let Some(refusal) = validate::refusal(&matched.operation, request) {
        return Ok(refusal);
    }
    let response = example_answer(&matched, request);
    if method != "GET" {
        world.record_documented_write();
    }
    response
}

/// Answers with the example, adapted to the request.
fn example_answer(matched: &MatchedOperation, request: &RestRequest<'_>) -> RestResult {
    let operation = &matched.operation;
    let status = status_of(operation)?;
    let response = match &operation.answer {
        None => HttpResponse::empty(status),
        Some(answer) => {
            let mut body = answer.value.clone();
            reflect::reflect(&mut body, matched, request);
            let link = rows::cut(operation, &mut body, request);
            let response = match (&operation.media_type, &body) {
                (Some(media_type), Value::String(text)) => {
                    HttpResponse::bytes(status, media_type, text.clone().into_bytes())
                }
                _ => HttpResponse::json(status, &body),
            };
            with_link(response, link)
        }
    };
    Ok(response.with_header("x-sim-answer", "example"))
}

fn status_of(operation: &Operation) -> Result<StatusCode, RestError> {
    StatusCode::from_u16(operation.status).map_err(|_| RestError::NotFound)
}

/// Refuses requests for repositories that the viewer cannot see, and writes that the token or the repository forbids.
fn check_repository(
    world: &World,
    request: &RestRequest<'_>,
    matched: &MatchedOperation,
) -> Result<(), RestError> {
    let value = |name: &str| matched.values.get(name);
    let (Some(owner), Some(name)) = (value("owner"), value("repo")) else {
        return Ok(());
    };
    let repo = world.visible_repo(request.viewer, owner, name)?;
    let is_write = !matches!(request.method.as_str(), "GET" | "HEAD");
    if is_write && matched.operation.path.starts_with("/repos/") {
        world.authorize(request.viewer, repo, Permission::Read, &matched.operation.id)?;
    }
    Ok(())
}
