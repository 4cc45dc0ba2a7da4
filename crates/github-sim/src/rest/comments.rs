//! Comments on an issue or pull request.

use serde_json::Value;

use super::page;
use super::present::View;
use super::request::{RestRequest, path_number};
use super::result::{RestError, RestResult, created, no_content, ok};
use super::route::RepoAccess;
use crate::world::{IssueRef, World};

pub(super) fn list(world: &World, request: &RestRequest<'_>, at: IssueRef) -> RestResult {
    let view = View::new(world, at.repo).ok_or(RestError::NotFound)?;
    let issue = world.issue_at(at).ok_or(RestError::NotFound)?;
    page::list(request, issue.comments.iter().collect(), |comment| {
        view.comment(issue, comment)
    })
}

pub(super) fn one(world: &World, access: RepoAccess, id: &str) -> RestResult {
    let (at, _) = world
        .find_comment(access.repo, path_number(id)?)
        .ok_or(RestError::NotFound)?;
    ok(&present(world, at, path_number(id)?)?)
}

pub(super) fn create(world: &mut World, request: &RestRequest<'_>, at: IssueRef) -> RestResult {
    let body = request.required_text("IssueComment", "body")?;
    let id = world.add_comment(request.viewer, at, body)?;
    created(&present(world, at, id)?)
}

pub(super) fn update(
    world: &mut World,
    request: &RestRequest<'_>,
    access: RepoAccess,
    id: &str,
) -> RestResult {
    let id = path_number(id)?;
    let (at, _) = world
        .find_comment(access.repo, id)
        .ok_or(RestError::NotFound)?;
    let body = request.required_text("IssueComment", "body")?;
    world.update_comment(request.viewer, at, id, body)?;
    ok(&present(world, at, id)?)
}

pub(super) fn delete(
    world: &mut World,
    request: &RestRequest<'_>,
    access: RepoAccess,
    id: &str,
) -> RestResult {
    let id = path_number(id)?;
    let (at, _) = world
        .find_comment(access.repo, id)
        .ok_or(RestError::NotFound)?;
    world.delete_comment(request.viewer, at, id)?;
    no_content()
}

fn present(world: &World, at: IssueRef, id: u64) -> Result<Value, RestError> {
    let view = View::new(world, at.repo).ok_or(RestError::NotFound)?;
    let issue = world.issue_at(at).ok_or(RestError::NotFound)?;
    let comment = issue.comment(id).ok_or(RestError::NotFound)?;
    Ok(view.comment(issue, comment))
}
