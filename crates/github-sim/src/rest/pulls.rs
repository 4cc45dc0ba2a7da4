//! Pull requests.

use serde_json::Value;

use super::issues;
use super::page;
use super::present::View;
use super::request::RestRequest;
use super::result::{RestError, RestResult, created, ok};
use super::route::RepoAccess;
use crate::world::{
    Direction, IssueFilter, IssueOrder, IssueRef, NewPullRequest, OrderField, PullRequestEdit,
    World,
};

pub(super) fn list(world: &World, request: &RestRequest<'_>, access: RepoAccess) -> RestResult {
    let view = access.view(world)?;
    let filter = IssueFilter {
        pulls: Some(true),
        state: issues::state_param(request)?,
        head: request.param("head").map(str::to_owned),
        base: request.param("base").map(str::to_owned),
        ..IssueFilter::default()
    };
    let field = match request.param("sort") {
        Some("updated") => OrderField::Updated,
        Some("popularity") => OrderField::Comments,
        _ => OrderField::Created,
    };
    let direction = match (request.param("direction"), field) {
        (Some("asc"), _) => Direction::Ascending,
        (Some("desc"), _) | (None, OrderField::Created) => Direction::Descending,
        _ => Direction::Ascending,
    };
    let found: Vec<_> = world
        .list_issues(access.repo, &filter, IssueOrder { field, direction })
        .into_iter()
        .filter_map(|at| world.issue_at(at))
        .filter_map(|issue| Some((issue, issue.pull.as_ref()?)))
        .collect();
    page::list(request, found, |(issue, pull)| {
        view.pull(issue, pull, access.permission)
    })
}

pub(super) fn one(world: &World, access: RepoAccess, at: IssueRef) -> RestResult {
    ok(&present(world, access, at)?)
}

pub(super) fn create(
    world: &mut World,
    request: &RestRequest<'_>,
    access: RepoAccess,
) -> RestResult {
    let resource = "PullRequest";
    let new = NewPullRequest {
        title: request.required_text(resource, "title")?.to_owned(),
        body: request
            .text(resource, "body")?
            .unwrap_or_default()
            .to_owned(),
        head: request.required_text(resource, "head")?.to_owned(),
        base: request.required_text(resource, "base")?.to_owned(),
        draft: request.flag(resource, "draft")?.unwrap_or(false),
        maintainer_can_modify: request
            .flag(resource, "maintainer_can_modify")?
            .unwrap_or(true),
    };
    let at = world.create_pull_request(request.viewer, access.repo, new)?;
    created(&present(world, access, at)?)
}

pub(super) fn update(
    world: &mut World,
    request: &RestRequest<'_>,
    access: RepoAccess,
    at: IssueRef,
) -> RestResult {
    let edit = PullRequestEdit {
        issue: issues::edit(world, request, at)?,
        base: request.text("PullRequest", "base")?.map(str::to_owned),
        maintainer_can_modify: request.flag("PullRequest", "maintainer_can_modify")?,
    };
    world.edit_pull_request(request.viewer, at, edit)?;
    one(world, access, at)
}

pub(super) fn files(world: &World, request: &RestRequest<'_>, at: IssueRef) -> RestResult {
    let view = View::new(world, at.repo).ok_or(RestError::NotFound)?;
    let pull = world.pull_at(at)?;
    page::list(request, world.pull_files(pull), |file| {
        view.file(&pull.head_sha, &file)
    })
}

pub(super) fn commits(world: &World, request: &RestRequest<'_>, at: IssueRef) -> RestResult {
    let pull = world.pull_at(at)?;
    let view = View::new(world, pull.head_repo).ok_or(RestError::NotFound)?;
    page::list(request, world.pull_commits(pull), |commit| {
        view.commit(commit)
    })
}

pub(super) fn present(world: &World, access: RepoAccess, at: IssueRef) -> Result<Value, RestError> {
    let view = access.view(world)?;
    let issue = world.issue_at(at).ok_or(RestError::NotFound)?;
    Ok(view.full_pull(issue, world.pull_at(at)?, access.permission))
}
