//! Pull requests: the short form of lists, and the long form of a single pull request.

use serde_json::{Value, json};

use super::account;
use super::issue::text_or_null;
use super::view::{View, optional_time};
use crate::world::{
    ChangedFile, Issue, IssueRef, Mergeable, Permission, PullRequest, RepoId, rest_time,
};

impl View<'_> {
    /// Presents a pull request in the form of lists.
    pub(crate) fn pull(&self, issue: &Issue, pull: &PullRequest, permission: Permission) -> Value {
        let api = format!("{}/pulls/{}", self.api(), issue.number);
        let issue_api = format!("{}/issues/{}", self.api(), issue.number);
        let html = format!("{}/pull/{}", self.web(), issue.number);
        let statuses = format!("{}/statuses/{}", self.api(), pull.head_sha);
        let links = json!({
            "self": { "href": api },
            "html": { "href": html },
            "issue": { "href": issue_api },
            "comments": { "href": format!("{issue_api}/comments") },
            "review_comments": { "href": format!("{api}/comments") },
            "commits": { "href": format!("{api}/commits") },
            "statuses": { "href": statuses },
        });
        json!({
            "url": api,
            "id": pull.id,
            "node_id": self.issue_node_id(issue),
            "html_url": html,
            "diff_url": format!("{html}.diff"),
            "patch_url": format!("{html}.patch"),
            "issue_url": issue_api,
            "number": issue.number,
            "state": issue.state.rest(),
            "locked": issue.locked,
            "title": issue.title,
            "user": account::user(self.world, &issue.author),
            "body": text_or_null(&issue.body),
            "created_at": rest_time(issue.created_at),
            "updated_at": rest_time(issue.updated_at),
            "closed_at": optional_time(issue.closed_at),
            "merged_at": optional_time(pull.merged.as_ref().map(|merged| merged.at)),
            "merge_commit_sha": pull.merged.as_ref().map(|merged| merged.commit.as_str()),
            "assignee": issue.assignees.first().map(|login| account::user(self.world, login)),
            "assignees": self.users(&issue.assignees),
            "requested_reviewers": self.users(&pull.requested_reviewers),
            "requested_teams": self.teams(&pull.requested_teams),
            "labels": self.labels_of(issue),
            "milestone": self.milestone_of(issue),
            "draft": pull.draft,
            "commits_url": format!("{api}/commits"),
            "review_comments_url": format!("{api}/comments"),
            "review_comment_url": format!("{}/pulls/comments{{/number}}", self.api()),
            "comments_url": format!("{issue_api}/comments"),
            "statuses_url": statuses,
            "head": self.branch_end(pull.head_repo, &pull.head_ref, &pull.head_sha, permission),
            "base": self.branch_end(self.id, &pull.base_ref, &pull.base_sha, permission),
            "_links": links,
            "author_association": self.association(&issue.author),
            "auto_merge": null,
            "active_lock_reason": issue.lock_reason.map(|reason| reason.rest().replace('_', "-")),
        })
    }

    /// Presents teams with the fields that pull requests show.
    pub(crate) fn teams(&self, slugs: &[String]) -> Vec<Value> {
        let team = |slug: &String| json!({ "name": slug, "slug": slug });
        slugs.iter().map(team).collect()
    }

    /// Presents a pull request in the form of `GET /pulls/{number}`.
    pub(crate) fn full_pull(
        &self,
        issue: &Issue,
        pull: &PullRequest,
        permission: Permission,
    ) -> Value {
        let at = IssueRef {
            repo: self.id,
            number: issue.number,
        };
        let files = self.world.pull_files(pull);
        let mergeable = match pull.mergeable {
            _ if pull.merged.is_some() || pull.mergeable == Mergeable::Unknown => None,
            state => Some(state == Mergeable::Mergeable),
        };
        let merged_by = pull
            .merged
            .as_ref()
            .map(|merged| account::user(self.world, &merged.by));
        let mut body = self.pull(issue, pull, permission);
        body["merged"] = json!(pull.merged.is_some());
        body["mergeable"] = json!(mergeable);
        body["rebaseable"] = json!(mergeable);
        body["mergeable_state"] = json!(self.world.merge_state(at).rest());
        body["merged_by"] = json!(merged_by);
        body["comments"] = json!(issue.comments.len());
        body["review_comments"] = json!(
            pull.threads
                .iter()
                .map(|thread| thread.comments.len())
                .sum::<usize>()
        );
        body["maintainer_can_modify"] = json!(pull.maintainer_can_modify);
        body["commits"] = json!(pull.commits.len());
        body["additions"] = json!(files.iter().map(|file| file.additions).sum::<u64>());
        body["deletions"] = json!(files.iter().map(|file| file.deletions).sum::<u64>());
        body["changed_files"] = json!(files.len());
        body
    }

    pub(crate) fn file(&self, sha: &str, file: &ChangedFile) -> Value {
        let status = match file.change.rest().as_str() {
            // REST says "removed" where GraphQL says "deleted".
            "deleted" => "removed".to_owned(),
            other => other.to_owned(),
        };
        json!({
            "sha": sha,
            "filename": file.path,
            "status": status,
            "additions": file.additions,
            "deletions": file.deletions,
            "changes": file.additions + file.deletions,
            "blob_url": format!("{}/blob/{sha}/{}", self.web(), file.path),
            "raw_url": format!("{}/raw/{sha}/{}", self.web(), file.path),
            "contents_url": format!("{}/contents/{}?ref={sha}", self.api(), file.path),
        })
    }

    /// Presents the head or base of a pull request.
    fn branch_end(&self, repo: RepoId, branch: &str, sha: &str, permission: Permission) -> Value {
        // If the head repository was deleted, GitHub keeps only the names.
        let view = View::new(self.world, repo);
        let owner = view.map(|view| view.repo.owner.clone()).unwrap_or_default();
        json!({
            "label": format!("{owner}:{branch}"),
            "ref": branch,
            "sha": sha,
            "user": account::owner(self.world, &owner),
            "repo": view.map(|view| view.repository(permission)),
        })
    }
}
