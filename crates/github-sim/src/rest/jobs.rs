//! The jobs of workflow runs.

use serde_json::{Value, json};

use super::page;
use super::present::View;
use super::request::{RestRequest, path_number};
use super::result::{RestError, RestResult, ok};
use super::route::RepoAccess;
use crate::world::{JobStep, RunStatus, WorkflowJob, WorkflowRun, World, rest_time};

pub(super) fn list(
    world: &World,
    request: &RestRequest<'_>,
    access: RepoAccess,
    run: &str,
) -> RestResult {
    let view = access.view(world)?;
    let id = path_number(run)?;
    let run = view.repo.runs.iter().find(|run| run.id == id);
    let run = run.ok_or(RestError::NotFound)?;
    page::counted(request, "jobs", run.jobs(), |job| present(&view, run, &job))
}

pub(super) fn one(world: &World, access: RepoAccess, id: &str) -> RestResult {
    let view = access.view(world)?;
    let id = path_number(id)?;
    let mut runs = view.repo.runs.iter();
    let found = runs.find_map(|run| Some((run, run.job(id)?)));
    let (run, job) = found.ok_or(RestError::NotFound)?;
    ok(&present(&view, run, &job))
}

fn present(view: &View<'_>, run: &WorkflowRun, job: &WorkflowJob) -> Value {
    let workflow = view.repo.workflow(run.workflow);
    let steps: Vec<Value> = job.steps.iter().map(step).collect();
    json!({
        "id": job.id,
        "run_id": run.id,
        "workflow_name": workflow.map(|workflow| workflow.name.as_str()),
        "head_branch": run.head_branch,
        "run_url": format!("{}/actions/runs/{}", view.api(), run.id),
        "run_attempt": run.run_attempt,
        "node_id": format!("CR_{}", job.id),
        "head_sha": run.head_sha,
        "url": format!("{}/actions/jobs/{}", view.api(), job.id),
        "html_url": format!("{}/actions/runs/{}/job/{}", view.web(), run.id, job.id),
        "status": job.status.rest(),
        "conclusion": job.conclusion.map(|conclusion| conclusion.rest()),
        "created_at": rest_time(run.created_at),
        "started_at": rest_time(run.started_at),
        "completed_at": completed_at(run),
        "name": job.name,
        "steps": steps,
        "check_run_url": format!("{}/check-runs/{}", view.api(), job.id),
        "labels": ["ubuntu-latest"],
        "runner_id": 1,
        "runner_name": "GitHub Actions 1",
        "runner_group_id": 0,
        "runner_group_name": "GitHub Actions",
    })
}

fn step(step: &JobStep) -> Value {
    json!({
        "name": step.name,
        "status": step.status.rest(),
        "conclusion": step.conclusion.map(|conclusion| conclusion.rest()),
        "number": step.number,
        "started_at": rest_time(step.started_at),
        "completed_at": (step.status == RunStatus::Completed).then(|| rest_time(step.started_at)),
    })
}

fn completed_at(run: &WorkflowRun) -> Value {
    (run.status == RunStatus::Completed)
        .then(|| rest_time(run.updated_at))
        .into()
}
