//! The labels that a repository defines.

use super::page;
use super::reply::{Failure, Reply, created, no_content, ok};
use super::request::RestRequest;
use super::route::Place;
use crate::world::{Label, NewLabel, World};

pub(super) fn list(world: &World, request: &RestRequest<'_>, place: Place) -> Reply {
    let view = place.view(world)?;
    let mut labels: Vec<_> = view.repo.labels.iter().collect();
    labels.sort_by_key(|label| label.name.to_lowercase());
    page::list(request, labels, |label| view.label(label))
}

pub(super) fn one(world: &World, place: Place, name: &str) -> Reply {
    let view = place.view(world)?;
    ok(&view.label(view.repo.label_named(name).ok_or(Failure::NotFound)?))
}

pub(super) fn create(world: &mut World, request: &RestRequest<'_>, place: Place) -> Reply {
    let new = NewLabel {
        name: Some(request.required_text("Label", "name")?.to_owned()),
        color: request.text("Label", "color")?.map(plain_color),
        description: request.text("Label", "description")?.map(str::to_owned),
    };
    let id = world.create_label(request.viewer, place.repo, new)?;
    let view = place.view(world)?;
    created(&view.label(view.repo.label(id).ok_or(Failure::NotFound)?))
}

pub(super) fn update(
    world: &mut World,
    request: &RestRequest<'_>,
    place: Place,
    name: &str,
) -> Reply {
    let id = find(world, place, name)?.id;
    let edit = NewLabel {
        name: request.text("Label", "new_name")?.map(str::to_owned),
        color: request.text("Label", "color")?.map(plain_color),
        description: request.text("Label", "description")?.map(str::to_owned),
    };
    world.update_label(request.viewer, place.repo, id, edit)?;
    let view = place.view(world)?;
    ok(&view.label(view.repo.label(id).ok_or(Failure::NotFound)?))
}

pub(super) fn delete(
    world: &mut World,
    request: &RestRequest<'_>,
    place: Place,
    name: &str,
) -> Reply {
    let id = find(world, place, name)?.id;
    world.delete_label(request.viewer, place.repo, id)?;
    no_content()
}

fn find<'w>(world: &'w World, place: Place, name: &str) -> Result<&'w Label, Failure> {
    let repo = world.repo(place.repo).ok_or(Failure::NotFound)?;
    repo.label_named(name).ok_or(Failure::NotFound)
}

/// Clients may write a leading `#`, though the API asks for none.
fn plain_color(color: &str) -> String {
    color.trim_start_matches('#').to_owned()
}
