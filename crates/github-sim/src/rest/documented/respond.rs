//! Answers a request from GitHub's example of the operation.

use http::StatusCode;
use serde_json::Value;

use super::template::{MatchedOperation, find};
use super::{reflect, rows, special, switches, validate};
use crate::http::HttpResponse;
use crate::rest::page::with_link;
use crate::rest::request::{RestRequest, is_read};
use crate::rest::result::{RestError, RestResult};
use crate::world::{Permission, World};

/// Where GitHub takes uploads. The simulator takes them at its storage host.
const UPLOADS: &str = "https://uploads.github.com";

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
    if let Some(result) = special::respond(world, request, &matched) {
        return result;
    }
    let status = special::write_status(world, request, &matched);
    let response = example_answer(&matched, request, status)?;
    if !is_read(method, &request.segments) {
        switches::remember(world, request);
        world.record_documented_write();
    }
    Ok(response)
}

/// Answers with the example, adapted to the request.
fn example_answer(
    matched: &MatchedOperation,
    request: &RestRequest<'_>,
    status: u16,
) -> RestResult {
    let operation = &matched.operation;
    let status = StatusCode::from_u16(status).map_err(|_| RestError::NotFound)?;
    let has_no_body = matches!(status, StatusCode::NO_CONTENT | StatusCode::RESET_CONTENT);
    let response = match &operation.answer {
        _ if has_no_body => HttpResponse::empty(status),
        None => HttpResponse::empty(status),
        Some(answer) => {
            let mut body = answer.value.clone();
            reflect::reflect(&mut body, matched, request);
            if let Some(Value::String(url)) = body.get_mut("upload_url") {
                *url = url.replace(UPLOADS, request.storage_url);
            }
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
        world.authorize(
            request.viewer,
            repo,
            Permission::Read,
            &matched.operation.id,
        )?;
    }
    Ok(())
}
