//! Who may be assigned, and who is.

use http::StatusCode;

use super::issues::present;
use super::page;
use super::present::user;
use super::reply::{Failure, Reply, created, no_content, ok};
use super::request::RestRequest;
use super::route::Place;
use crate::world::{IssueRef, World};

pub(super) fn assignable(world: &World, request: &RestRequest<'_>, place: Place) -> Reply {
    page::list(request, world.assignable(place.repo), |account| {
        user(world, &account.login)
    })
}

pub(super) fn check(world: &World, place: Place, login: &str) -> Reply {
    let may = world
        .assignable(place.repo)
        .iter()
        .any(|account| account.login.eq_ignore_ascii_case(login));
    if may {
        no_content()
    } else {
        Err(Failure::Other(
            StatusCode::NOT_FOUND,
            "Not Found".to_owned(),
        ))
    }
}

pub(super) fn add(world: &mut World, request: &RestRequest<'_>, at: IssueRef) -> Reply {
    world.add_assignees(request.viewer, at, &logins(request)?)?;
    created(&present(world, at)?)
}

pub(super) fn remove(world: &mut World, request: &RestRequest<'_>, at: IssueRef) -> Reply {
    world.remove_assignees(request.viewer, at, &logins(request)?)?;
    ok(&present(world, at)?)
}

fn logins(request: &RestRequest<'_>) -> Result<Vec<String>, Failure> {
    request
        .texts("Issue", "assignees")?
        .ok_or_else(|| Failure::missing("Issue", "assignees"))
}
