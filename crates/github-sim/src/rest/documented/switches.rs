//! Reads that answer 204 or 404 and nothing else: stars, blocks, memberships.

use crate::rest::request::RestRequest;
use crate::rest::result::{RestError, RestResult, no_content};
use crate::world::{Permission, RepoId, World};

use super::template::MatchedOperation;

/// Remembers a PUT or DELETE, so that a later read of the same path knows the answer.
pub(super) fn remember(world: &mut World, request: &RestRequest<'_>) {
    let is_on = match request.method.as_str() {
        "PUT" => true,
        "DELETE" => false,
        _ => return,
    };
    let path = request.segments.join("/");
    world.memory.switches.insert(path, is_on);
}

/// Answers 204 if the path was PUT last, or if the world says so; otherwise 404.
pub(super) fn read(
    world: &World,
    request: &RestRequest<'_>,
    matched: &MatchedOperation,
) -> RestResult {
    let remembered = |path: &str| world.memory.switches.get(path).copied();
    let is_on = match (
        remembered(&request.segments.join("/")),
        request.segments.as_slice(),
    ) {
        (Some(is_on), _) => is_on,
        (None, [users, user, following, other])
            if users == "users" && following == "following" && *user == request.viewer.login =>
        {
            remembered(&format!("user/following/{other}")).unwrap_or(false)
        }
        _ => is_true_in(world, matched).unwrap_or(false),
    };
    if is_on {
        no_content()
    } else {
        Err(RestError::NotFound)
    }
}

/// Returns what the world itself says; `None` if it does not model the question.
fn is_true_in(world: &World, matched: &MatchedOperation) -> Option<bool> {
    let value = |name: &str| matched.values.get(name).map(String::as_str);
    let repo = || -> Option<RepoId> { world.find_repo(value("owner")?, value("repo")?) };
    match matched.operation.id.as_str() {
        "orgs/check-membership-for-user" | "orgs/check-public-membership-for-user" => {
            let organization = world.organization(value("org")?)?;
            let user = value("username")?;
            Some(organization.members.iter().any(|member| member == user))
        }
        "repos/check-collaborator" => {
            let user = world.user(value("username")?)?;
            let granted = world.permission(&user.login, repo()?);
            let is_assignable = world.assignable(repo()?).contains(&user);
            Some(is_assignable && granted >= Permission::Read)
        }
        "issues/check-user-can-be-assigned-to-issue" => {
            let user = world.user(value("assignee")?)?;
            Some(world.assignable(repo()?).contains(&user))
        }
        _ => None,
    }
}
