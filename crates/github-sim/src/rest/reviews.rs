//! Reviews of a pull request, and who was asked for one.

use serde_json::{Value, json};

use super::page;
use super::present::View;
use super::reply::{Failure, Reply, created, ok};
use super::request::{RestRequest, path_number};
use super::route::Place;
use super::{pulls, review_comments};
use crate::world::{IssueRef, NewReview, ReviewEvent, World};

const RESOURCE: &str = "PullRequestReview";

pub(super) fn list(world: &World, request: &RestRequest<'_>, at: IssueRef) -> Reply {
    let view = View::new(world, at.repo).ok_or(Failure::NotFound)?;
    let issue = world.issue_at(at).ok_or(Failure::NotFound)?;
    // A pending review is its author's alone.
    let visible = world
        .pull_at(at)?
        .reviews
        .iter()
        .filter(|review| review.submitted_at.is_some() || review.author == request.viewer.login)
        .collect();
    page::list(request, visible, |review| view.review(issue, review))
}

pub(super) fn one(world: &World, at: IssueRef, id: &str) -> Reply {
    ok(&present(world, at, path_number(id)?)?)
}

/// Without an event the review stays pending. GitHub answers 200 here, not 201.
pub(super) fn create(world: &mut World, request: &RestRequest<'_>, at: IssueRef) -> Reply {
    let comments = match request.body.get("comments") {
        None | Some(Value::Null) => Vec::new(),
        Some(list) => list
            .as_array()
            .ok_or_else(|| Failure::invalid(RESOURCE, "comments"))?
            .iter()
            .map(review_comments::read)
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
) -> Reply {
    let id = path_number(id)?;
    let event = event(request)?.ok_or_else(|| Failure::missing(RESOURCE, "event"))?;
    let body = request.text(RESOURCE, "body")?.map(str::to_owned);
    world.submit_review(request.viewer, at, id, event, body)?;
    ok(&present(world, at, id)?)
}

pub(super) fn requested(world: &World, at: IssueRef) -> Reply {
    let view = View::new(world, at.repo).ok_or(Failure::NotFound)?;
    let pull = world.pull_at(at)?;
    ok(&json!({
        "users": view.users(&pull.requested_reviewers),
        "teams": view.teams(&pull.requested_teams),
    }))
}

pub(super) fn request(
    world: &mut World,
    request: &RestRequest<'_>,
    place: Place,
    at: IssueRef,
) -> Reply {
    world.request_reviews(request.viewer, at, &reviewers(request)?, true)?;
    created(&pulls::present(world, place, at)?)
}

pub(super) fn withdraw_request(
    world: &mut World,
    request: &RestRequest<'_>,
    place: Place,
    at: IssueRef,
) -> Reply {
    world.remove_review_requests(request.viewer, at, &reviewers(request)?)?;
    ok(&pulls::present(world, place, at)?)
}

fn event(request: &RestRequest<'_>) -> Result<Option<ReviewEvent>, Failure> {
    match request.text(RESOURCE, "event")? {
        None => Ok(None),
        Some(name) => ReviewEvent::parse(name)
            .map(Some)
            .ok_or_else(|| Failure::invalid(RESOURCE, "event")),
    }
}

fn reviewers(request: &RestRequest<'_>) -> Result<Vec<String>, Failure> {
    let logins = request.texts("PullRequest", "reviewers")?;
    logins.ok_or_else(|| Failure::missing("PullRequest", "reviewers"))
}

fn present(world: &World, at: IssueRef, id: u64) -> Result<Value, Failure> {
    let view = View::new(world, at.repo).ok_or(Failure::NotFound)?;
    let issue = world.issue_at(at).ok_or(Failure::NotFound)?;
    let review = world.find_review(at, id).ok_or(Failure::NotFound)?;
    Ok(view.review(issue, review))
}
