//! Commits with their check runs and statuses.

use http::StatusCode;

use super::page;
use super::present::View;
use super::request::RestRequest;
use super::result::{RestError, RestResult, ok};
use super::route::RepoAccess;
use crate::world::{CheckRun, Commit, World};

pub(super) fn list(world: &World, request: &RestRequest<'_>, access: RepoAccess) -> RestResult {
    let view = access.view(world)?;
    let branch = request.param("sha").unwrap_or(&view.repo.default_branch);
    let branch = view.repo.branches.get(branch).ok_or(RestError::NotFound)?;
    let history = branch.history.iter().rev();
    let found = history
        .filter_map(|sha| view.repo.commits.get(sha))
        .collect();
    page::list(request, found, |commit| view.commit(commit))
}

pub(super) fn one(world: &World, access: RepoAccess, reference: &str) -> RestResult {
    let view = access.view(world)?;
    ok(&view.commit(find(&view, reference)?))
}

pub(super) fn check_runs(
    world: &World,
    request: &RestRequest<'_>,
    access: RepoAccess,
    reference: &str,
) -> RestResult {
    let view = access.view(world)?;
    let commit = find(&view, reference)?;
    let wanted = |check: &&CheckRun| {
        request
            .param("check_name")
            .is_none_or(|name| check.name == name)
            && request
                .param("status")
                .is_none_or(|status| check.status.rest() == status)
    };
    let found = commit.check_runs.iter().filter(wanted).collect();
    page::counted(request, "check_runs", found, |check| {
        view.check_run(commit, check)
    })
}

pub(super) fn combined_status(world: &World, access: RepoAccess, reference: &str) -> RestResult {
    let view = access.view(world)?;
    ok(&view.combined_status(find(&view, reference)?, access.permission))
}

pub(super) fn statuses(
    world: &World,
    request: &RestRequest<'_>,
    access: RepoAccess,
    reference: &str,
) -> RestResult {
    let view = access.view(world)?;
    let commit = find(&view, reference)?;
    let newest_first = commit.statuses.iter().rev().collect();
    page::list(request, newest_first, |status| view.status(commit, status))
}

fn find<'w>(view: &View<'w>, reference: &str) -> Result<&'w Commit, RestError> {
    view.repo.commit(reference).ok_or_else(|| {
        RestError::Other(
            StatusCode::UNPROCESSABLE_ENTITY,
            format!("No commit found for SHA: {reference}"),
        )
    })
}
