//! Workflows and their runs.

use super::page;
use super::present::View;
use super::request::{RestRequest, path_number};
use super::result::{RestError, RestResult, ok};
use super::route::RepoAccess;
use crate::world::{Workflow, WorkflowRun, World};

/// Lists the runs of all workflows, or of one.
pub(super) fn runs(
    world: &World,
    request: &RestRequest<'_>,
    access: RepoAccess,
    workflow: Option<&str>,
) -> RestResult {
    let view = access.view(world)?;
    let workflow = match workflow {
        None => None,
        Some(id) => Some(find(&view, id)?.id),
    };
    let mut found: Vec<&WorkflowRun> = view
        .repo
        .runs
        .iter()
        .filter(|run| workflow.is_none_or(|id| id == run.workflow))
        .filter(|run| wanted(request, run))
        .collect();
    found.sort_by_key(|run| std::cmp::Reverse((run.created_at, run.id)));
    page::counted(request, "workflow_runs", found, |run| {
        view.run(run, access.permission)
    })
}

pub(super) fn run(world: &World, access: RepoAccess, id: &str) -> RestResult {
    let view = access.view(world)?;
    let id = path_number(id)?;
    let run = view.repo.runs.iter().find(|run| run.id == id);
    ok(&view.run(run.ok_or(RestError::NotFound)?, access.permission))
}

pub(super) fn workflows(
    world: &World,
    request: &RestRequest<'_>,
    access: RepoAccess,
) -> RestResult {
    let view = access.view(world)?;
    page::counted(
        request,
        "workflows",
        view.repo.workflows.iter().collect(),
        |workflow| view.workflow(workflow),
    )
}

pub(super) fn workflow(world: &World, access: RepoAccess, id: &str) -> RestResult {
    let view = access.view(world)?;
    ok(&view.workflow(find(&view, id)?))
}

/// Finds a workflow by database id or file name; GitHub accepts both.
fn find<'w>(view: &View<'w>, id: &str) -> Result<&'w Workflow, RestError> {
    view.repo
        .workflows
        .iter()
        .find(|workflow| {
            workflow.id.to_string() == id || workflow.path.rsplit('/').next() == Some(id)
        })
        .ok_or(RestError::NotFound)
}

fn wanted(request: &RestRequest<'_>, run: &WorkflowRun) -> bool {
    // `status` matches statuses and conclusions.
    let status = request.param("status").is_none_or(|status| {
        run.status.rest() == status
            || run
                .conclusion
                .is_some_and(|conclusion| conclusion.rest() == status)
    });
    status
        && request
            .param("branch")
            .is_none_or(|branch| run.head_branch == branch)
        && request
            .param("event")
            .is_none_or(|event| run.event == event)
        && request
            .param("actor")
            .is_none_or(|actor| run.actor == actor)
        && request
            .param("head_sha")
            .is_none_or(|sha| run.head_sha == sha)
}
