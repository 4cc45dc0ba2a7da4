//! Translates node ids into locations in the world and back.

use super::account::{User, Viewer};
use super::ids::{NodeId, NodeKind};
use super::issue::{Comment, Issue, IssueRef};
use super::pull::{PullRequest, Review, ReviewComment, ReviewThread};
use super::refusal::Refusal;
use super::repository::{RepoId, Repository};
use super::state::World;

/// The location of a node in the world.
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
pub enum Located {
    User(String),
    Bot(String),
    Organization(String),
    Repository(RepoId),
    Issue(IssueRef),
    PullRequest(IssueRef),
    Label(RepoId, u64),
    Milestone(RepoId, u64),
    Comment(IssueRef, u64),
    Review(IssueRef, u64),
    Thread(IssueRef, u64),
    ReviewComment(IssueRef, u64),
    Release(RepoId, u64),
    Commit(RepoId, String),
    Ref(RepoId, String),
    CheckRun(RepoId, String, u64),
    CheckSuite(RepoId, String, u64),
    StatusContext(RepoId, String, u64),
    Workflow(RepoId, u64),
    WorkflowRun(RepoId, u64),
    IssueType(String, u64),
}

impl Located {
    pub fn kind(&self) -> NodeKind {
        match self {
            Self::User(_) => NodeKind::User,
            Self::Bot(_) => NodeKind::Bot,
            Self::Organization(_) => NodeKind::Organization,
            Self::Repository(_) => NodeKind::Repository,
            Self::Issue(_) => NodeKind::Issue,
            Self::PullRequest(_) => NodeKind::PullRequest,
            Self::Label(..) => NodeKind::Label,
            Self::Milestone(..) => NodeKind::Milestone,
            Self::Comment(..) => NodeKind::IssueComment,
            Self::Review(..) => NodeKind::PullRequestReview,
            Self::Thread(..) => NodeKind::PullRequestReviewThread,
            Self::ReviewComment(..) => NodeKind::PullRequestReviewComment,
            Self::Release(..) => NodeKind::Release,
            Self::Commit(..) => NodeKind::Commit,
            Self::Ref(..) => NodeKind::Ref,
            Self::CheckRun(..) => NodeKind::CheckRun,
            Self::CheckSuite(..) => NodeKind::CheckSuite,
            Self::StatusContext(..) => NodeKind::StatusContext,
            Self::Workflow(..) => NodeKind::Workflow,
            Self::WorkflowRun(..) => NodeKind::WorkflowRun,
            Self::IssueType(..) => NodeKind::IssueType,
        }
    }

    /// Returns the repository that contains the node, if any.
    pub fn repo(&self) -> Option<RepoId> {
        match self {
            Self::User(_) | Self::Bot(_) | Self::Organization(_) | Self::IssueType(..) => None,
            Self::Repository(repo)
            | Self::Label(repo, _)
            | Self::Milestone(repo, _)
            | Self::Release(repo, _)
            | Self::Commit(repo, _)
            | Self::Ref(repo, _)
            | Self::CheckRun(repo, ..)
            | Self::CheckSuite(repo, ..)
            | Self::StatusContext(repo, ..)
            | Self::Workflow(repo, _)
            | Self::WorkflowRun(repo, _) => Some(*repo),
            Self::Issue(at)
            | Self::PullRequest(at)
            | Self::Comment(at, _)
            | Self::Review(at, _)
            | Self::Thread(at, _)
            | Self::ReviewComment(at, _) => Some(at.repo),
        }
    }

    /// Returns the issue or pull request that the node is or belongs to.
    pub fn issue(&self) -> Option<IssueRef> {
        match self {
            Self::Issue(at)
            | Self::PullRequest(at)
            | Self::Comment(at, _)
            | Self::Review(at, _)
            | Self::Thread(at, _)
            | Self::ReviewComment(at, _) => Some(*at),
            _ => None,
        }
    }
}

