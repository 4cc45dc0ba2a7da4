//! Operations on the world, one file per subject. Every operation checks the viewer's permission first.

mod blocking;
mod comments;
mod issues;
mod labels;
mod milestones;
mod people;
mod pulls;
mod repositories;
mod reviews;
mod seed;

pub use issues::{IssueEdit, NewIssue};
pub use labels::NewLabel;
pub use pulls::{MergeMethod, MergeRequest, NewPullRequest, PullRequestEdit};
pub use repositories::RepositoryEdit;
pub use reviews::{NewReview, NewReviewComment, ReviewEvent};
