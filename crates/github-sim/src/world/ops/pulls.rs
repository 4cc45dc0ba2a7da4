//! Opening, editing and merging pull requests.

use super::issues::{check_body, check_title};
use crate::world::names::wire_enum;
use crate::world::{
    Commit, IssueEdit, IssueRef, IssueState, Mergeable, Merged, Permission, PullRequest, Refusal,
    RepoId, ReviewDecision, StateReason, UnmetCheck, Viewer, World,
};

#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct NewPullRequest {
    pub title: String,
    pub body: String,
    /// `branch` or `owner:branch`.
    pub head: String,
    pub base: String,
    pub draft: bool,
    pub maintainer_can_modify: bool,
}

/// Changes to a pull request; `None` leaves a field unchanged.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct PullRequestEdit {
    /// Changes to the fields that pull requests share with issues.
    pub issue: IssueEdit,
    pub base: Option<String>,
    pub maintainer_can_modify: Option<bool>,
}

wire_enum! {
    MergeMethod { Merge = "MERGE", Squash = "SQUASH", Rebase = "REBASE" }
}

#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct MergeRequest {
    pub method: Option<MergeMethod>,
    pub headline: Option<String>,
    pub body: Option<String>,
    /// The sha that the client expects at the head.
    pub expected_head: Option<String>,
}

impl World {
    pub fn create_pull_request(
        &mut self,
        viewer: &Viewer,
        repo: RepoId,
        new: NewPullRequest,
    ) -> Result<IssueRef, Refusal> {
        self.authorize(viewer, repo, Permission::Read, "CreatePullRequest")?;
        check_title("PullRequest", &new.title)?;
        check_body("PullRequest", &new.body)?;
        let (head_repo, head_ref) = self.resolve_head(repo, &new.head)?;
        let (head_sha, base_sha, commits) = self.compare(repo, &new.base, head_repo, &head_ref)?;
        let duplicate = self.repo(repo).is_some_and(|found| {
            found.issues.values().any(|issue| {
                issue.is_open()
                    && issue.pull.as_ref().is_some_and(|pull| {
                        pull.head_repo == head_repo
                            && pull.head_ref == head_ref
                            && pull.base_ref == new.base
                    })
            })
        });
        if duplicate {
            let owner = self
                .repo(head_repo)
                .map(|r| r.owner.clone())
                .unwrap_or_default();
            return Err(Refusal::custom(
                "PullRequest",
                format!("A pull request already exists for {owner}:{head_ref}."),
            ));
        }
        let at = self.open_issue(viewer, repo, new.title, new.body)?;
        let id = self.fresh_id();
        if let Some(issue) = self.issue_at_mut(at) {
            issue.pull = Some(PullRequest {
                id,
                head_repo,
                head_ref,
                head_sha,
                base_ref: new.base,
                base_sha,
                draft: new.draft,
                mergeable: Mergeable::Mergeable,
                merged: None,
                maintainer_can_modify: new.maintainer_can_modify,
                requested_reviewers: Vec::new(),
                requested_teams: Vec::new(),
                reviews: Vec::new(),
                threads: Vec::new(),
                commits,
            });
        }
        Ok(at)
    }

    pub fn edit_pull_request(
        &mut self,
        viewer: &Viewer,
        at: IssueRef,
        edit: PullRequestEdit,
    ) -> Result<(), Refusal> {
        self.authorize_author_or(viewer, at, Permission::Triage, "UpdatePullRequest")?;
        let pull = self.pull_at(at)?.clone();
        let rebased = match &edit.base {
            Some(base) if *base != pull.base_ref => {
                Some(self.compare(at.repo, base, pull.head_repo, &pull.head_ref)?)
            }
            _ => None,
        };
        self.edit_issue(viewer, at, edit.issue)?;
        let mut changed = self.existing(at)?.clone();
        if let Some(pull) = changed.pull.as_mut() {
            if let (Some(base), Some((_, base_sha, commits))) = (edit.base, rebased) {
                pull.base_ref = base;
                pull.base_sha = base_sha;
                pull.commits = commits;
            }
            super::issues::set_if_some(&mut pull.maintainer_can_modify, edit.maintainer_can_modify);
        }
        self.store_issue(at, changed);
        Ok(())
    }

