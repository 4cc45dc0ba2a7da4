//! Review comments: comments on lines of a pull request's diff.

use serde_json::Value;

use super::page;
use super::present::View;
use super::request::{RestRequest, path_number};
use super::result::{RestError, RestResult, created, ok};
use super::route::RepoAccess;
use crate::world::{IssueRef, NewReviewComment, RepoId, Side, World};

const RESOURCE: &str = "PullRequestReviewComment";

pub(super) fn list(world: &World, request: &RestRequest<'_>, at: IssueRef) -> RestResult {
    let view = View::new(world, at.repo).ok_or(RestError::NotFound)?;
    let issue = world.issue_at(at).ok_or(RestError::NotFound)?;
    let mut found: Vec<_> = world
        .pull_at(at)?
        .threads
        .iter()
        .flat_map(|thread| thread.comments.iter().map(move |comment| (thread, comment)))
        .collect();
    found.sort_by_key(|(_, comment)| (comment.created_at, comment.id));
    page::list(request, found, |(thread, comment)| {
        view.review_comment(issue, thread, comment)
    })
}

pub(super) fn one(world: &World, access: RepoAccess, id: &str) -> RestResult {
    ok(&present(world, access.repo, path_number(id)?)?)
}

/// Starts a thread, or replies to one if `in_reply_to` is given.
pub(super) fn create(world: &mut World, request: &RestRequest<'_>, at: IssueRef) -> RestResult {
    if let Some(first) = request.body.get("in_reply_to").and_then(Value::as_u64) {
        return reply_to_comment(world, request, at, first);
    }
    let comment = read_comment(request.body)?;
    let (_, id) = world.add_review_comment(request.viewer, at, comment)?;
    created(&present(world, at.repo, id)?)
}

pub(super) fn reply(
    world: &mut World,
    request: &RestRequest<'_>,
    at: IssueRef,
    first: &str,
) -> RestResult {
    reply_to_comment(world, request, at, path_number(first)?)
}

/// Reads a comment that starts a thread.
pub(super) fn read_comment(body: &Value) -> Result<NewReviewComment, RestError> {
    let text = |field: &str| {
        body[field]
            .as_str()
            .filter(|text| !text.is_empty())
            .map(str::to_owned)
            .ok_or_else(|| RestError::missing(RESOURCE, field))
    };
    let side = match body["side"].as_str() {
        None => Side::Right,
        Some(name) => Side::parse(name).ok_or_else(|| RestError::invalid(RESOURCE, "side"))?,
    };
    Ok(NewReviewComment {
        path: text("path")?,
        line: body["line"].as_u64(),
        start_line: body["start_line"].as_u64(),
        side,
        body: text("body")?,
    })
}

fn reply_to_comment(
    world: &mut World,
    request: &RestRequest<'_>,
    at: IssueRef,
    first: u64,
) -> RestResult {
    let body = request.required_text(RESOURCE, "body")?;
    let (found, thread, _) = world
        .find_review_comment(at.repo, first)
        .ok_or(RestError::NotFound)?;
    if found != at {
        return Err(RestError::NotFound);
    }
    let thread = thread.id;
    let id = world.reply_to_thread(request.viewer, at, thread, body)?;
    created(&present(world, at.repo, id)?)
}

fn present(world: &World, repo: RepoId, id: u64) -> Result<Value, RestError> {
    let view = View::new(world, repo).ok_or(RestError::NotFound)?;
    let (at, thread, comment) = world
        .find_review_comment(repo, id)
        .ok_or(RestError::NotFound)?;
    let issue = world.issue_at(at).ok_or(RestError::NotFound)?;
    Ok(view.review_comment(issue, thread, comment))
}
