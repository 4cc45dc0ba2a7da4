//! Issues. GitHub numbers and stores pull requests as issues, so this is also the issue part of a pull request.

use super::names::wire_enum;
use super::pull::PullRequest;
use super::repository::RepoId;
use time::OffsetDateTime;

/// The repository and number of an issue or pull request.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct IssueRef {
    pub repo: RepoId,
    pub number: u64,
}

/// An issue, or a pull request if `pull` is set.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Issue {
    pub id: u64,
    pub number: u64,
    pub title: String,
    pub body: String,
    pub author: String,
    pub state: IssueState,
    pub state_reason: Option<StateReason>,
    /// Logins, in the order in which they were assigned.
    pub assignees: Vec<String>,
    /// Database ids of the repository's labels.
    pub labels: Vec<u64>,
    /// The milestone's number.
    pub milestone: Option<u64>,
    pub comments: Vec<Comment>,
    pub reactions: Vec<Reaction>,
    pub created_at: OffsetDateTime,
    pub updated_at: OffsetDateTime,
    pub last_edited_at: Option<OffsetDateTime>,
    pub closed_at: Option<OffsetDateTime>,
    pub closed_by: Option<String>,
    pub locked: bool,
    pub lock_reason: Option<LockReason>,
    pub pinned: bool,
    /// Issues that must be closed before this one can be.
    pub blocked_by: Vec<IssueRef>,
    /// The issue of which this is a sub-issue.
    pub parent: Option<IssueRef>,
    /// Database id of an issue type of the organisation.
    pub issue_type: Option<u64>,
    pub pull: Option<PullRequest>,
}

wire_enum! {
    IssueState { Open = "OPEN", Closed = "CLOSED" }
}

wire_enum! {
    StateReason {
        Completed = "COMPLETED",
        NotPlanned = "NOT_PLANNED",
        Duplicate = "DUPLICATE",
        Reopened = "REOPENED",
    }
}

wire_enum! {
    LockReason {
        OffTopic = "OFF_TOPIC",
        TooHeated = "TOO_HEATED",
        Resolved = "RESOLVED",
        Spam = "SPAM",
    }
}

wire_enum! {
    ReactionContent {
        ThumbsUp = "THUMBS_UP",
        ThumbsDown = "THUMBS_DOWN",
        Laugh = "LAUGH",
        Hooray = "HOORAY",
        Confused = "CONFUSED",
        Heart = "HEART",
        Rocket = "ROCKET",
        Eyes = "EYES",
    }
}

wire_enum! {
    AuthorAssociation {
        Owner = "OWNER",
        Member = "MEMBER",
        Collaborator = "COLLABORATOR",
        Contributor = "CONTRIBUTOR",
        None = "NONE",
    }
}

/// A comment on an issue or pull request.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Comment {
    pub id: u64,
    pub author: String,
    pub body: String,
    pub created_at: OffsetDateTime,
    pub updated_at: OffsetDateTime,
    pub edited: bool,
    pub reactions: Vec<Reaction>,
}

#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Reaction {
    pub id: u64,
    pub user: String,
    pub content: ReactionContent,
    pub created_at: OffsetDateTime,
}

/// An issue type that an organisation defines, for instance `Bug`.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct IssueType {
    pub id: u64,
    pub name: String,
    pub description: Option<String>,
    /// The colour's name in GraphQL, for instance `RED`.
    pub color: String,
}

impl Issue {
    pub fn is_pull(&self) -> bool {
        self.pull.is_some()
    }

    pub fn is_open(&self) -> bool {
        self.state == IssueState::Open
    }

    /// Returns whether the body or a comment mentions `@login`, ignoring case. A longer login is no match.
    pub fn mentions(&self, login: &str) -> bool {
        let mention = format!("@{login}").to_lowercase();
        let names = |text: &str| {
            let text = text.to_lowercase();
            let mut ends = text.match_indices(&mention).map(|(at, it)| at + it.len());
            ends.any(|end| {
                let next = text[end..].chars().next();
                !next.is_some_and(|c| c.is_ascii_alphanumeric() || c == '-')
            })
        };
        names(&self.body) || self.comments.iter().any(|comment| names(&comment.body))
    }

    pub fn comment(&self, id: u64) -> Option<&Comment> {
        self.comments.iter().find(|comment| comment.id == id)
    }
}
