//! Repositories with their labels, milestones and branches.

use super::account::Permission;
use super::commit::Commit;
use super::issue::Issue;
use super::names::wire_enum;
use super::release::{Release, Workflow, WorkflowRun};
use indexmap::IndexMap;
use std::collections::BTreeMap;
use time::OffsetDateTime;

/// The index of a repository in [`World::repositories`](super::World::repositories).
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct RepoId(pub usize);

#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Repository {
    pub id: u64,
    /// Login of a user or organisation.
    pub owner: String,
    pub name: String,
    pub description: Option<String>,
    pub homepage: Option<String>,
    pub visibility: Visibility,
    pub default_branch: String,
    pub topics: Vec<String>,
    pub license: Option<License>,
    pub language: Option<String>,
    pub stars: u64,
    pub forks: u64,
    pub watchers: u64,
    pub archived: bool,
    pub is_fork: bool,
    pub is_template: bool,
    pub has_issues: bool,
    pub has_wiki: bool,
    pub has_projects: bool,
    pub has_discussions: bool,
    pub merge_commit_allowed: bool,
    pub squash_merge_allowed: bool,
    pub rebase_merge_allowed: bool,
    pub auto_merge_allowed: bool,
    pub delete_branch_on_merge: bool,
    /// The number of approvals that a pull request needs to be merged.
    pub required_approvals: u64,
    /// Names of the checks that must pass before a pull request can be merged.
    pub required_checks: Vec<String>,
    /// Whether the requirements also apply to administrators.
    pub enforce_admins: bool,
    pub created_at: OffsetDateTime,
    pub updated_at: OffsetDateTime,
    pub pushed_at: OffsetDateTime,
    /// Permissions by login. Others can read public repositories, and internal or private ones only as members.
    pub collaborators: IndexMap<String, Permission>,
    pub labels: Vec<Label>,
    pub milestones: Vec<Milestone>,
    /// Issues and pull requests by number.
    pub issues: BTreeMap<u64, Issue>,
    pub branches: IndexMap<String, Branch>,
    /// All commits by sha.
    pub commits: IndexMap<String, Commit>,
    pub releases: Vec<Release>,
    pub workflows: Vec<Workflow>,
    pub runs: Vec<WorkflowRun>,
    /// Contents of the text files on the default branch, by path.
    pub files: BTreeMap<String, String>,
    /// Former names, as `owner/name`, that redirect to this repository.
    pub former_names: Vec<String>,
}

wire_enum! {
    Visibility { Public = "PUBLIC", Private = "PRIVATE", Internal = "INTERNAL" }
}

#[derive(Debug, Clone, PartialEq, Eq)]
pub struct License {
    pub key: String,
    pub name: String,
    pub spdx_id: String,
}

#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Label {
    pub id: u64,
    pub name: String,
    /// Six hexadecimal digits.
    pub color: String,
    pub description: Option<String>,
    pub created_at: OffsetDateTime,
    pub updated_at: OffsetDateTime,
}

wire_enum! {
    MilestoneState { Open = "OPEN", Closed = "CLOSED" }
}

#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Milestone {
    pub id: u64,
    pub number: u64,
    pub title: String,
    pub description: Option<String>,
    pub state: MilestoneState,
    pub due_on: Option<OffsetDateTime>,
    pub creator: String,
    pub created_at: OffsetDateTime,
    pub updated_at: OffsetDateTime,
    pub closed_at: Option<OffsetDateTime>,
}

/// A branch with the shas of the commits reachable from it, oldest first.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Branch {
    pub id: u64,
    pub name: String,
    pub history: Vec<String>,
}

impl Branch {
    /// Returns the sha of the last commit; empty if there is none.
    pub fn head(&self) -> &str {
        self.history.last().map_or("", String::as_str)
    }
}

impl Repository {
    /// Returns `owner/name`.
    pub fn full_name(&self) -> String {
        format!("{}/{}", self.owner, self.name)
    }

    pub fn url(&self) -> String {
        format!("https://github.com/{}/{}", self.owner, self.name)
    }

    pub fn is_private(&self) -> bool {
        self.visibility != Visibility::Public
    }

    pub fn label(&self, id: u64) -> Option<&Label> {
        self.labels.iter().find(|label| label.id == id)
    }

    /// Finds a label by name, ignoring case as GitHub does.
    pub fn label_named(&self, name: &str) -> Option<&Label> {
        self.labels
            .iter()
            .find(|label| label.name.eq_ignore_ascii_case(name))
    }

    pub fn milestone(&self, number: u64) -> Option<&Milestone> {
        self.milestones
            .iter()
            .find(|milestone| milestone.number == number)
    }

    /// Finds an issue that is not a pull request.
    pub fn issue(&self, number: u64) -> Option<&Issue> {
        self.issues.get(&number).filter(|issue| !issue.is_pull())
    }

    /// Finds a pull request.
    pub fn pull(&self, number: u64) -> Option<&Issue> {
        self.issues.get(&number).filter(|issue| issue.is_pull())
    }

    /// Returns the labels of an issue, in the order in which they were added.
    pub fn labels_of<'r>(&'r self, issue: &'r Issue) -> impl Iterator<Item = &'r Label> + 'r {
        issue.labels.iter().filter_map(|id| self.label(*id))
    }

    /// Finds a commit by branch name, release tag, or sha of which at least the first seven digits are given.
    pub fn commit(&self, reference: &str) -> Option<&Commit> {
        let name = reference
            .strip_prefix("refs/heads/")
            .or_else(|| reference.strip_prefix("heads/"))
            .unwrap_or(reference);
        if let Some(branch) = self.branches.get(name) {
            return self.commits.get(branch.head());
        }
        if let Some(commit) = self.commits.get(name) {
            return Some(commit);
        }
        if let Some(release) = self.releases.iter().find(|release| release.tag == name) {
            return self.commit_of_release(release);
        }
        let shortened = name.len() >= 7 && name.bytes().all(|byte| byte.is_ascii_hexdigit());
        self.commits
            .values()
            .find(|commit| shortened && commit.sha.starts_with(name))
    }

    /// Returns the release that GitHub marks as latest: the newest that is neither a draft nor a pre-release.
    pub fn latest_release(&self) -> Option<&Release> {
        self.releases
            .iter()
            .filter(|release| !release.draft && !release.prerelease)
            .max_by_key(|release| release.published_at)
    }

    pub fn workflow(&self, id: u64) -> Option<&Workflow> {
        self.workflows.iter().find(|workflow| workflow.id == id)
    }

    fn commit_of_release(&self, release: &Release) -> Option<&Commit> {
        let branch = self.branches.get(&release.target);
        let sha = branch.map_or(release.target.as_str(), Branch::head);
        self.commits.get(sha)
    }
}
