//! Releases.

use serde_json::Value;

use super::present::View;
use super::request::{RestRequest, path_number};
use super::result::{RestError, RestResult, ok};
use super::route::RepoAccess;
use super::{assets, page};
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
    page::list(request, found, |release| present(&view, request, release))
}

pub(super) fn latest(world: &World, request: &RestRequest<'_>, access: RepoAccess) -> RestResult {
    let view = access.view(world)?;
    let latest = view.repo.latest_release().ok_or(RestError::NotFound)?;
    ok(&present(&view, request, latest))
}

pub(super) fn tagged(
    world: &World,
    request: &RestRequest<'_>,
    access: RepoAccess,
    tag: &str,
) -> RestResult {
    find_one(world, request, access, |release| {
        release.tag == tag && !release.draft
    })
}

pub(super) fn one(
    world: &World,
    request: &RestRequest<'_>,
    access: RepoAccess,
    id: &str,
) -> RestResult {
    let id = path_number(id)?;
    find_one(world, request, access, |release| {
        release.id == id && visible(release, access)
    })
}

fn find_one(
    world: &World,
    request: &RestRequest<'_>,
    access: RepoAccess,
    wanted: impl Fn(&Release) -> bool,
) -> RestResult {
    let view = access.view(world)?;
    let found = view.repo.releases.iter().find(|release| wanted(release));
    ok(&present(&view, request, found.ok_or(RestError::NotFound)?))
}

fn present(view: &View<'_>, request: &RestRequest<'_>, release: &Release) -> Value {
    let mut body = view.release(release);
    assets::complete_release(view, request, release.id, &mut body);
    body
}

/// Returns whether the viewer may see a release. Only users with write permission see drafts.
fn visible(release: &Release, access: RepoAccess) -> bool {
    !release.draft || access.permission >= Permission::Write
}
