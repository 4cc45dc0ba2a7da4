//! Operations whose answer depends on what was asked before, or on more than an example can show.

use http::StatusCode;
use serde_json::{Value, json};

use super::template::MatchedOperation;
use super::{markdown, secrets, switches};
use crate::http::HttpResponse;
use crate::rest::request::RestRequest;
use crate::rest::result::{RestResult, no_content};
use crate::rest::{downloads, media};
use crate::world::World;

/// Answers an operation of a special kind; `None` if its example is the answer.
pub(super) fn respond(
    world: &mut World,
    request: &RestRequest<'_>,
    matched: &MatchedOperation,
) -> Option<RestResult> {
    let operation = &matched.operation;
    let path = request.segments.join("/");
    if let Some(result) = secrets::respond(world, request, operation) {
        return Some(result);
    }
    match (request.method.as_str(), operation.status) {
        ("GET" | "HEAD", 204) => Some(switches::read(world, request, matched)),
        ("GET" | "HEAD", 302) => Some(downloads::file(world, request, &path)),
        ("GET" | "HEAD", _)
            if operation.offers(302) && media::accepts(request, "application/zip") =>
        {
            Some(downloads::file(world, request, &path))
        }
        // Only this media type has a body; otherwise the status is the answer.
        ("GET" | "HEAD", 200) if operation.media.contains_key("repository") => {
            (!media::asks_for(request, "repository")).then(no_content)
        }
        ("GET" | "HEAD", _) if operation.offers(202) => {
            if !world.memory.is_ready(&path) {
                Some(Ok(not_ready(matched)))
            } else if operation.offers(302) {
                let uuid = request.segments.last().map_or("", String::as_str);
                Some(downloads::redirect(world, request, &["sbom", uuid]))
            } else {
                None
            }
        }
        ("POST", _) => markdown::respond(request, operation),
        _ => None,
    }
}

/// Answers that the result is still computed: with an empty object, or without a body if none is documented.
fn not_ready(matched: &MatchedOperation) -> HttpResponse {
    if matched.operation.answer.is_none() {
        HttpResponse::empty(StatusCode::ACCEPTED)
    } else {
        HttpResponse::json(StatusCode::ACCEPTED, &json!({}))
    }
}

/// Returns the status of a write: a repeated PUT updates where the first one created.
pub(super) fn write_status(
    world: &World,
    request: &RestRequest<'_>,
    matched: &MatchedOperation,
) -> u16 {
    let operation = &matched.operation;
    let is_known = world.memory.switches.get(&request.segments.join("/")) == Some(&true)
        || request.body.get("sha").is_some_and(Value::is_string);
    if request.method == http::Method::PUT && operation.status == 201 && is_known {
        let update = operation
            .other_statuses
            .iter()
            .find(|status| matches!(status, 200 | 204));
        return update.copied().unwrap_or(operation.status);
    }
    operation.status
}