impl User {
    /// Returns the location of the account.
    pub fn location(&self) -> Located {
        let login = self.login.clone();
        if self.bot {
            Located::Bot(login)
        } else {
            Located::User(login)
        }
    }
}

impl World {
    /// Returns the location of the node with this id, if it exists and the viewer may see it.
    pub fn node(&self, viewer: &Viewer, id: &str) -> Result<Located, Refusal> {
        NodeId::decode(id)
            .and_then(|node| self.locate(node))
            .filter(|place| place.repo().is_none_or(|repo| self.can_see(viewer, repo)))
            .ok_or_else(|| Refusal::no_node(id))
    }

    /// Returns the node id of a location; `None` if nothing is there any more.
    pub fn node_id(&self, place: &Located) -> Option<String> {
        let owner = match place.repo() {
            Some(repo) if !matches!(place, Located::Repository(_)) => self.repo(repo)?.id,
            _ => 0,
        };
        let id = match place {
            Located::User(login) | Located::Bot(login) => self.users.get(login)?.id,
            Located::Organization(login) => self.organizations.get(login)?.id,
            Located::Repository(repo) => self.repo(*repo)?.id,
            Located::Issue(at) => self.issue_at(*at)?.id,
            Located::PullRequest(at) => self.issue_at(*at)?.pull.as_ref()?.id,
            Located::Milestone(repo, number) => self.repo(*repo)?.milestone(*number)?.id,
            Located::Commit(repo, sha) => self.repo(*repo)?.commits.get(sha)?.id,
            Located::Ref(repo, name) => self.repo(*repo)?.branches.get(name)?.id,
            Located::Label(_, id)
            | Located::Comment(_, id)
            | Located::Review(_, id)
            | Located::Thread(_, id)
            | Located::ReviewComment(_, id)
            | Located::Release(_, id)
            | Located::CheckRun(_, _, id)
            | Located::CheckSuite(_, _, id)
            | Located::StatusContext(_, _, id)
            | Located::Workflow(_, id)
            | Located::WorkflowRun(_, id)
            | Located::IssueType(_, id) => *id,
        };
        Some(NodeId::new(place.kind(), owner, id).encode())
    }

    /// Finds the comment with this database id.
    pub fn find_comment(&self, repo: RepoId, id: u64) -> Option<(IssueRef, &Comment)> {
        self.repo(repo)?.issues.values().find_map(|issue| {
            let number = issue.number;
            Some((IssueRef { repo, number }, issue.comment(id)?))
        })
    }

    /// Finds the review comment with this database id.
    pub fn find_review_comment(
        &self,
        repo: RepoId,
        id: u64,
    ) -> Option<(IssueRef, &ReviewThread, &ReviewComment)> {
        self.pulls(repo).find_map(|(at, pull)| {
            pull.threads.iter().find_map(|thread| {
                let comment = thread.comments.iter().find(|comment| comment.id == id)?;
                Some((at, thread, comment))
            })
        })
    }

    pub fn find_review(&self, at: IssueRef, id: u64) -> Option<&Review> {
        self.issue_at(at)?.pull.as_ref()?.review(id)
    }

    fn pulls(&self, repo: RepoId) -> impl Iterator<Item = (IssueRef, &PullRequest)> {
        let issues = self.repo(repo).into_iter().flat_map(|r| r.issues.values());
        issues.filter_map(move |issue| {
            let number = issue.number;
            Some((IssueRef { repo, number }, issue.pull.as_ref()?))
        })
    }

