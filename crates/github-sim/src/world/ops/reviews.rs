//! Reviews, review threads and their comments.

use super::comments::check_comment;
use crate::world::names::wire_enum;
use crate::world::{
    IssueRef, Permission, Refusal, Review, ReviewComment, ReviewState, ReviewThread, Side, Viewer,
    World,
};

wire_enum! {
    ReviewEvent {
        Approve = "APPROVE",
        Comment = "COMMENT",
        RequestChanges = "REQUEST_CHANGES",
        Dismiss = "DISMISS",
    }
}

/// A new review. Without an event it stays pending until it is submitted.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct NewReview {
    pub body: String,
    pub event: Option<ReviewEvent>,
    pub comments: Vec<NewReviewComment>,
    /// The sha of the reviewed commit; the head if absent.
    pub commit: Option<String>,
}

/// A review comment that starts a thread.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct NewReviewComment {
    pub path: String,
    pub line: Option<u64>,
    pub start_line: Option<u64>,
    pub side: Side,
    pub body: String,
}

impl World {
    /// Adds a review and returns its database id.
    pub fn add_review(
        &mut self,
        viewer: &Viewer,
        at: IssueRef,
        new: NewReview,
    ) -> Result<u64, Refusal> {
        let head = self.pull_at(at)?.head_sha.clone();
        self.authorize(viewer, at.repo, Permission::Read, "AddPullRequestReview")?;
        if new.event.is_some() {
            let empty = new.comments.is_empty();
            self.check_review(viewer, at, new.event, &new.body, empty)?;
        }
        let pending =
            |review: &Review| review.author == viewer.login && review.state == ReviewState::Pending;
        if self.pull_at(at)?.reviews.iter().any(pending) && new.event.is_none() {
            return Err(Refusal::custom(
                "PullRequestReview",
                "User can only have one pending review per pull request",
            ));
        }
        for comment in &new.comments {
            check_comment(&comment.body)?;
        }
        let id = self.fresh_id();
        let mut changed = self.existing(at)?.clone();
        let now = self.clock.upcoming();
        let commit = new.commit.unwrap_or(head);
        let mut threads = Vec::new();
        for comment in new.comments {
            threads.push(self.new_thread(viewer, id, &commit, comment));
        }
        if let Some(pull) = changed.pull.as_mut() {
            pull.reviews.push(Review {
                id,
                author: viewer.login.clone(),
                body: new.body,
                state: new.event.map_or(ReviewState::Pending, state_after),
                commit,
                created_at: now,
                submitted_at: new.event.map(|_| now),
            });
            pull.threads.extend(threads);
            if new.event.is_some() {
                pull.requested_reviewers
                    .retain(|login| *login != viewer.login);
            }
        }
        self.store_issue(at, changed);
        Ok(id)
    }

    /// Submits a pending review.
    pub fn submit_review(
        &mut self,
        viewer: &Viewer,
        at: IssueRef,
        id: u64,
        event: ReviewEvent,
        body: Option<String>,
    ) -> Result<(), Refusal> {
        self.authorize(viewer, at.repo, Permission::Read, "SubmitPullRequestReview")?;
        let Some(review) = self.find_review(at, id) else {
            return Err(Refusal::not_found(
                "Could not resolve to a PullRequestReview",
            ));
        };
        if review.author != viewer.login {
            return Err(Refusal::forbidden(&viewer.login, "SubmitPullRequestReview"));
        }
        if review.state != ReviewState::Pending {
            return Err(Refusal::custom(
                "PullRequestReview",
                "Can not submit a review that is not pending",
            ));
        }
        let body = body.unwrap_or_else(|| review.body.clone());
        let threads = &self.pull_at(at)?.threads;
        let silent = !threads
            .iter()
            .any(|thread| thread.comments.iter().any(|comment| comment.review == id));
        self.check_review(viewer, at, Some(event), &body, silent)?;
        let mut changed = self.existing(at)?.clone();
        let now = self.clock.upcoming();
        if let Some(pull) = changed.pull.as_mut() {
            if let Some(review) = pull.reviews.iter_mut().find(|review| review.id == id) {
                review.state = state_after(event);
                review.body = body;
                review.submitted_at = Some(now);
            }
            pull.requested_reviewers
                .retain(|login| *login != viewer.login);
        }
        self.store_issue(at, changed);
        Ok(())
    }

