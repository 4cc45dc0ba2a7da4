//! Reviews and review comments.

use serde_json::{Value, json};

use super::account;
use super::view::{View, optional_time};
use crate::world::{Issue, NodeKind, Review, ReviewComment, ReviewThread, rest_time};

impl View<'_> {
    pub(crate) fn review(&self, pull: &Issue, review: &Review) -> Value {
        let api = format!("{}/pulls/{}", self.api(), pull.number);
        let html = format!(
            "{}/pull/{}#pullrequestreview-{}",
            self.web(),
            pull.number,
            review.id
        );
        json!({
            "id": review.id,
            "node_id": self.node_id(NodeKind::PullRequestReview, review.id),
            "user": account::user(self.world, &review.author),
            "body": review.body,
            "state": review.state.name(),
            "html_url": html,
            "pull_request_url": api,
            "author_association": self.association(&review.author),
            "_links": {
                "html": { "href": html },
                "pull_request": { "href": api },
            },
            "submitted_at": optional_time(review.submitted_at),
            "commit_id": review.commit,
        })
    }

    pub(crate) fn review_comment(
        &self,
        pull: &Issue,
        thread: &ReviewThread,
        comment: &ReviewComment,
    ) -> Value {
        let api = format!("{}/pulls/comments/{}", self.api(), comment.id);
        let pull_api = format!("{}/pulls/{}", self.api(), pull.number);
        let html = format!(
            "{}/pull/{}#discussion_r{}",
            self.web(),
            pull.number,
            comment.id
        );
        let mut body = json!({
            "url": api,
            "pull_request_review_id": comment.review,
            "id": comment.id,
            "node_id": self.node_id(NodeKind::PullRequestReviewComment, comment.id),
            "diff_hunk": comment.diff_hunk,
            "path": thread.path,
            "commit_id": comment.commit,
            "original_commit_id": comment.commit,
            "user": account::user(self.world, &comment.author),
            "body": comment.body,
            "created_at": rest_time(comment.created_at),
            "updated_at": rest_time(comment.updated_at),
            "html_url": html,
            "pull_request_url": pull_api,
            "author_association": self.association(&comment.author),
            "_links": {
                "self": { "href": api },
                "html": { "href": html },
                "pull_request": { "href": pull_api },
            },
            "reactions": super::issue::reactions(&api, &[]),
            "start_line": thread.start_line,
            "original_start_line": thread.start_line,
            "start_side": thread.start_line.map(|_| thread.side.name()),
            "line": if thread.outdated { None } else { thread.line },
            "original_line": thread.line,
            "side": thread.side.name(),
            "position": null,
            "original_position": null,
            "subject_type": if thread.line.is_some() { "line" } else { "file" },
        });
        if let Some(first) = comment.reply_to {
            body["in_reply_to_id"] = json!(first);
        }
        body
    }
}
