//! Users and organisations.

use super::present::{organization as present_organization, public_user};
use super::request::RestRequest;
use super::result::{RestError, RestResult, ok};
use crate::world::World;

pub(super) fn viewer(world: &World, request: &RestRequest<'_>) -> RestResult {
    one(world, &request.viewer.login)
}

pub(super) fn one(world: &World, login: &str) -> RestResult {
    let person = world.user(login).filter(|user| !user.bot);
    match (person, world.organization(login)) {
        (Some(user), _) => ok(&public_user(user)),
        (None, Some(organization)) => ok(&present_organization(organization)),
        (None, None) => Err(RestError::NotFound),
    }
}

pub(super) fn organization(world: &World, login: &str) -> RestResult {
    let organization = world.organization(login).ok_or(RestError::NotFound)?;
    ok(&present_organization(organization))
}
