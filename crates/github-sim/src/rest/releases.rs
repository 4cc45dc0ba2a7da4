//! Releases.

use super::page;
use super::reply::{Failure, Reply, ok};
use super::request::{RestRequest, path_number};
use super::route::Place;
use crate::world::{Permission, Release, World};

pub(super) fn list(world: &World, request: &RestRequest<'_>, place: Place) -> Reply {
    let view = place.view(world)?;
    let mut found: Vec<&Release> = view
        .repo
        .releases
        .iter()
        .filter(|release| visible(release, place))
        .collect();
    found.sort_by_key(|release| std::cmp::Reverse((release.created_at, release.id)));
    page::list(request, found, |release| view.release(release))
}

pub(super) fn latest(world: &World, place: Place) -> Reply {
    let view = place.view(world)?;
    ok(&view.release(view.repo.latest_release().ok_or(Failure::NotFound)?))
}

pub(super) fn tagged(world: &World, place: Place, tag: &str) -> Reply {
    one_where(world, place, |release| release.tag == tag && !release.draft)
}

pub(super) fn one(world: &World, place: Place, id: &str) -> Reply {
    let id = path_number(id)?;
    one_where(world, place, |release| {
        release.id == id && visible(release, place)
    })
}

fn one_where(world: &World, place: Place, wanted: impl Fn(&Release) -> bool) -> Reply {
    let view = place.view(world)?;
    let found = view.repo.releases.iter().find(|release| wanted(release));
    ok(&view.release(found.ok_or(Failure::NotFound)?))
}

/// Drafts are for those who may publish them.
fn visible(release: &Release, place: Place) -> bool {
    !release.draft || place.permission >= Permission::Write
}