    pub fn dismiss_review(
        &mut self,
        viewer: &Viewer,
        at: IssueRef,
        id: u64,
    ) -> Result<(), Refusal> {
        self.authorize(
            viewer,
            at.repo,
            Permission::Write,
            "DismissPullRequestReview",
        )?;
        let mut changed = self.existing(at)?.clone();
        let found = changed
            .pull
            .as_mut()
            .and_then(|pull| pull.reviews.iter_mut().find(|review| review.id == id));
        let Some(review) = found else {
            return Err(Refusal::not_found(
                "Could not resolve to a PullRequestReview",
            ));
        };
        if !matches!(
            review.state,
            ReviewState::Approved | ReviewState::ChangesRequested
        ) {
            return Err(Refusal::custom(
                "PullRequestReview",
                "Can not dismiss a commented pull request review",
            ));
        }
        review.state = ReviewState::Dismissed;
        self.store_issue(at, changed);
        Ok(())
    }

    /// Starts a thread, in the viewer's pending review or else in a new submitted review.
    /// Returns the database ids of the thread and of the comment.
    pub fn add_review_comment(
        &mut self,
        viewer: &Viewer,
        at: IssueRef,
        comment: NewReviewComment,
    ) -> Result<(u64, u64), Refusal> {
        self.authorize(
            viewer,
            at.repo,
            Permission::Read,
            "AddPullRequestReviewThread",
        )?;
        check_comment(&comment.body)?;
        let known = self.pull_files(self.pull_at(at)?);
        if !known.iter().any(|file| file.path == comment.path) {
            return Err(Refusal::invalid(
                "PullRequestReviewComment",
                "path",
                "Path could not be resolved",
            ));
        }
        let mut changed = self.existing(at)?.clone();
        let commit = self.pull_at(at)?.head_sha.clone();
        let review = self.review_for_comment(viewer, &mut changed, &commit);
        let thread = self.new_thread(viewer, review, &commit, comment);
        let first = thread.comments.first().map_or(0, |comment| comment.id);
        let id = thread.id;
        if let Some(pull) = changed.pull.as_mut() {
            pull.threads.push(thread);
        }
        self.store_issue(at, changed);
        Ok((id, first))
    }

    /// Replies to a thread and returns the database id of the comment.
    pub fn reply_to_thread(
        &mut self,
        viewer: &Viewer,
        at: IssueRef,
        thread: u64,
        body: &str,
    ) -> Result<u64, Refusal> {
        let action = "AddPullRequestReviewThreadReply";
        self.authorize(viewer, at.repo, Permission::Read, action)?;
        check_comment(body)?;
        let mut changed = self.existing(at)?.clone();
        let commit = self.pull_at(at)?.head_sha.clone();
        let review = self.review_for_comment(viewer, &mut changed, &commit);
        let id = self.fresh_id();
        let now = self.clock.upcoming();
        let found = changed
            .pull
            .as_mut()
            .and_then(|pull| pull.threads.iter_mut().find(|known| known.id == thread));
        let Some(thread) = found else {
            return Err(no_thread());
        };
        let first = thread.comments.first();
        let reply_to = first.map(|comment| comment.id);
        let diff_hunk = first.map(|c| c.diff_hunk.clone()).unwrap_or_default();
        thread.comments.push(ReviewComment {
            id,
            review,
            author: viewer.login.clone(),
            body: body.to_owned(),
            diff_hunk,
            commit,
            reply_to,
            created_at: now,
            updated_at: now,
        });
        self.store_issue(at, changed);
        Ok(id)
    }

