//! Assignable users, and the assignees of an issue or pull request.

use http::StatusCode;

use super::issues::present;
use super::page;
use super::present::user;
use super::request::RestRequest;
use super::result::{RestError, RestResult, created, no_content, ok};
use super::route::RepoAccess;
use crate::world::{IssueRef, World};

pub(super) fn assignable(
    world: &World,
    request: &RestRequest<'_>,
    access: RepoAccess,
) -> RestResult {
    page::list(request, world.assignable(access.repo), |account| {
        user(world, &account.login)
    })
}

pub(super) fn check(world: &World, access: RepoAccess, login: &str) -> RestResult {
    let is_assignable = world
        .assignable(access.repo)
        .iter()
        .any(|account| account.login.eq_ignore_ascii_case(login));
    if is_assignable {
        no_content()
    } else {
        Err(RestError::Other(
            StatusCode::NOT_FOUND,
            "Not Found".to_owned(),
        ))
    }
}

pub(super) fn add(world: &mut World, request: &RestRequest<'_>, at: IssueRef) -> RestResult {
    world.add_assignees(request.viewer, at, &logins(request)?)?;
    created(&present(world, at)?)
}

pub(super) fn remove(world: &mut World, request: &RestRequest<'_>, at: IssueRef) -> RestResult {
    world.remove_assignees(request.viewer, at, &logins(request)?)?;
    ok(&present(world, at)?)
}

fn logins(request: &RestRequest<'_>) -> Result<Vec<String>, RestError> {
    request
        .texts("Issue", "assignees")?
        .ok_or_else(|| RestError::missing("Issue", "assignees"))
}
