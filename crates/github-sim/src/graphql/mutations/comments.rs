//! Mutations of comments and reactions.

use super::input::{Input, issue_or_pull_location};
use super::resolve::MutationResult;
use crate::graphql::value::{Record, ResolveError, record};
use crate::world::{IssueRef, Located, ReactionContent, Refusal, Viewer, World};

/// Resolves the mutations of comments and reactions; returns `None` for others.
pub(super) fn resolve(
    world: &mut World,
    viewer: &Viewer,
    name: &str,
    input: &Input,
    payload: Record,
) -> Option<MutationResult> {
    Some(match name {
        "addComment" => add(world, viewer, input, payload),
        "updateIssueComment" => update(world, viewer, input, payload),
        "deleteIssueComment" => delete(world, viewer, input, payload),
        "addReaction" | "removeReaction" => react(world, viewer, name, input, payload),
        _ => return None,
    })
}

fn add(world: &mut World, viewer: &Viewer, input: &Input, payload: Record) -> MutationResult {
    let at = input.issue(world, viewer, "subjectId")?;
    let id = world.add_comment(viewer, at, input.str("body"))?;
    Ok(payload
        .with(
            "commentEdge",
            record("IssueCommentEdge").with("node", Located::Comment(at, id)),
        )
        .with("subject", issue_or_pull_location(world, at)))
}

fn update(world: &mut World, viewer: &Viewer, input: &Input, payload: Record) -> MutationResult {
    let (at, id) = find_comment(world, viewer, input)?;
    world.update_comment(viewer, at, id, input.str("body"))?;
    Ok(payload.with("issueComment", Located::Comment(at, id)))
}

fn delete(world: &mut World, viewer: &Viewer, input: &Input, payload: Record) -> MutationResult {
    let (at, id) = find_comment(world, viewer, input)?;
    world.delete_comment(viewer, at, id)?;
    Ok(payload)
}

fn react(
    world: &mut World,
    viewer: &Viewer,
    name: &str,
    input: &Input,
    payload: Record,
) -> MutationResult {
    let subject = world.node(viewer, input.str("subjectId"))?;
    let (at, comment) = match &subject {
        Located::Issue(at) | Located::PullRequest(at) => (*at, None),
        Located::Comment(at, id) => (*at, Some(*id)),
        _ => return Err(Refusal::no_node(input.str("subjectId")).into()),
    };
    let content = ReactionContent::parse(input.str("content"))
        .ok_or_else(|| ResolveError::new("UNPROCESSABLE", "Content is not included in the list"))?;
    if name == "addReaction" {
        world.add_reaction(viewer, at, comment, content)?;
    } else {
        world.remove_reaction(viewer, at, comment, content)?;
    }
    Ok(payload.with("subject", subject).with(
        "reaction",
        record("Reaction").with("content", content.name()),
    ))
}

fn find_comment(
    world: &World,
    viewer: &Viewer,
    input: &Input,
) -> Result<(IssueRef, u64), ResolveError> {
    match world.node(viewer, input.str("id"))? {
        Located::Comment(at, id) => Ok((at, id)),
        _ => Err(Refusal::no_node(input.str("id")).into()),
    }
}
