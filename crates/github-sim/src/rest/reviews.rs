//! Reviews of a pull request, and requested reviewers.

use serde_json::{Value, json};

use super::page;
use super::present::View;
use super::request::{RestRequest, path_number};
use super::result::{RestError, RestResult, created, ok};
use super::route::RepoAccess;
use super::{pulls, review_comments};
use crate::world::{IssueRef, NewReview, ReviewEvent, World};

const RESOURCE: &str = "PullRequestReview";

pub(super) fn list(world: &World, request: &RestRequest<'_>, at: IssueRef) -> RestResult {
    let view = View::new(world, at.repo).ok_or(RestError::NotFound)?;
    let issue = world.issue_at(at).ok_or(RestError::NotFound)?;
    // Only its author sees a pending review.
    let visible = world
        .pull_at(at)?
        .reviews
        .iter()
        .filter(|review| review.submitted_at.is_some() || review.author == request.viewer.login)
        .collect();
    page::list(request, visible, |review| view.review(issue, review))
}

pub(super) fn one(world: &World, at: IssueRef, id: &str) -> RestResult {
    ok(&present(world, at, path_number(id)?)?)
}

/// Creates a review; without an event it stays pending. GitHub answers 200 here, not 201.
pub(super) fn create(world: &mut World, request: &RestRequest<'_>, at: IssueRef) -> RestResult {
    let comments = match request.body.get("comments") {
        None | Some(Value::Null) => Vec::new(),
        Some(list) => list
            .as_array()
            .ok_or_else(|| RestError::invalid(RESOURCE, "comments"))?
            .iter()
            .map(review_comments::read_comment)
            .collect::<Result<_, _>>()?,
    };
    let new = NewReview {
        body: request
            .text(RESOURCE, "body")?
            .unwrap_or_default()
            .to_owned(),
        event: event(request)?,
        comments,
        commit: request.text(RESOURCE, "commit_id")?.map(str::to_owned),
    };
    let id = world.add_review(request.viewer, at, new)?;
    ok(&present(world, at, id)?)
}

pub(super) fn submit(
    world: &mut World,
    request: &RestRequest<'_>,
    at: IssueRef,
    id: &str,
) -> RestResult {
    let id = path_number(id)?;
    let event = event(request)?.ok_or_else(|| RestError::missing(RESOURCE, "event"))?;
    let body = request.text(RESOURCE, "body")?.map(str::to_owned);
    world.submit_review(request.viewer, at, id, event, body)?;
    ok(&present(world, at, id)?)
}

pub(super) fn requested(world: &World, at: IssueRef) -> RestResult {
    let view = View::new(world, at.repo).ok_or(RestError::NotFound)?;
    let pull = world.pull_at(at)?;
    ok(&json!({
        "users": view.users(&pull.requested_reviewers),
        "teams": view.teams(&pull.requested_teams),
    }))
}

pub(super) fn request(
    world: &mut World,
    request: &RestRequest<'_>,
    access: RepoAccess,
    at: IssueRef,
) -> RestResult {
    world.request_reviews(request.viewer, at, &reviewers(request)?, true)?;
    created(&pulls::present(world, access, at)?)
}

pub(super) fn withdraw_request(
    world: &mut World,
    request: &RestRequest<'_>,
    access: RepoAccess,
    at: IssueRef,
) -> RestResult {
    world.remove_review_requests(request.viewer, at, &reviewers(request)?)?;
    ok(&pulls::present(world, access, at)?)
}

fn event(request: &RestRequest<'_>) -> Result<Option<ReviewEvent>, RestError> {
    match request.text(RESOURCE, "event")? {
        None => Ok(None),
        Some(name) => ReviewEvent::parse(name)
            .map(Some)
            .ok_or_else(|| RestError::invalid(RESOURCE, "event")),
    }
}

fn reviewers(request: &RestRequest<'_>) -> Result<Vec<String>, RestError> {
    let logins = request.texts("PullRequest", "reviewers")?;
    logins.ok_or_else(|| RestError::missing("PullRequest", "reviewers"))
}

fn present(world: &World, at: IssueRef, id: u64) -> Result<Value, RestError> {
    let view = View::new(world, at.repo).ok_or(RestError::NotFound)?;
    let issue = world.issue_at(at).ok_or(RestError::NotFound)?;
    let review = world.find_review(at, id).ok_or(RestError::NotFound)?;
    Ok(view.review(issue, review))
}
