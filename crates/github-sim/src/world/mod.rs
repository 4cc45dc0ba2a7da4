//! The state of the simulated GitHub and every way in which it may change.
//!
//! The types are plain data with public fields, so that tests can seed and inspect everything. The operations of
//! clients are methods on [`World`]; they return a [`Refusal`] where GitHub would refuse.

mod account;
mod clock;
mod commit;
mod derived;
mod filter;
mod ids;
mod issue;
mod job;
mod locate;
mod memory;
mod names;
mod ops;
mod pull;
mod refusal;
mod release;
mod repository;
mod search;
mod state;

pub use account::{Organization, Owner, Permission, Token, User, Viewer};
pub use clock::{Clock, rest_time};
pub use commit::{
    ChangeKind, ChangedFile, CheckConclusion, CheckRun, CheckStatus, Commit, CommitStatus, Rollup,
    StatusContext,
};
pub use derived::UnmetCheck;
pub use filter::{Direction, IssueFilter, IssueOrder, OrderField};
pub use ids::{NodeId, NodeKind};
pub use issue::{
    AuthorAssociation, Comment, Issue, IssueRef, IssueState, IssueType, LockReason, Reaction,
    ReactionContent, StateReason,
};
pub use job::{JobStep, WorkflowJob};
pub use locate::Located;
pub use memory::{
    Downloads, Memory, ReleaseAsset, SECRETS_KEY_ID, SECRETS_PRIVATE_KEY, SECRETS_PUBLIC_KEY,
    SealedSecret,
};
pub use ops::{
    IssueEdit, MergeMethod, MergeRequest, NewIssue, NewLabel, NewPullRequest, NewReview,
    NewReviewComment, PullRequestEdit, RepositoryEdit, ReviewEvent,
};
pub use pull::{
    MergeState, Mergeable, Merged, PullRequest, PullState, Review, ReviewComment, ReviewDecision,
    ReviewState, ReviewThread, Side,
};
pub use refusal::{Problem, Refusal};
pub use release::{Release, RunConclusion, RunStatus, Workflow, WorkflowRun};
pub use repository::{
    Branch, Label, License, Milestone, MilestoneState, RepoId, Repository, Visibility,
};
pub use search::{MatchedIn, Qualifier, SearchQuery, TextMatch};
pub use state::{RateLimit, World};
