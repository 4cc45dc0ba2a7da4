//! Issues, including pull requests as in GitHub's issue lists, and their comments.

use serde_json::{Value, json};

use super::account;
use super::view::{View, optional_time};
use crate::world::{
    Comment, Issue, IssueRef, Label, NodeId, NodeKind, Reaction, ReactionContent, rest_time,
};

impl View<'_> {
    pub(crate) fn issue(&self, issue: &Issue) -> Value {
        let api = format!("{}/issues/{}", self.api(), issue.number);
        let kind = if issue.is_pull() { "pull" } else { "issues" };
        let html = format!("{}/{kind}/{}", self.web(), issue.number);
        let at = IssueRef {
            repo: self.id,
            number: issue.number,
        };
        let blocking = self.world.blocking(at);
        let mut body = json!({
            "url": api,
            "repository_url": self.api(),
            "labels_url": format!("{api}/labels{{/name}}"),
            "comments_url": format!("{api}/comments"),
            "events_url": format!("{api}/events"),
            "html_url": html,
            "id": issue.id,
            "node_id": self.issue_node_id(issue),
            "number": issue.number,
            "title": issue.title,
            "user": account::user(self.world, &issue.author),
            "labels": self.labels_of(issue),
            "state": issue.state.rest(),
            "locked": issue.locked,
            "assignee": issue.assignees.first().map(|login| account::user(self.world, login)),
            "assignees": self.users(&issue.assignees),
            "milestone": self.milestone_of(issue),
            "comments": issue.comments.len(),
            "created_at": rest_time(issue.created_at),
            "updated_at": rest_time(issue.updated_at),
            "closed_at": optional_time(issue.closed_at),
            "author_association": self.association(&issue.author),
            "type": self.issue_type(issue),
            "active_lock_reason": issue.lock_reason.map(|reason| reason.rest().replace('_', "-")),
            "body": text_or_null(&issue.body),
            "closed_by": issue.closed_by.as_deref().map(|login| account::user(self.world, login)),
            "reactions": reactions(&api, &issue.reactions),
            "timeline_url": format!("{api}/timeline"),
            "performed_via_github_app": null,
            "state_reason": issue.state_reason.map(|reason| reason.rest()),
            "sub_issues_summary": self.sub_issues(at),
            "issue_dependencies_summary": {
                "blocked_by": issue.blocked_by.iter().filter(|at| self.is_open(**at)).count(),
                "total_blocked_by": issue.blocked_by.len(),
                "blocking": blocking.iter().filter(|at| self.is_open(**at)).count(),
                "total_blocking": blocking.len(),
            },
        });
        if let Some(pull) = &issue.pull {
            body["draft"] = json!(pull.draft);
            body["pull_request"] = json!({
                "url": format!("{}/pulls/{}", self.api(), issue.number),
                "html_url": html,
                "diff_url": format!("{html}.diff"),
                "patch_url": format!("{html}.patch"),
                "merged_at": optional_time(pull.merged.as_ref().map(|merged| merged.at)),
            });
        }
        body
    }

    fn sub_issues(&self, at: IssueRef) -> Value {
        let parts = self.world.sub_issues(at);
        let done = parts.iter().filter(|part| !self.is_open(**part)).count();
        let percent = (done * 100).checked_div(parts.len()).unwrap_or_default();
        json!({ "total": parts.len(), "completed": done, "percent_completed": percent })
    }

    fn is_open(&self, at: IssueRef) -> bool {
        self.world.issue_at(at).is_some_and(Issue::is_open)
    }

    fn issue_type(&self, issue: &Issue) -> Option<Value> {
        let kind = self.world.issue_type(self.repo, issue.issue_type?)?;
        Some(json!({
            "id": kind.id,
            "node_id": NodeId::new(NodeKind::IssueType, 0, kind.id).encode(),
            "name": kind.name,
            "description": kind.description,
            "color": kind.color.to_ascii_lowercase(),
            "is_enabled": true,
        }))
    }

    pub(crate) fn comment(&self, issue: &Issue, comment: &Comment) -> Value {
        let api = format!("{}/issues/comments/{}", self.api(), comment.id);
        let kind = if issue.is_pull() { "pull" } else { "issues" };
        json!({
            "url": api,
            "html_url": format!("{}/{kind}/{}#issuecomment-{}", self.web(), issue.number, comment.id),
            "issue_url": format!("{}/issues/{}", self.api(), issue.number),
            "id": comment.id,
            "node_id": self.node_id(NodeKind::IssueComment, comment.id),
            "user": account::user(self.world, &comment.author),
            "created_at": rest_time(comment.created_at),
            "updated_at": rest_time(comment.updated_at),
            "author_association": self.association(&comment.author),
            "body": comment.body,
            "reactions": reactions(&api, &comment.reactions),
            "performed_via_github_app": null,
        })
    }

    /// Presents the labels of an issue, oldest label first. The order of adding does not matter; GraphQL does the same.
    pub(crate) fn labels_of(&self, issue: &Issue) -> Vec<Value> {
        let mut labels: Vec<&Label> = self.repo.labels_of(issue).collect();
        labels.sort_by_key(|label| (label.created_at, label.id));
        labels.into_iter().map(|label| self.label(label)).collect()
    }

    /// Returns the node id. A pull request has the same one in issue lists as in lists of pull requests.
    pub(super) fn issue_node_id(&self, issue: &Issue) -> String {
        match &issue.pull {
            Some(pull) => self.node_id(NodeKind::PullRequest, pull.id),
            None => self.node_id(NodeKind::Issue, issue.id),
        }
    }

    pub(crate) fn milestone_of(&self, issue: &Issue) -> Option<Value> {
        let milestone = self.repo.milestone(issue.milestone?)?;
        Some(self.milestone(milestone))
    }
}

/// Returns null for an empty text, as GitHub does for bodies.
pub(super) fn text_or_null(text: &str) -> Value {
    if text.is_empty() {
        Value::Null
    } else {
        json!(text)
    }
}

pub(super) fn reactions(api: &str, reactions: &[Reaction]) -> Value {
    let mut body = json!({ "url": format!("{api}/reactions"), "total_count": reactions.len() });
    for content in ReactionContent::ALL {
        let count = reactions
            .iter()
            .filter(|reaction| reaction.content == *content)
            .count();
        body[rest_reaction(*content)] = json!(count);
    }
    body
}

fn rest_reaction(content: ReactionContent) -> &'static str {
    match content {
        ReactionContent::ThumbsUp => "+1",
        ReactionContent::ThumbsDown => "-1",
        ReactionContent::Laugh => "laugh",
        ReactionContent::Hooray => "hooray",
        ReactionContent::Confused => "confused",
        ReactionContent::Heart => "heart",
        ReactionContent::Rocket => "rocket",
        ReactionContent::Eyes => "eyes",
    }
}
