//! Mutations of labels and of the labels on issues and pull requests.

use super::input::{Input, issue_or_pull_location};
use super::resolve::MutationResult;
use crate::graphql::value::{Record, ResolveError};
use crate::world::{Located, NewLabel, Refusal, RepoId, Viewer, World};

/// Resolves the mutations of labels; returns `None` for others.
pub(super) fn resolve(
    world: &mut World,
    viewer: &Viewer,
    name: &str,
    input: &Input,
    payload: Record,
) -> Option<MutationResult> {
    Some(match name {
        "createLabel" => create(world, viewer, input, payload),
        "updateLabel" => update(world, viewer, input, payload),
        "deleteLabel" => delete(world, viewer, input, payload),
        "addLabelsToLabelable" | "removeLabelsFromLabelable" | "clearLabelsFromLabelable" => {
            change_labels(world, viewer, name, input, payload)
        }
        _ => return None,
    })
}

fn create(world: &mut World, viewer: &Viewer, input: &Input, payload: Record) -> MutationResult {
    let repo = input.repo(world, viewer, "repositoryId")?;
    let id = world.create_label(viewer, repo, read_label(input))?;
    Ok(payload.with("label", Located::Label(repo, id)))
}

fn update(world: &mut World, viewer: &Viewer, input: &Input, payload: Record) -> MutationResult {
    let (repo, id) = find_label(world, viewer, input)?;
    world.update_label(viewer, repo, id, read_label(input))?;
    Ok(payload.with("label", Located::Label(repo, id)))
}

fn delete(world: &mut World, viewer: &Viewer, input: &Input, payload: Record) -> MutationResult {
    let (repo, id) = find_label(world, viewer, input)?;
    world.delete_label(viewer, repo, id)?;
    Ok(payload)
}

fn change_labels(
    world: &mut World,
    viewer: &Viewer,
    name: &str,
    input: &Input,
    payload: Record,
) -> MutationResult {
    let at = input.issue(world, viewer, "labelableId")?;
    let labels = input.labels(world, viewer, "labelIds")?.unwrap_or_default();
    match name {
        "addLabelsToLabelable" => world.add_labels(viewer, at, &labels)?,
        "removeLabelsFromLabelable" => world.remove_labels(viewer, at, &labels)?,
        _ => world.set_labels(viewer, at, &[])?,
    }
    Ok(payload.with("labelable", issue_or_pull_location(world, at)))
}

fn read_label(input: &Input) -> NewLabel {
    NewLabel {
        name: input.text("name"),
        color: input.text("color"),
        description: input.text("description"),
    }
}

fn find_label(
    world: &World,
    viewer: &Viewer,
    input: &Input,
) -> Result<(RepoId, u64), ResolveError> {
    match world.node(viewer, input.str("id"))? {
        Located::Label(repo, id) => Ok((repo, id)),
        _ => Err(Refusal::no_node(input.str("id")).into()),
    }
}
