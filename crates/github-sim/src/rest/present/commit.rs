//! Commits, check runs and commit statuses.

use serde_json::{Value, json};

use super::account;
use super::view::{View, optional_time};
use crate::world::{
    CheckRun, Commit, CommitStatus, NodeKind, Permission, StatusContext, rest_time,
};

impl View<'_> {
    pub(crate) fn commit(&self, commit: &Commit) -> Value {
        let api = format!("{}/commits/{}", self.api(), commit.sha);
        let author = account::user(self.world, &commit.author);
        let user = self.world.user(&commit.author);
        let person = json!({
            "name": user.and_then(|user| user.name.clone()).unwrap_or_else(|| commit.author.clone()),
            "email": user.map(|user| user.email.clone()),
            "date": rest_time(commit.committed_at),
        });
        let parents: Vec<Value> = commit
            .parents
            .iter()
            .map(|sha| json!({ "sha": sha, "url": format!("{}/commits/{sha}", self.api()) }))
            .collect();
        json!({
            "sha": commit.sha,
            "node_id": self.node_id(NodeKind::Commit, commit.id),
            "commit": {
                "author": person,
                "committer": person,
                "message": commit.message,
                "tree": { "sha": commit.sha, "url": format!("{}/git/trees/{}", self.api(), commit.sha) },
                "url": format!("{}/git/commits/{}", self.api(), commit.sha),
                "comment_count": 0,
            },
            "url": api,
            "html_url": format!("{}/commit/{}", self.web(), commit.sha),
            "comments_url": format!("{api}/comments"),
            "author": author,
            "committer": author,
            "parents": parents,
        })
    }

    pub(crate) fn check_run(&self, commit: &Commit, check: &CheckRun) -> Value {
        let api = format!("{}/check-runs/{}", self.api(), check.id);
        json!({
            "id": check.id,
            "name": check.name,
            "node_id": self.node_id(NodeKind::CheckRun, check.id),
            "head_sha": commit.sha,
            "external_id": "",
            "url": api,
            "html_url": check.details_url,
            "details_url": check.details_url,
            "status": check.status.rest(),
            "conclusion": check.conclusion.map(|conclusion| conclusion.rest()),
            "started_at": optional_time(check.started_at),
            "completed_at": optional_time(check.completed_at),
            "output": {
                "title": check.title,
                "summary": check.summary,
                "text": null,
                "annotations_count": 0,
                "annotations_url": format!("{api}/annotations"),
            },
            "check_suite": { "id": check.id },
            "app": { "id": 15368, "slug": "github-actions", "name": "GitHub Actions" },
            "pull_requests": [],
        })
    }

    pub(crate) fn status(&self, commit: &Commit, status: &StatusContext) -> Value {
        json!({
            "url": format!("{}/statuses/{}", self.api(), commit.sha),
            "avatar_url": account::user(self.world, &status.creator)["avatar_url"],
            "id": status.id,
            "node_id": self.node_id(NodeKind::StatusContext, status.id),
            "state": status.state.rest(),
            "description": status.description,
            "target_url": status.target_url,
            "context": status.context,
            "created_at": rest_time(status.created_at),
            "updated_at": rest_time(status.created_at),
        })
    }

    /// Presents the statuses of a commit and their combined state, as `GET /commits/{ref}/status` does.
    pub(crate) fn combined_status(&self, commit: &Commit, permission: Permission) -> Value {
        let statuses: Vec<Value> = commit
            .statuses
            .iter()
            .map(|status| self.status(commit, status))
            .collect();
        let state: CommitStatus = commit.combined_status();
        json!({
            "state": state.rest(),
            "statuses": statuses,
            "sha": commit.sha,
            "total_count": commit.statuses.len(),
            "repository": self.repository(permission),
            "commit_url": format!("{}/commits/{}", self.api(), commit.sha),
            "url": format!("{}/commits/{}/status", self.api(), commit.sha),
        })
    }
}
