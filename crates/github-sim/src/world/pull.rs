//! The pull-request part of an issue: branches, reviews, threads and merging.

use super::names::wire_enum;
use super::repository::RepoId;
use time::OffsetDateTime;

/// The fields that a pull request has in addition to those of an issue.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct PullRequest {
    pub id: u64,
    pub head_repo: RepoId,
    pub head_ref: String,
    pub head_sha: String,
    pub base_ref: String,
    pub base_sha: String,
    pub draft: bool,
    pub mergeable: Mergeable,
    pub merged: Option<Merged>,
    pub maintainer_can_modify: bool,
    /// Logins whose review was requested and not yet submitted.
    pub requested_reviewers: Vec<String>,
    /// Slugs of the organisation's teams whose review was requested.
    pub requested_teams: Vec<String>,
    pub reviews: Vec<Review>,
    pub threads: Vec<ReviewThread>,
    /// Shas, oldest first.
    pub commits: Vec<String>,
}

/// When, by whom and with which commit a pull request was merged.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Merged {
    pub at: OffsetDateTime,
    pub by: String,
    pub commit: String,
}

wire_enum! {
    Mergeable {
        Mergeable = "MERGEABLE",
        Conflicting = "CONFLICTING",
        Unknown = "UNKNOWN",
    }
}

wire_enum! {
    MergeState {
        Behind = "BEHIND",
        Blocked = "BLOCKED",
        Clean = "CLEAN",
        Dirty = "DIRTY",
        Draft = "DRAFT",
        Unknown = "UNKNOWN",
        Unstable = "UNSTABLE",
    }
}

wire_enum! {
    PullState { Open = "OPEN", Closed = "CLOSED", Merged = "MERGED" }
}

wire_enum! {
    ReviewState {
        Pending = "PENDING",
        Commented = "COMMENTED",
        Approved = "APPROVED",
        ChangesRequested = "CHANGES_REQUESTED",
        Dismissed = "DISMISSED",
    }
}

wire_enum! {
    ReviewDecision {
        Approved = "APPROVED",
        ChangesRequested = "CHANGES_REQUESTED",
        ReviewRequired = "REVIEW_REQUIRED",
    }
}

wire_enum! {
    Side { Left = "LEFT", Right = "RIGHT" }
}

#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Review {
    pub id: u64,
    pub author: String,
    pub body: String,
    pub state: ReviewState,
    pub commit: String,
    pub created_at: OffsetDateTime,
    pub submitted_at: Option<OffsetDateTime>,
}

/// A thread of comments on a line of the diff. The first comment has no `reply_to`.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ReviewThread {
    pub id: u64,
    pub path: String,
    pub line: Option<u64>,
    pub start_line: Option<u64>,
    pub side: Side,
    pub resolved_by: Option<String>,
    pub outdated: bool,
    pub comments: Vec<ReviewComment>,
}

#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ReviewComment {
    pub id: u64,
    /// Database id of the review that the comment belongs to.
    pub review: u64,
    pub author: String,
    pub body: String,
    pub diff_hunk: String,
    pub commit: String,
    pub reply_to: Option<u64>,
    pub created_at: OffsetDateTime,
    pub updated_at: OffsetDateTime,
}

impl PullRequest {
    pub fn review(&self, id: u64) -> Option<&Review> {
        self.reviews.iter().find(|review| review.id == id)
    }

    pub fn thread(&self, id: u64) -> Option<&ReviewThread> {
        self.threads.iter().find(|thread| thread.id == id)
    }

    /// Returns the last effective review of each reviewer, ordered by those reviews. Pending reviews do not count.
    pub fn latest_reviews(&self) -> Vec<&Review> {
        let mut latest: Vec<&Review> = Vec::new();
        for review in &self.reviews {
            if matches!(review.state, ReviewState::Pending) {
                continue;
            }
            // A later comment does not withdraw an approval.
            let previous = latest.iter().position(|seen| seen.author == review.author);
            if let Some(index) = previous {
                let kept = latest.get(index).is_some_and(|seen| {
                    review.state == ReviewState::Commented && seen.state != ReviewState::Commented
                });
                if kept {
                    continue;
                }
                latest.remove(index);
            }
            latest.push(review);
        }
        latest
    }
}
