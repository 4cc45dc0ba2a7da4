//! Repositories and their branches.

use serde_json::{Value, json};

use super::page;
use super::present::View;
use super::reply::{Failure, Reply, ok};
use super::request::RestRequest;
use super::route::Place;
use crate::world::{Branch, RepoId, RepositoryEdit, World};

pub(super) fn one(world: &World, place: Place) -> Reply {
    ok(&place.view(world)?.full_repository(place.permission))
}

pub(super) fn update(world: &mut World, request: &RestRequest<'_>, place: Place) -> Reply {
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
    world.edit_repository(request.viewer, place.repo, edit)?;
    one(world, place)
}

pub(super) fn of_owner(world: &World, request: &RestRequest<'_>, login: &str) -> Reply {
    let owner = world.owner(login).ok_or(Failure::NotFound)?;
    list(world, request, |view| view.repo.owner == owner.login())
}

pub(super) fn of_viewer(world: &World, request: &RestRequest<'_>) -> Reply {
    let login = &request.viewer.login;
    list(world, request, |view| {
        view.repo.owner == *login || view.repo.collaborators.contains_key(login)
    })
}

pub(super) fn branches(world: &World, request: &RestRequest<'_>, place: Place) -> Reply {
    let view = place.view(world)?;
    page::list(request, view.repo.branches.values().collect(), |b| {
        branch_row(&view, b)
    })
}

pub(super) fn branch(world: &World, place: Place, name: &str) -> Reply {
    let view = place.view(world)?;
    let branch = view.repo.branches.get(name).ok_or(Failure::NotFound)?;
    ok(&branch_row(&view, branch))
}

fn list(world: &World, request: &RestRequest<'_>, wanted: impl Fn(&View<'_>) -> bool) -> Reply {
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

/// Absent: leave it; null or empty: remove it.
fn nullable(request: &RestRequest<'_>, field: &str) -> Result<Option<Option<String>>, Failure> {
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
