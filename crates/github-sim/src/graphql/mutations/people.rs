//! Mutations of assignees and requested reviewers.

use super::input::{Input, issue_or_pull_location};
use super::resolve::MutationResult;
use crate::graphql::value::{Record, ResolveError};
use crate::world::{Located, Viewer, World};

/// Resolves the mutations of assignees and reviewers; returns `None` for others.
pub(super) fn resolve(
    world: &mut World,
    viewer: &Viewer,
    name: &str,
    input: &Input,
    payload: Record,
) -> Option<MutationResult> {
    Some(match name {
        "addAssigneesToAssignable"
        | "removeAssigneesFromAssignable"
        | "replaceActorsForAssignable" => assign(world, viewer, name, input, payload),
        "requestReviews" | "requestReviewsByLogin" => request(world, viewer, name, input, payload),
        _ => return None,
    })
}

fn assign(
    world: &mut World,
    viewer: &Viewer,
    name: &str,
    input: &Input,
    payload: Record,
) -> MutationResult {
    let at = input.issue(world, viewer, "assignableId")?;
    match name {
        "addAssigneesToAssignable" => {
            let logins = input
                .users(world, viewer, "assigneeIds")?
                .unwrap_or_default();
            world.add_assignees(viewer, at, &logins)?;
        }
        "removeAssigneesFromAssignable" => {
            let logins = input
                .users(world, viewer, "assigneeIds")?
                .unwrap_or_default();
            world.remove_assignees(viewer, at, &logins)?;
        }
        _ => {
            let mut logins = input.users(world, viewer, "actorIds")?.unwrap_or_default();
            logins.extend(known_logins(world, input.texts("actorLogins"))?);
            world.set_assignees(viewer, at, &logins)?;
        }
    }
    Ok(payload.with("assignable", issue_or_pull_location(world, at)))
}

fn request(
    world: &mut World,
    viewer: &Viewer,
    name: &str,
    input: &Input,
    payload: Record,
) -> MutationResult {
    let at = input.pull(world, viewer, "pullRequestId")?;
    let logins = if name == "requestReviews" {
        input.users(world, viewer, "userIds")?.unwrap_or_default()
    } else {
        known_logins(world, input.texts("userLogins"))?
    };
    let union = input.flag("union").unwrap_or(false);
    world.request_reviews(viewer, at, &logins, union)?;
    Ok(payload
        .with("pullRequest", Located::PullRequest(at))
        .with("actor", Located::User(viewer.login.clone())))
}

fn known_logins(world: &World, logins: Option<Vec<String>>) -> Result<Vec<String>, ResolveError> {
    let mut found = Vec::new();
    for login in logins.unwrap_or_default() {
        match world.user(&login) {
            Some(user) => found.push(user.login.clone()),
            None => {
                return Err(ResolveError::not_found(format!(
                    "Could not resolve to a User with the login of '{login}'."
                )));
            }
        }
    }
    Ok(found)
}
