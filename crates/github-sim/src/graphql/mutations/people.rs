//! Mutations of assignees and requested reviewers.

use super::input::{Input, issueish};
use super::resolve::Outcome;
use crate::graphql::answer::{Failure, Record};
use crate::world::{Located, Viewer, World};

/// `None` if the mutation is not one of these.
pub(super) fn resolve(
    world: &mut World,
    viewer: &Viewer,
    name: &str,
    input: &Input,
    payload: Record,
) -> Option<Outcome> {
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
) -> Outcome {
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
    Ok(payload.with("assignable", issueish(world, at)))
}

fn request(
    world: &mut World,
    viewer: &Viewer,
    name: &str,
    input: &Input,
    payload: Record,
) -> Outcome {
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

fn known_logins(world: &World, logins: Option<Vec<String>>) -> Result<Vec<String>, Failure> {
    let mut found = Vec::new();
    for login in logins.unwrap_or_default() {
        match world.user(&login) {
            Some(user) => found.push(user.login.clone()),
            None => {
                return Err(Failure::not_found(format!(
                    "Could not resolve to a User with the login of '{login}'."
                )));
            }
        }
    }
    Ok(found)
}