    /// Resolves or unresolves a thread.
    pub fn set_thread_resolved(
        &mut self,
        viewer: &Viewer,
        at: IssueRef,
        thread: u64,
        resolved: bool,
    ) -> Result<(), Refusal> {
        let action = if resolved {
            "ResolveReviewThread"
        } else {
            "UnresolveReviewThread"
        };
        self.authorize_author_or(viewer, at, Permission::Write, action)?;
        let mut changed = self.existing(at)?.clone();
        let found = changed
            .pull
            .as_mut()
            .and_then(|pull| pull.threads.iter_mut().find(|known| known.id == thread));
        let Some(thread) = found else {
            return Err(no_thread());
        };
        if thread.resolved_by.is_some() != resolved {
            thread.resolved_by = resolved.then(|| viewer.login.clone());
        }
        self.store_issue(at, changed);
        Ok(())
    }

    fn check_review(
        &self,
        viewer: &Viewer,
        at: IssueRef,
        event: Option<ReviewEvent>,
        body: &str,
        silent: bool,
    ) -> Result<(), Refusal> {
        let own = self.existing(at)?.author == viewer.login;
        let refuse = |message: &str| Err(Refusal::custom("PullRequestReview", message));
        match event {
            Some(ReviewEvent::Approve) if own => refuse("Can not approve your own pull request"),
            Some(ReviewEvent::RequestChanges) if own => {
                refuse("Can not request changes on your own pull request")
            }
            Some(ReviewEvent::Comment | ReviewEvent::RequestChanges)
                if body.trim().is_empty() && silent =>
            {
                refuse("Body can't be blank")
            }
            Some(ReviewEvent::Dismiss) => refuse("Can not dismiss a review when submitting it"),
            _ => Ok(()),
        }
    }

    fn new_thread(
        &mut self,
        viewer: &Viewer,
        review: u64,
        commit: &str,
        new: NewReviewComment,
    ) -> ReviewThread {
        let id = self.fresh_id();
        let comment = self.fresh_id();
        let now = self.clock.upcoming();
        let line = new.line.unwrap_or(1);
        ReviewThread {
            id,
            path: new.path,
            line: new.line,
            start_line: new.start_line,
            side: new.side,
            resolved_by: None,
            outdated: false,
            comments: vec![ReviewComment {
                id: comment,
                review,
                author: viewer.login.clone(),
                body: new.body,
                diff_hunk: format!("@@ -{line},1 +{line},1 @@"),
                commit: commit.to_owned(),
                reply_to: None,
                created_at: now,
                updated_at: now,
            }],
        }
    }

    /// Returns the viewer's pending review, or creates a submitted one for a single comment.
    fn review_for_comment(
        &mut self,
        viewer: &Viewer,
        issue: &mut crate::world::Issue,
        commit: &str,
    ) -> u64 {
        let fresh = self.fresh_id();
        let now = self.clock.upcoming();
        let Some(pull) = issue.pull.as_mut() else {
            return fresh;
        };
        let pending = pull
            .reviews
            .iter()
            .find(|r| r.author == viewer.login && r.state == ReviewState::Pending);
        if let Some(review) = pending {
            return review.id;
        }
        pull.reviews.push(Review {
            id: fresh,
            author: viewer.login.clone(),
            body: String::new(),
            state: ReviewState::Commented,
            commit: commit.to_owned(),
            created_at: now,
            submitted_at: Some(now),
        });
        fresh
    }
}

fn state_after(event: ReviewEvent) -> ReviewState {
    match event {
        ReviewEvent::Approve => ReviewState::Approved,
        ReviewEvent::Comment => ReviewState::Commented,
        ReviewEvent::RequestChanges => ReviewState::ChangesRequested,
        ReviewEvent::Dismiss => ReviewState::Dismissed,
    }
}

fn no_thread() -> Refusal {
    Refusal::not_found("Could not resolve to a PullRequestReviewThread")
}
