//! Milestones.

use time::OffsetDateTime;
use time::format_description::well_known::Rfc3339;

use super::page;
use super::request::{RestRequest, path_number};
use super::result::{RestError, RestResult, created, ok};
use super::route::RepoAccess;
use crate::world::{Milestone, MilestoneState, World};

pub(super) fn list(world: &World, request: &RestRequest<'_>, access: RepoAccess) -> RestResult {
    let view = access.view(world)?;
    let state = match request.param("state").unwrap_or("open") {
        "all" => None,
        name => Some(
            MilestoneState::parse(name).ok_or_else(|| RestError::invalid("Milestone", "state"))?,
        ),
    };
    let mut found: Vec<&Milestone> = view
        .repo
        .milestones
        .iter()
        .filter(|milestone| state.is_none_or(|state| state == milestone.state))
        .collect();
    // Soonest due date first; milestones without a due date last.
    found.sort_by_key(|milestone| {
        (
            milestone.due_on.is_none(),
            milestone.due_on,
            milestone.number,
        )
    });
    if request.param("direction") == Some("desc") {
        found.reverse();
    }
    page::list(request, found, |milestone| view.milestone(milestone))
}

pub(super) fn one(world: &World, access: RepoAccess, number: &str) -> RestResult {
    let view = access.view(world)?;
    let milestone = view.repo.milestone(path_number(number)?);
    ok(&view.milestone(milestone.ok_or(RestError::NotFound)?))
}

pub(super) fn create(
    world: &mut World,
    request: &RestRequest<'_>,
    access: RepoAccess,
) -> RestResult {
    let due_on = match request.text("Milestone", "due_on")? {
        None => None,
        Some(text) => Some(
            OffsetDateTime::parse(text, &Rfc3339)
                .map_err(|_| RestError::invalid("Milestone", "due_on"))?,
        ),
    };
    let number = world.create_milestone(
        request.viewer,
        access.repo,
        request.required_text("Milestone", "title")?,
        request.text("Milestone", "description")?.map(str::to_owned),
        due_on,
    )?;
    let view = access.view(world)?;
    created(&view.milestone(view.repo.milestone(number).ok_or(RestError::NotFound)?))
}

/// Opens or closes a milestone. Changes of other fields are not supported and are refused.
pub(super) fn update(
    world: &mut World,
    request: &RestRequest<'_>,
    access: RepoAccess,
    number: &str,
) -> RestResult {
    let unsupported = ["title", "description", "due_on"];
    if let Some(field) = unsupported
        .into_iter()
        .find(|field| request.body.get(*field).is_some())
    {
        return Err(RestError::invalid("Milestone", field));
    }
    let state = request.required_text("Milestone", "state")?;
    let state =
        MilestoneState::parse(state).ok_or_else(|| RestError::invalid("Milestone", "state"))?;
    world.set_milestone_state(request.viewer, access.repo, path_number(number)?, state)?;
    one(world, access, number)
}
