//! Mutations of pull requests.

use super::input::Input;
use super::resolve::MutationResult;
use crate::graphql::value::Record;
use crate::world::{
    IssueEdit, IssueState, Located, MergeMethod, MergeRequest, NewPullRequest, PullRequestEdit,
    Viewer, World,
};

/// Resolves the mutations of pull requests; returns `None` for others.
pub(super) fn resolve(
    world: &mut World,
    viewer: &Viewer,
    name: &str,
    input: &Input,
    payload: Record,
) -> Option<MutationResult> {
    Some(match name {
        "createPullRequest" => create(world, viewer, input, payload),
        "updatePullRequest" => update(world, viewer, input, payload),
        "mergePullRequest" => merge(world, viewer, input, payload),
        "closePullRequest"
        | "reopenPullRequest"
        | "markPullRequestReadyForReview"
        | "convertPullRequestToDraft" => change_state(world, viewer, name, input, payload),
        _ => return None,
    })
}

fn create(world: &mut World, viewer: &Viewer, input: &Input, payload: Record) -> MutationResult {
    let repo = input.repo(world, viewer, "repositoryId")?;
    let mut head = input.text("headRefName").unwrap_or_default();
    if let Some(id) = input.text("headRepositoryId") {
        let head_repo = world
            .node(viewer, &id)?
            .repo()
            .and_then(|repo| world.repo(repo));
        if let Some(owner) = head_repo.map(|repo| repo.owner.as_str()) {
            let branch = head
                .split_once(':')
                .map_or(head.as_str(), |(_, branch)| branch);
            head = format!("{owner}:{branch}");
        }
    }
    let new = NewPullRequest {
        title: input.text("title").unwrap_or_default(),
        body: input.text("body").unwrap_or_default(),
        head,
        base: input.text("baseRefName").unwrap_or_default(),
        draft: input.flag("draft").unwrap_or(false),
        maintainer_can_modify: input.flag("maintainerCanModify").unwrap_or(true),
    };
    let at = world.create_pull_request(viewer, repo, new)?;
    Ok(payload.with("pullRequest", Located::PullRequest(at)))
}

fn update(world: &mut World, viewer: &Viewer, input: &Input, payload: Record) -> MutationResult {
    let at = input.pull(world, viewer, "pullRequestId")?;
    let edit = PullRequestEdit {
        issue: IssueEdit {
            title: input.text("title"),
            body: input.text("body"),
            assignees: input.users(world, viewer, "assigneeIds")?,
            labels: input.labels(world, viewer, "labelIds")?,
            milestone: input.milestone(world, viewer, "milestoneId")?,
            state: input
                .text("state")
                .and_then(|state| IssueState::parse(&state)),
            ..IssueEdit::default()
        },
        base: input.text("baseRefName"),
        maintainer_can_modify: input.flag("maintainerCanModify"),
    };
    world.edit_pull_request(viewer, at, edit)?;
    Ok(payload
        .with("pullRequest", Located::PullRequest(at))
        .with("actor", Located::User(viewer.login.clone())))
}

fn merge(world: &mut World, viewer: &Viewer, input: &Input, payload: Record) -> MutationResult {
    let at = input.pull(world, viewer, "pullRequestId")?;
    let request = MergeRequest {
        method: MergeMethod::parse(input.str("mergeMethod")),
        headline: input.text("commitHeadline"),
        body: input.text("commitBody"),
        expected_head: input.text("expectedHeadOid"),
    };
    world.merge_pull_request(viewer, at, &request)?;
    Ok(payload
        .with("pullRequest", Located::PullRequest(at))
        .with("actor", Located::User(viewer.login.clone())))
}

fn change_state(
    world: &mut World,
    viewer: &Viewer,
    name: &str,
    input: &Input,
    payload: Record,
) -> MutationResult {
    let at = input.pull(world, viewer, "pullRequestId")?;
    match name {
        "closePullRequest" => world.close_pull_request(viewer, at)?,
        "reopenPullRequest" => world.reopen_pull_request(viewer, at)?,
        "convertPullRequestToDraft" => world.set_draft(viewer, at, true)?,
        _ => world.set_draft(viewer, at, false)?,
    }
    Ok(payload.with("pullRequest", Located::PullRequest(at)))
}
