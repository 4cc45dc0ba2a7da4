//! Mutations of labels and of what bears them.

use super::input::{Input, issueish};
use super::resolve::Outcome;
use crate::graphql::answer::{Failure, Record};
use crate::world::{Located, NewLabel, Refusal, RepoId, Viewer, World};

/// `None` if the mutation is not one of these.
pub(super) fn resolve(
    world: &mut World,
    viewer: &Viewer,
    name: &str,
    input: &Input,
    payload: Record,
) -> Option<Outcome> {
    Some(match name {
        "createLabel" => create(world, viewer, input, payload),
        "updateLabel" => update(world, viewer, input, payload),
        "deleteLabel" => delete(world, viewer, input, payload),
        "addLabelsToLabelable" | "removeLabelsFromLabelable" | "clearLabelsFromLabelable" => {
            put(world, viewer, name, input, payload)
        }
        _ => return None,
    })
}

fn create(world: &mut World, viewer: &Viewer, input: &Input, payload: Record) -> Outcome {
    let repo = input.repo(world, viewer, "repositoryId")?;
    let id = world.create_label(viewer, repo, described(input))?;
    Ok(payload.with("label", Located::Label(repo, id)))
}

fn update(world: &mut World, viewer: &Viewer, input: &Input, payload: Record) -> Outcome {
    let (repo, id) = label(world, viewer, input)?;
    world.update_label(viewer, repo, id, described(input))?;
    Ok(payload.with("label", Located::Label(repo, id)))
}

fn delete(world: &mut World, viewer: &Viewer, input: &Input, payload: Record) -> Outcome {
    let (repo, id) = label(world, viewer, input)?;
    world.delete_label(viewer, repo, id)?;
    Ok(payload)
}

fn put(world: &mut World, viewer: &Viewer, name: &str, input: &Input, payload: Record) -> Outcome {
    let at = input.issue(world, viewer, "labelableId")?;
    let labels = input.labels(world, viewer, "labelIds")?.unwrap_or_default();
    match name {
        "addLabelsToLabelable" => world.add_labels(viewer, at, &labels)?,
        "removeLabelsFromLabelable" => world.remove_labels(viewer, at, &labels)?,
        _ => world.set_labels(viewer, at, &[])?,
    }
    Ok(payload.with("labelable", issueish(world, at)))
}

fn described(input: &Input) -> NewLabel {
    NewLabel {
        name: input.text("name"),
        color: input.text("color"),
        description: input.text("description"),
    }
}

fn label(world: &World, viewer: &Viewer, input: &Input) -> Result<(RepoId, u64), Failure> {
    match world.node(viewer, input.str("id"))? {
        Located::Label(repo, id) => Ok((repo, id)),
        _ => Err(Refusal::no_node(input.str("id")).into()),
    }
}