    fn locate(&self, node: NodeId) -> Option<Located> {
        match node.kind {
            NodeKind::User | NodeKind::Bot => {
                let user = self.users.values().find(|user| user.id == node.id)?;
                let place = user.location();
                (!user.deleted && place.kind() == node.kind).then_some(place)
            }
            NodeKind::Organization => {
                let org = self.organizations.values().find(|org| org.id == node.id)?;
                Some(Located::Organization(org.login.clone()))
            }
            NodeKind::IssueType => self.organizations.values().find_map(|org| {
                let known = org.issue_types.iter().any(|kind| kind.id == node.id);
                known.then(|| Located::IssueType(org.login.clone(), node.id))
            }),
            NodeKind::Repository => self
                .repositories
                .iter()
                .position(|repo| repo.id == node.id)
                .map(|index| Located::Repository(RepoId(index))),
            _ => {
                let index = self.repositories.iter().position(|r| r.id == node.owner)?;
                self.locate_in(RepoId(index), self.repositories.get(index)?, node)
            }
        }
    }

    fn locate_in(&self, at: RepoId, repo: &Repository, node: NodeId) -> Option<Located> {
        let id = node.id;
        let issue_ref = |issue: &Issue| IssueRef {
            repo: at,
            number: issue.number,
        };
        let in_commits = |has: &dyn Fn(&super::commit::Commit) -> bool| {
            let commit = repo.commits.values().find(|commit| has(commit))?;
            Some(commit.sha.clone())
        };
        match node.kind {
            NodeKind::Issue => {
                let mut issues = repo.issues.values();
                let issue = issues.find(|issue| !issue.is_pull() && issue.id == id)?;
                Some(Located::Issue(issue_ref(issue)))
            }
            NodeKind::PullRequest => {
                let (found, _) = self.pulls(at).find(|(_, pull)| pull.id == id)?;
                Some(Located::PullRequest(found))
            }
            NodeKind::Label => repo.label(id).map(|_| Located::Label(at, id)),
            NodeKind::Milestone => {
                let milestone = repo.milestones.iter().find(|m| m.id == id)?;
                Some(Located::Milestone(at, milestone.number))
            }
            NodeKind::IssueComment => {
                let (found, _) = self.find_comment(at, id)?;
                Some(Located::Comment(found, id))
            }
            NodeKind::PullRequestReview => {
                let (found, _) = self.pulls(at).find(|(_, pull)| pull.review(id).is_some())?;
                Some(Located::Review(found, id))
            }
            NodeKind::PullRequestReviewThread => {
                let (found, _) = self.pulls(at).find(|(_, pull)| pull.thread(id).is_some())?;
                Some(Located::Thread(found, id))
            }
            NodeKind::PullRequestReviewComment => {
                let (found, ..) = self.find_review_comment(at, id)?;
                Some(Located::ReviewComment(found, id))
            }
            NodeKind::Release => {
                let known = repo.releases.iter().any(|release| release.id == id);
                known.then_some(Located::Release(at, id))
            }
            NodeKind::Commit => {
                in_commits(&|commit| commit.id == id).map(|sha| Located::Commit(at, sha))
            }
            NodeKind::Ref => {
                let branch = repo.branches.values().find(|branch| branch.id == id)?;
                Some(Located::Ref(at, branch.name.clone()))
            }
            NodeKind::CheckRun => in_commits(&|c| c.check_runs.iter().any(|run| run.id == id))
                .map(|sha| Located::CheckRun(at, sha, id)),
            NodeKind::CheckSuite => in_commits(&|c| c.check_runs.iter().any(|run| run.id == id))
                .map(|sha| Located::CheckSuite(at, sha, id)),
            NodeKind::StatusContext => in_commits(&|c| c.statuses.iter().any(|s| s.id == id))
                .map(|sha| Located::StatusContext(at, sha, id)),
            NodeKind::Workflow => repo.workflow(id).map(|_| Located::Workflow(at, id)),
            NodeKind::WorkflowRun => {
                let known = repo.runs.iter().any(|run| run.id == id);
                known.then_some(Located::WorkflowRun(at, id))
            }
            NodeKind::User
            | NodeKind::Bot
            | NodeKind::Organization
            | NodeKind::Repository
            | NodeKind::IssueType
            | NodeKind::Reaction => None,
        }
    }
}
