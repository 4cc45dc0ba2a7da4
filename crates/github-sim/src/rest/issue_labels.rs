//! The labels on one issue or pull request.

use http::StatusCode;

use super::page;
use super::present::View;
use super::reply::{Failure, Reply, no_content};
use super::request::{RestRequest, text_list};
use crate::world::{IssueRef, World};

pub(super) fn list(world: &World, request: &RestRequest<'_>, at: IssueRef) -> Reply {
    let view = View::new(world, at.repo).ok_or(Failure::NotFound)?;
    let issue = world.issue_at(at).ok_or(Failure::NotFound)?;
    page::list(request, view.labels_of(issue), |label| label)
}

pub(super) fn add(world: &mut World, request: &RestRequest<'_>, at: IssueRef) -> Reply {
    let names = names(request)?;
    let ids = world.ensure_labels(request.viewer, at.repo, &names)?;
    world.add_labels(request.viewer, at, &ids)?;
    list(world, request, at)
}

pub(super) fn replace(world: &mut World, request: &RestRequest<'_>, at: IssueRef) -> Reply {
    let names = names(request)?;
    let ids = world.ensure_labels(request.viewer, at.repo, &names)?;
    world.set_labels(request.viewer, at, &ids)?;
    list(world, request, at)
}

pub(super) fn clear(world: &mut World, request: &RestRequest<'_>, at: IssueRef) -> Reply {
    world.set_labels(request.viewer, at, &[])?;
    no_content()
}

pub(super) fn remove(
    world: &mut World,
    request: &RestRequest<'_>,
    at: IssueRef,
    name: &str,
) -> Reply {
    let issue = world.issue_at(at).ok_or(Failure::NotFound)?;
    let label = world.repo(at.repo).and_then(|repo| repo.label_named(name));
    let id = label
        .map(|label| label.id)
        .filter(|id| issue.labels.contains(id));
    let Some(id) = id else {
        return Err(Failure::Other(
            StatusCode::NOT_FOUND,
            "Label does not exist".to_owned(),
        ));
    };
    world.remove_labels(request.viewer, at, &[id])?;
    list(world, request, at)
}

/// `{"labels": [...]}` or the list alone.
fn names(request: &RestRequest<'_>) -> Result<Vec<String>, Failure> {
    let list = if request.body.is_array() {
        text_list(request.body)
    } else {
        request.texts("Label", "labels")?
    };
    list.ok_or_else(|| Failure::missing("Label", "labels"))
}
