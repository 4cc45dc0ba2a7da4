//! Releases.

use super::page;
use super::request::{RestRequest, path_number};
use super::result::{RestError, RestResult, ok};
use super::route::RepoAccess;
use crate::world::{Permission, Release, World};

pub(super) fn list(world: &World, request: &RestRequest<'_>, access: RepoAccess) -> RestResult {
    let view = access.view(world)?;
    let mut found: Vec<&Release> = view
        .repo
        .releases
        .iter()
        .filter(|release| visible(release, access))
        .collect();
    found.sort_by_key(|release| std::cmp::Reverse((release.created_at, release.id)));
    page::list(request, found, |release| view.release(release))
}

pub(super) fn latest(world: &World, access: RepoAccess) -> RestResult {
    let view = access.view(world)?;
    ok(&view.release(view.repo.latest_release().ok_or(RestError::NotFound)?))
}

pub(super) fn tagged(world: &World, access: RepoAccess, tag: &str) -> RestResult {
    find_one(world, access, |release| {
        release.tag == tag && !release.draft
    })
}

pub(super) fn one(world: &World, access: RepoAccess, id: &str) -> RestResult {
    let id = path_number(id)?;
    find_one(world, access, |release| {
        release.id == id && visible(release, access)
    })
}

fn find_one(world: &World, access: RepoAccess, wanted: impl Fn(&Release) -> bool) -> RestResult {
    let view = access.view(world)?;
    let found = view.repo.releases.iter().find(|release| wanted(release));
    ok(&view.release(found.ok_or(RestError::NotFound)?))
}

/// Returns whether the viewer may see a release. Only users with write permission see drafts.
fn visible(release: &Release, access: RepoAccess) -> bool {
    !release.draft || access.permission >= Permission::Write
}
