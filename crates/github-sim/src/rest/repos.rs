//! Repositories and their branches.

use serde_json::{Value, json};

use super::page;
use super::present::View;
use super::request::RestRequest;
use super::result::{RestError, RestResult, ok};
use super::route::RepoAccess;
use crate::world::{Branch, RepoId, RepositoryEdit, World};

pub(super) fn one(world: &World, access: RepoAccess) -> RestResult {
    ok(&access.view(world)?.full_repository(access.permission))
}

pub(super) fn update(
    world: &mut World,
    request: &RestRequest<'_>,
    access: RepoAccess,
) -> RestResult {
    let flag = |field: &str| request.flag("Repository", field);
    let edit = RepositoryEdit {
        description: nullable(request, "description")?,
        homepage: nullable(request, "homepage")?,
        has_issues: flag("has_issues")?,
        has_wiki: flag("has_wiki")?,
        has_projects: flag("has_projects")?,
        archived: flag("archived")?,
        default_branch: request
            .text("Repository", "default_branch")?
            .map(str::to_owned),
        merge_commit_allowed: flag("allow_merge_commit")?,
        squash_merge_allowed: flag("allow_squash_merge")?,
        rebase_merge_allowed: flag("allow_rebase_merge")?,
        delete_branch_on_merge: flag("delete_branch_on_merge")?,
    };
    world.edit_repository(request.viewer, access.repo, edit)?;
    one(world, access)
}

pub(super) fn of_owner(world: &World, request: &RestRequest<'_>, login: &str) -> RestResult {
    let owner = world.owner(login).ok_or(RestError::NotFound)?;
    list(world, request, |view| view.repo.owner == owner.login())
}

pub(super) fn of_viewer(world: &World, request: &RestRequest<'_>) -> RestResult {
    let login = &request.viewer.login;
    list(world, request, |view| {
        view.repo.owner == *login || view.repo.collaborators.contains_key(login)
    })
}

pub(super) fn branches(world: &World, request: &RestRequest<'_>, access: RepoAccess) -> RestResult {
    let view = access.view(world)?;
    page::list(request, view.repo.branches.values().collect(), |b| {
        branch_row(&view, b)
    })
}

pub(super) fn branch(world: &World, access: RepoAccess, name: &str) -> RestResult {
    let view = access.view(world)?;
    let branch = view.repo.branches.get(name).ok_or(RestError::NotFound)?;
    ok(&branch_row(&view, branch))
}

fn list(
    world: &World,
    request: &RestRequest<'_>,
    wanted: impl Fn(&View<'_>) -> bool,
) -> RestResult {
    let found: Vec<View<'_>> = (0..world.repositories.len())
        .map(RepoId)
        .filter(|id| world.can_see(request.viewer, *id))
        .filter_map(|id| View::new(world, id))
        .filter(wanted)
        .collect();
    page::list(request, found, |view| {
        view.repository(world.permission(&request.viewer.login, view.id))
    })
}

/// Reads a field that can be removed: `None` if absent, `Some(None)` if null or empty.
fn nullable(request: &RestRequest<'_>, field: &str) -> Result<Option<Option<String>>, RestError> {
    if request.body.get(field).is_none() {
        return Ok(None);
    }
    let text = request.text("Repository", field)?;
    Ok(Some(
        text.filter(|text| !text.is_empty()).map(str::to_owned),
    ))
}

fn branch_row(view: &View<'_>, branch: &Branch) -> Value {
    json!({
        "name": branch.name,
        "commit": {
            "sha": branch.head(),
            "url": format!("{}/commits/{}", view.api(), branch.head()),
        },
        "protected": false,
    })
}