    /// Merges a pull request and returns the sha of the new head of the base branch.
    pub fn merge_pull_request(
        &mut self,
        viewer: &Viewer,
        at: IssueRef,
        request: &MergeRequest,
    ) -> Result<String, Refusal> {
        let pull = self.pull_at(at)?.clone();
        self.authorize(viewer, at.repo, Permission::Write, "MergePullRequest")?;
        self.check_merge(viewer, at, &pull, request)?;
        let method = request.method.unwrap_or(MergeMethod::Merge);
        let issue = self.existing(at)?;
        let (title, number) = (issue.title.clone(), issue.number);
        let owner = self
            .repo(pull.head_repo)
            .map(|r| r.owner.clone())
            .unwrap_or_default();
        let headline = request.headline.clone().unwrap_or_else(|| match method {
            MergeMethod::Merge => {
                format!(
                    "Merge pull request #{number} from {owner}/{}",
                    pull.head_ref
                )
            }
            MergeMethod::Squash | MergeMethod::Rebase => format!("{title} (#{number})"),
        });
        let body = request.body.clone().unwrap_or_else(|| match method {
            MergeMethod::Merge => title.clone(),
            MergeMethod::Squash | MergeMethod::Rebase => String::new(),
        });
        let message = if body.is_empty() {
            headline
        } else {
            format!("{headline}\n\n{body}")
        };
        let closes = self.closing_references(at);
        let sha = self.commit_merge(viewer, at.repo, &pull, method, message);

        let mut changed = self.existing(at)?.clone();
        let now = self.clock.upcoming();
        changed.state = IssueState::Closed;
        changed.closed_at = Some(now);
        changed.closed_by = Some(viewer.login.clone());
        if let Some(merging) = changed.pull.as_mut() {
            merging.merged = Some(Merged {
                at: now,
                by: viewer.login.clone(),
                commit: sha.clone(),
            });
        }
        self.store_issue(at, changed);
        let into_default = self
            .repo(at.repo)
            .is_some_and(|repo| repo.default_branch == pull.base_ref);
        if into_default {
            for issue in closes {
                self.apply_close(viewer, issue, StateReason::Completed);
            }
        }
        let delete_head = self
            .repo(at.repo)
            .is_some_and(|repo| repo.delete_branch_on_merge);
        if delete_head
            && pull.head_repo == at.repo
            && let Some(repo) = self.repo_mut(at.repo)
        {
            repo.branches.shift_remove(&pull.head_ref);
        }
        Ok(sha)
    }

    pub fn close_pull_request(&mut self, viewer: &Viewer, at: IssueRef) -> Result<(), Refusal> {
        self.pull_at(at)?;
        self.authorize_author_or(viewer, at, Permission::Triage, "ClosePullRequest")?;
        self.apply_close(viewer, at, StateReason::Completed);
        Ok(())
    }

    pub fn reopen_pull_request(&mut self, viewer: &Viewer, at: IssueRef) -> Result<(), Refusal> {
        let pull = self.pull_at(at)?;
        self.authorize_author_or(viewer, at, Permission::Triage, "ReopenPullRequest")?;
        if pull.merged.is_some() {
            return Err(Refusal::invalid(
                "PullRequest",
                "state",
                "Could not open the pull request.",
            ));
        }
        self.apply_reopen(at);
        Ok(())
    }

    pub fn set_draft(&mut self, viewer: &Viewer, at: IssueRef, draft: bool) -> Result<(), Refusal> {
        self.pull_at(at)?;
        let action = if draft {
            "ConvertPullRequestToDraft"
        } else {
            "MarkPullRequestReadyForReview"
        };
        self.authorize_author_or(viewer, at, Permission::Write, action)?;
        let mut changed = self.existing(at)?.clone();
        if let Some(pull) = changed.pull.as_mut() {
            pull.draft = draft;
        }
        self.store_issue(at, changed);
        Ok(())
    }

    pub(crate) fn pull_at(&self, at: IssueRef) -> Result<&PullRequest, Refusal> {
        self.issue_at(at)
            .and_then(|issue| issue.pull.as_ref())
            .ok_or_else(|| {
                Refusal::NotFound(format!(
                    "Could not resolve to a PullRequest with the number of {}.",
                    at.number
                ))
            })
    }

