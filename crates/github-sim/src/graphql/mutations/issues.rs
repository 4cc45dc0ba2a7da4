//! Mutations of issues.

use super::input::{Input, issue_or_pull_location};
use super::resolve::MutationResult;
use crate::graphql::value::Record;
use crate::world::{
    IssueEdit, IssueState, Located, LockReason, NewIssue, StateReason, Viewer, World,
};

/// Resolves the mutations of issues; returns `None` for others.
pub(super) fn resolve(
    world: &mut World,
    viewer: &Viewer,
    name: &str,
    input: &Input,
    payload: Record,
) -> Option<MutationResult> {
    Some(match name {
        "createIssue" => create(world, viewer, input, payload),
        "updateIssue" => update(world, viewer, input, payload),
        "closeIssue" => close(world, viewer, input, payload),
        "reopenIssue" => reopen(world, viewer, input, payload),
        "deleteIssue" => delete(world, viewer, input, payload),
        "lockLockable" | "unlockLockable" => lock(world, viewer, name, input, payload),
        "pinIssue" | "unpinIssue" => pin(world, viewer, name, input, payload),
        "addBlockedBy" | "removeBlockedBy" => {
            change_blocked_by(world, viewer, name, input, payload)
        }
        "addSubIssue" | "removeSubIssue" => change_sub_issue(world, viewer, name, input, payload),
        "updateIssueIssueType" => set_issue_type(world, viewer, input, payload),
        _ => return None,
    })
}

fn create(world: &mut World, viewer: &Viewer, input: &Input, payload: Record) -> MutationResult {
    let repo = input.repo(world, viewer, "repositoryId")?;
    let new = NewIssue {
        title: input.text("title").unwrap_or_default(),
        body: input.text("body").unwrap_or_default(),
        assignees: input
            .users(world, viewer, "assigneeIds")?
            .unwrap_or_default(),
        labels: input.labels(world, viewer, "labelIds")?.unwrap_or_default(),
        milestone: input.milestone(world, viewer, "milestoneId")?.flatten(),
        issue_type: input.issue_type(world, viewer, "issueTypeId")?.flatten(),
    };
    let parent = match input.text("parentIssueId") {
        Some(_) => Some(input.issue(world, viewer, "parentIssueId")?),
        None => None,
    };
    let at = world.create_issue(viewer, repo, new)?;
    if let Some(parent) = parent {
        world.add_sub_issue(viewer, parent, at, false)?;
    }
    Ok(payload.with("issue", Located::Issue(at)))
}

fn update(world: &mut World, viewer: &Viewer, input: &Input, payload: Record) -> MutationResult {
    let at = input.issue(world, viewer, "id")?;
    let edit = IssueEdit {
        title: input.text("title"),
        body: input.text("body"),
        assignees: input.users(world, viewer, "assigneeIds")?,
        labels: input.labels(world, viewer, "labelIds")?,
        milestone: input.milestone(world, viewer, "milestoneId")?,
        issue_type: input.issue_type(world, viewer, "issueTypeId")?,
        state: input
            .text("state")
            .and_then(|state| IssueState::parse(&state)),
        state_reason: None,
    };
    world.edit_issue(viewer, at, edit)?;
    Ok(payload
        .with("issue", Located::Issue(at))
        .with("actor", Located::User(viewer.login.clone())))
}

fn close(world: &mut World, viewer: &Viewer, input: &Input, payload: Record) -> MutationResult {
    let at = input.issue(world, viewer, "issueId")?;
    let duplicate = input
        .text("duplicateIssueId")
        .map(|_| StateReason::Duplicate);
    let reason = StateReason::parse(input.str("stateReason")).or(duplicate);
    world.close_issue(viewer, at, reason)?;
    Ok(payload.with("issue", Located::Issue(at)))
}

fn reopen(world: &mut World, viewer: &Viewer, input: &Input, payload: Record) -> MutationResult {
    let at = input.issue(world, viewer, "issueId")?;
    world.reopen_issue(viewer, at)?;
    Ok(payload.with("issue", Located::Issue(at)))
}

fn delete(world: &mut World, viewer: &Viewer, input: &Input, payload: Record) -> MutationResult {
    let at = input.issue(world, viewer, "issueId")?;
    world.delete_issue(viewer, at)?;
    Ok(payload.with("repository", Located::Repository(at.repo)))
}

fn lock(
    world: &mut World,
    viewer: &Viewer,
    name: &str,
    input: &Input,
    payload: Record,
) -> MutationResult {
    let at = input.issue(world, viewer, "lockableId")?;
    if name == "lockLockable" {
        let reason = LockReason::parse(input.str("lockReason"));
        world.lock_issue(viewer, at, reason)?;
        return Ok(payload
            .with("lockedRecord", issue_or_pull_location(world, at))
            .with("actor", Located::User(viewer.login.clone())));
    }
    world.unlock_issue(viewer, at)?;
    Ok(payload
        .with("unlockedRecord", issue_or_pull_location(world, at))
        .with("actor", Located::User(viewer.login.clone())))
}

fn pin(
    world: &mut World,
    viewer: &Viewer,
    name: &str,
    input: &Input,
    payload: Record,
) -> MutationResult {
    let at = input.issue(world, viewer, "issueId")?;
    world.set_pinned(viewer, at, name == "pinIssue")?;
    Ok(payload.with("issue", Located::Issue(at)))
}

fn change_blocked_by(
    world: &mut World,
    viewer: &Viewer,
    name: &str,
    input: &Input,
    payload: Record,
) -> MutationResult {
    let at = input.issue(world, viewer, "issueId")?;
    let blocker = input.issue(world, viewer, "blockingIssueId")?;
    if name == "addBlockedBy" {
        world.add_blocked_by(viewer, at, blocker)?;
    } else {
        world.remove_blocked_by(viewer, at, blocker)?;
    }
    Ok(payload
        .with("issue", Located::Issue(at))
        .with("blockingIssue", Located::Issue(blocker)))
}

fn change_sub_issue(
    world: &mut World,
    viewer: &Viewer,
    name: &str,
    input: &Input,
    payload: Record,
) -> MutationResult {
    let parent = input.issue(world, viewer, "issueId")?;
    let child = input.issue(world, viewer, "subIssueId")?;
    if name == "addSubIssue" {
        let replace = input.flag("replaceParent").unwrap_or(false);
        world.add_sub_issue(viewer, parent, child, replace)?;
    } else {
        world.remove_sub_issue(viewer, parent, child)?;
    }
    Ok(payload
        .with("issue", Located::Issue(parent))
        .with("subIssue", Located::Issue(child)))
}

fn set_issue_type(
    world: &mut World,
    viewer: &Viewer,
    input: &Input,
    payload: Record,
) -> MutationResult {
    let at = input.issue(world, viewer, "issueId")?;
    let edit = IssueEdit {
        issue_type: Some(input.issue_type(world, viewer, "issueTypeId")?.flatten()),
        ..IssueEdit::default()
    };
    world.edit_issue(viewer, at, edit)?;
    Ok(payload.with("issue", Located::Issue(at)))
}
