//! Workflows and their runs.

use serde_json::{Value, json};

use super::account;
use super::view::View;
use crate::world::{NodeKind, Permission, Workflow, WorkflowRun, rest_time};

impl View<'_> {
    pub(crate) fn workflow(&self, workflow: &Workflow) -> Value {
        let file = workflow.path.rsplit('/').next().unwrap_or_default();
        json!({
            "id": workflow.id,
            "node_id": self.node_id(NodeKind::Workflow, workflow.id),
            "name": workflow.name,
            "path": workflow.path,
            "state": workflow.state,
            "created_at": rest_time(workflow.created_at),
            "updated_at": rest_time(workflow.updated_at),
            "url": format!("{}/actions/workflows/{}", self.api(), workflow.id),
            "html_url": format!("{}/blob/{}/{}", self.web(), self.repo.default_branch, workflow.path),
            "badge_url": format!("{}/actions/workflows/{file}/badge.svg", self.web()),
        })
    }

    pub(crate) fn run(&self, run: &WorkflowRun, permission: Permission) -> Value {
        let api = format!("{}/actions/runs/{}", self.api(), run.id);
        let workflow = self.repo.workflow(run.workflow);
        let actor = account::user(self.world, &run.actor);
        let repository = self.repository(permission);
        json!({
            "id": run.id,
            "name": workflow.map(|workflow| workflow.name.as_str()),
            "node_id": self.node_id(NodeKind::WorkflowRun, run.id),
            "head_branch": run.head_branch,
            "head_sha": run.head_sha,
            "path": workflow.map(|workflow| workflow.path.as_str()),
            "display_title": run.display_title,
            "run_number": run.run_number,
            "event": run.event,
            "status": run.status.rest(),
            "conclusion": run.conclusion.map(|conclusion| conclusion.rest()),
            "workflow_id": run.workflow,
            "check_suite_id": run.id,
            "check_suite_node_id": self.node_id(NodeKind::CheckSuite, run.id),
            "url": api,
            "html_url": format!("{}/actions/runs/{}", self.web(), run.id),
            "pull_requests": [],
            "created_at": rest_time(run.created_at),
            "updated_at": rest_time(run.updated_at),
            "actor": actor,
            "run_attempt": run.run_attempt,
            "referenced_workflows": [],
            "run_started_at": rest_time(run.started_at),
            "triggering_actor": actor,
            "jobs_url": format!("{api}/jobs"),
            "logs_url": format!("{api}/logs"),
            "check_suite_url": format!("{}/check-suites/{}", self.api(), run.id),
            "artifacts_url": format!("{api}/artifacts"),
            "cancel_url": format!("{api}/cancel"),
            "rerun_url": format!("{api}/rerun"),
            "previous_attempt_url": null,
            "workflow_url": format!("{}/actions/workflows/{}", self.api(), run.workflow),
            "head_commit": self.head_commit(run),
            "repository": repository,
            "head_repository": repository,
        })
    }

    fn head_commit(&self, run: &WorkflowRun) -> Option<Value> {
        let commit = self.repo.commits.get(&run.head_sha)?;
        let email = self
            .world
            .user(&commit.author)
            .map(|user| user.email.clone());
        let person = json!({ "name": commit.author, "email": email });
        Some(json!({
            "id": commit.sha,
            "tree_id": commit.sha,
            "message": commit.message,
            "timestamp": rest_time(commit.committed_at),
            "author": person,
            "committer": person,
        }))
    }
}
