//! Repositories, labels and milestones.

use serde_json::{Value, json};

use super::account;
use super::view::{API, View, optional_time};
use crate::world::{
    Issue, Label, Milestone, MilestoneState, NodeId, NodeKind, Owner, Permission, rest_time,
};

impl View<'_> {
    /// Presents a repository in the form of `GET /repos/{owner}/{name}`.
    pub(crate) fn full_repository(&self, permission: Permission) -> Value {
        let repo = self.repo;
        let mut body = self.repository(permission);
        body["allow_squash_merge"] = json!(repo.squash_merge_allowed);
        body["allow_merge_commit"] = json!(repo.merge_commit_allowed);
        body["allow_rebase_merge"] = json!(repo.rebase_merge_allowed);
        body["allow_auto_merge"] = json!(repo.auto_merge_allowed);
        body["delete_branch_on_merge"] = json!(repo.delete_branch_on_merge);
        body["network_count"] = json!(repo.forks);
        body["subscribers_count"] = json!(repo.watchers);
        if let Some(Owner::Organization(org)) = self.world.owner(&repo.owner) {
            body["organization"] = account::owner(self.world, &org.login);
        }
        body
    }

    /// Presents a repository in the form of lists and of pull requests.
    pub(crate) fn repository(&self, permission: Permission) -> Value {
        let repo = self.repo;
        let (api, web) = (self.api(), self.web());
        let open = repo.issues.values().filter(|issue| issue.is_open()).count();
        let license = repo.license.as_ref().map(|license| {
            json!({
                "key": license.key,
                "name": license.name,
                "spdx_id": license.spdx_id,
                "url": format!("{}/licenses/{}", API, license.key),
            })
        });
        let permissions = json!({
            "admin": permission >= Permission::Admin,
            "maintain": permission >= Permission::Maintain,
            "push": permission >= Permission::Write,
            "triage": permission >= Permission::Triage,
            "pull": permission >= Permission::Read,
        });
        let node_id = NodeId::new(NodeKind::Repository, 0, repo.id).encode();
        json!({
            "id": repo.id,
            "node_id": node_id,
            "name": repo.name,
            "full_name": repo.full_name(),
            "private": repo.is_private(),
            "owner": account::owner(self.world, &repo.owner),
            "html_url": web,
            "description": repo.description,
            "fork": repo.is_fork,
            "url": api,
            "issues_url": format!("{api}/issues{{/number}}"),
            "pulls_url": format!("{api}/pulls{{/number}}"),
            "labels_url": format!("{api}/labels{{/name}}"),
            "milestones_url": format!("{api}/milestones{{/number}}"),
            "releases_url": format!("{api}/releases{{/id}}"),
            "commits_url": format!("{api}/commits{{/sha}}"),
            "created_at": rest_time(repo.created_at),
            "updated_at": rest_time(repo.updated_at),
            "pushed_at": rest_time(repo.pushed_at),
            "git_url": format!("git://github.com/{}.git", repo.full_name()),
            "ssh_url": format!("git@github.com:{}.git", repo.full_name()),
            "clone_url": format!("{web}.git"),
            "svn_url": web,
            "homepage": repo.homepage,
            "size": 0,
            "stargazers_count": repo.stars,
            "watchers_count": repo.stars,
            "language": repo.language,
            "has_issues": repo.has_issues,
            "has_projects": repo.has_projects,
            "has_wiki": repo.has_wiki,
            "has_pages": false,
            "has_discussions": repo.has_discussions,
            "forks_count": repo.forks,
            "mirror_url": null,
            "archived": repo.archived,
            "disabled": false,
            "open_issues_count": open,
            "license": license,
            "allow_forking": true,
            "is_template": repo.is_template,
            "topics": repo.topics,
            "visibility": repo.visibility.rest(),
            "forks": repo.forks,
            "open_issues": open,
            "watchers": repo.stars,
            "default_branch": repo.default_branch,
            "permissions": permissions,
        })
    }

    pub(crate) fn label(&self, label: &Label) -> Value {
        json!({
            "id": label.id,
            "node_id": NodeId::new(NodeKind::Label, self.repo.id, label.id).encode(),
            "url": format!("{}/labels/{}", self.api(), path_segment(&label.name)),
            "name": label.name,
            "color": label.color,
            "default": false,
            "description": label.description,
        })
    }

    pub(crate) fn milestone(&self, milestone: &Milestone) -> Value {
        let api = format!("{}/milestones/{}", self.api(), milestone.number);
        let is_in_milestone = |issue: &&Issue| issue.milestone == Some(milestone.number);
        let all = self.repo.issues.values().filter(is_in_milestone).count();
        let open = self
            .repo
            .issues
            .values()
            .filter(is_in_milestone)
            .filter(|issue| issue.is_open())
            .count();
        json!({
            "url": api,
            "html_url": format!("{}/milestone/{}", self.web(), milestone.number),
            "labels_url": format!("{api}/labels"),
            "id": milestone.id,
            "node_id": NodeId::new(NodeKind::Milestone, self.repo.id, milestone.id).encode(),
            "number": milestone.number,
            "title": milestone.title,
            "description": milestone.description,
            "creator": account::user(self.world, &milestone.creator),
            "open_issues": open,
            "closed_issues": all - open,
            "state": if milestone.state == MilestoneState::Open { "open" } else { "closed" },
            "created_at": rest_time(milestone.created_at),
            "updated_at": rest_time(milestone.updated_at),
            "due_on": optional_time(milestone.due_on),
            "closed_at": optional_time(milestone.closed_at),
        })
    }
}

/// Encodes a name for use in a URL path.
fn path_segment(name: &str) -> String {
    percent_encoding::utf8_percent_encode(name, percent_encoding::NON_ALPHANUMERIC).to_string()
}