    fn check_merge(
        &self,
        viewer: &Viewer,
        at: IssueRef,
        pull: &PullRequest,
        request: &MergeRequest,
    ) -> Result<(), Refusal> {
        let refuse = |message: &str| Err(Refusal::NotMergeable(message.to_owned()));
        let Some(repo) = self.repo(at.repo) else {
            return refuse("Pull Request is not mergeable");
        };
        let allowed = match request.method.unwrap_or(MergeMethod::Merge) {
            MergeMethod::Merge => (repo.merge_commit_allowed, "Merge commits"),
            MergeMethod::Squash => (repo.squash_merge_allowed, "Squash merges"),
            MergeMethod::Rebase => (repo.rebase_merge_allowed, "Rebase merges"),
        };
        if !allowed.0 {
            return refuse(&format!(
                "{} are not allowed on this repository.",
                allowed.1
            ));
        }
        if pull.merged.is_some() || !self.existing(at)?.is_open() {
            return refuse("Pull Request is not mergeable");
        }
        let stale = |expected: &String| *expected != pull.head_sha;
        if request.expected_head.as_ref().is_some_and(stale) {
            return Err(Refusal::StaleHead(
                "Head branch was modified. Review and try the merge again.".to_owned(),
            ));
        }
        if pull.draft {
            return refuse("Pull Request is still a draft");
        }
        if pull.mergeable == Mergeable::Conflicting {
            return refuse("Pull Request is not mergeable");
        }
        let is_admin = self.permission(&viewer.login, at.repo) >= Permission::Admin;
        if is_admin && !repo.enforce_admins {
            return Ok(());
        }
        let approved = self.review_decision(at) == Some(ReviewDecision::Approved);
        if repo.required_approvals > 0 && !approved {
            let needed = repo.required_approvals;
            let reviews = if needed == 1 {
                "review is"
            } else {
                "reviews are"
            };
            return refuse(&format!(
                "At least {needed} approving {reviews} required by reviewers with write access."
            ));
        }
        if let Some((name, state)) = self.unmet_checks(at).into_iter().next() {
            let state = match state {
                UnmetCheck::Expected => "expected",
                UnmetCheck::InProgress => "in progress",
                UnmetCheck::Failing => "failing",
            };
            return refuse(&format!("Required status check \"{name}\" is {state}."));
        }
        Ok(())
    }

    fn commit_merge(
        &mut self,
        viewer: &Viewer,
        repo: RepoId,
        pull: &PullRequest,
        method: MergeMethod,
        message: String,
    ) -> String {
        let files = self.pull_files(pull);
        let kept: Vec<Commit> = self.pull_commits(pull).into_iter().cloned().collect();
        let id = self.fresh_id();
        let now = self.record_change();
        let sha = super::seed::fake_sha(id, &message);
        let Some(repository) = self.repo_mut(repo) else {
            return sha;
        };
        let Some(base) = repository.branches.get_mut(&pull.base_ref) else {
            return sha;
        };
        let mut parents = vec![base.head().to_owned()];
        if method == MergeMethod::Merge {
            parents.push(pull.head_sha.clone());
            let reachable: Vec<&String> = pull
                .commits
                .iter()
                .filter(|sha| !base.history.contains(sha))
                .collect();
            base.history
                .extend(reachable.into_iter().cloned().collect::<Vec<_>>());
        }
        base.history.push(sha.clone());
        for commit in kept {
            repository
                .commits
                .entry(commit.sha.clone())
                .or_insert(commit);
        }
        repository.commits.insert(
            sha.clone(),
            Commit {
                id,
                sha: sha.clone(),
                message,
                author: viewer.login.clone(),
                committed_at: now,
                parents,
                files,
                check_runs: Vec::new(),
                statuses: Vec::new(),
            },
        );
        repository.pushed_at = now;
        sha
    }

    fn resolve_head(&self, repo: RepoId, head: &str) -> Result<(RepoId, String), Refusal> {
        let invalid = || Refusal::invalid("PullRequest", "head", "Head ref must be a branch");
        let (owner, branch) = match head.split_once(':') {
            Some((owner, branch)) => (Some(owner), branch),
            None => (None, head),
        };
        let base = self.repo(repo).ok_or_else(invalid)?;
        let head_repo = match owner {
            Some(owner) if !owner.eq_ignore_ascii_case(&base.owner) => {
                self.find_repo(owner, &base.name).ok_or_else(invalid)?
            }
            _ => repo,
        };
        Ok((head_repo, branch.to_owned()))
    }

    /// Returns the head sha, the base sha and the shas of the commits that only the head has, oldest first.
    fn compare(
        &self,
        repo: RepoId,
        base: &str,
        head_repo: RepoId,
        head: &str,
    ) -> Result<(String, String, Vec<String>), Refusal> {
        let branch = |repo, name: &str| self.repo(repo).and_then(|found| found.branches.get(name));
        let Some(base_branch) = branch(repo, base) else {
            return Err(Refusal::invalid(
                "PullRequest",
                "base",
                "Base ref must be a branch",
            ));
        };
        let Some(head_branch) = branch(head_repo, head) else {
            return Err(Refusal::invalid(
                "PullRequest",
                "head",
                format!(
                    "Head sha can't be blank, Base sha can't be blank, No commits between {base} and {head}, Head ref must be a branch"
                ),
            ));
        };
        let commits: Vec<String> = head_branch
            .history
            .iter()
            .filter(|sha| !base_branch.history.contains(sha))
            .cloned()
            .collect();
        if commits.is_empty() {
            return Err(Refusal::custom(
                "PullRequest",
                format!("No commits between {base} and {head}"),
            ));
        }
        Ok((
            head_branch.head().to_owned(),
            base_branch.head().to_owned(),
            commits,
        ))
    }
}
