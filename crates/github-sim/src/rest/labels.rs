//! The labels of a repository.

use super::page;
use super::request::RestRequest;
use super::result::{RestError, RestResult, created, no_content, ok};
use super::route::RepoAccess;
use crate::world::{Label, NewLabel, World};

pub(super) fn list(world: &World, request: &RestRequest<'_>, access: RepoAccess) -> RestResult {
    let view = access.view(world)?;
    let mut labels: Vec<_> = view.repo.labels.iter().collect();
    labels.sort_by_key(|label| label.name.to_lowercase());
    page::list(request, labels, |label| view.label(label))
}

pub(super) fn one(world: &World, access: RepoAccess, name: &str) -> RestResult {
    let view = access.view(world)?;
    ok(&view.label(view.repo.label_named(name).ok_or(RestError::NotFound)?))
}

pub(super) fn create(
    world: &mut World,
    request: &RestRequest<'_>,
    access: RepoAccess,
) -> RestResult {
    let new = NewLabel {
        name: Some(request.required_text("Label", "name")?.to_owned()),
        color: request.text("Label", "color")?.map(plain_color),
        description: request.text("Label", "description")?.map(str::to_owned),
    };
    let id = world.create_label(request.viewer, access.repo, new)?;
    let view = access.view(world)?;
    created(&view.label(view.repo.label(id).ok_or(RestError::NotFound)?))
}

pub(super) fn update(
    world: &mut World,
    request: &RestRequest<'_>,
    access: RepoAccess,
    name: &str,
) -> RestResult {
    let id = find(world, access, name)?.id;
    let edit = NewLabel {
        name: request.text("Label", "new_name")?.map(str::to_owned),
        color: request.text("Label", "color")?.map(plain_color),
        description: request.text("Label", "description")?.map(str::to_owned),
    };
    world.update_label(request.viewer, access.repo, id, edit)?;
    let view = access.view(world)?;
    ok(&view.label(view.repo.label(id).ok_or(RestError::NotFound)?))
}

pub(super) fn delete(
    world: &mut World,
    request: &RestRequest<'_>,
    access: RepoAccess,
    name: &str,
) -> RestResult {
    let id = find(world, access, name)?.id;
    world.delete_label(request.viewer, access.repo, id)?;
    no_content()
}

fn find<'w>(world: &'w World, access: RepoAccess, name: &str) -> Result<&'w Label, RestError> {
    let repo = world.repo(access.repo).ok_or(RestError::NotFound)?;
    repo.label_named(name).ok_or(RestError::NotFound)
}

/// Removes a leading `#`, which the API does not ask for but clients may send.
fn plain_color(color: &str) -> String {
    color.trim_start_matches('#').to_owned()
}
