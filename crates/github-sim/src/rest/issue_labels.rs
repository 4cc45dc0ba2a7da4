//! The labels on one issue or pull request.

use http::StatusCode;

use super::page;
use super::present::View;
use super::request::{RestRequest, text_list};
use super::result::{RestError, RestResult, no_content};
use crate::world::{IssueRef, World};

pub(super) fn list(world: &World, request: &RestRequest<'_>, at: IssueRef) -> RestResult {
    let view = View::new(world, at.repo).ok_or(RestError::NotFound)?;
    let issue = world.issue_at(at).ok_or(RestError::NotFound)?;
    page::list(request, view.labels_of(issue), |label| label)
}

pub(super) fn add(world: &mut World, request: &RestRequest<'_>, at: IssueRef) -> RestResult {
    let names = names(request)?;
    let ids = world.ensure_labels(request.viewer, at.repo, &names)?;
    world.add_labels(request.viewer, at, &ids)?;
    list(world, request, at)
}

pub(super) fn replace(world: &mut World, request: &RestRequest<'_>, at: IssueRef) -> RestResult {
    let names = names(request)?;
    let ids = world.ensure_labels(request.viewer, at.repo, &names)?;
    world.set_labels(request.viewer, at, &ids)?;
    list(world, request, at)
}

pub(super) fn clear(world: &mut World, request: &RestRequest<'_>, at: IssueRef) -> RestResult {
    world.set_labels(request.viewer, at, &[])?;
    no_content()
}

pub(super) fn remove(
    world: &mut World,
    request: &RestRequest<'_>,
    at: IssueRef,
    name: &str,
) -> RestResult {
    let issue = world.issue_at(at).ok_or(RestError::NotFound)?;
    let label = world.repo(at.repo).and_then(|repo| repo.label_named(name));
    let id = label
        .map(|label| label.id)
        .filter(|id| issue.labels.contains(id));
    let Some(id) = id else {
        return Err(RestError::Other(
            StatusCode::NOT_FOUND,
            "Label does not exist".to_owned(),
        ));
    };
    world.remove_labels(request.viewer, at, &[id])?;
    list(world, request, at)
}

/// Reads the names from `{"labels": [...]}` or from the list alone.
fn names(request: &RestRequest<'_>) -> Result<Vec<String>, RestError> {
    let list = if request.body.is_array() {
        text_list(request.body)
    } else {
        request.texts("Label", "labels")?
    };
    list.ok_or_else(|| RestError::missing("Label", "labels"))
}
