//! Facts derived from a pull request: its files, checks, review decision, merge state and closing references.

use super::account::Permission;
use super::commit::{ChangedFile, Commit, CommitStatus};
use super::issue::{Issue, IssueRef};
use super::pull::{
    MergeState, Mergeable, PullRequest, PullState, Review, ReviewDecision, ReviewState,
};
use super::state::World;
use indexmap::IndexMap;

/// The state of a required check that has not passed.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum UnmetCheck {
    /// The check has not reported.
    Expected,
    InProgress,
    Failing,
}

impl World {
    /// The head commit of a pull request.
    pub fn head_commit(&self, pull: &PullRequest) -> Option<&Commit> {
        self.repo(pull.head_repo)?.commits.get(&pull.head_sha)
    }

    /// The commits of a pull request, oldest first.
    pub fn pull_commits(&self, pull: &PullRequest) -> Vec<&Commit> {
        let Some(repo) = self.repo(pull.head_repo) else {
            return Vec::new();
        };
        pull.commits
            .iter()
            .filter_map(|sha| repo.commits.get(sha))
            .collect()
    }

    /// Returns the files that a pull request changes, sorted by path.
    pub fn pull_files(&self, pull: &PullRequest) -> Vec<ChangedFile> {
        let mut files: IndexMap<&str, ChangedFile> = IndexMap::new();
        for change in self.pull_commits(pull).into_iter().flat_map(|c| &c.files) {
            files
                .entry(&change.path)
                .and_modify(|file| {
                    file.additions += change.additions;
                    file.deletions += change.deletions;
                })
                .or_insert_with(|| change.clone());
        }
        files.sort_unstable_keys();
        files.into_values().collect()
    }

    /// Returns the decision of the reviewers with write access; `None` if no review is required, as on GitHub.
    pub fn review_decision(&self, at: IssueRef) -> Option<ReviewDecision> {
        let repo = self.repo(at.repo)?;
        let pull = repo.pull(at.number)?.pull.as_ref()?;
        if repo.required_approvals == 0 {
            return None;
        }
        let mut reviews = pull.latest_reviews();
        reviews.retain(|review| self.permission(&review.author, at.repo) >= Permission::Write);
        Some(match count_reviews(&reviews) {
            (_, true) => ReviewDecision::ChangesRequested,
            (approvals, false) if approvals < repo.required_approvals => {
                ReviewDecision::ReviewRequired
            }
            _ => ReviewDecision::Approved,
        })
    }

    /// Returns the decision that search's `review:` uses: it counts all reviewers, and needs no required review.
    pub fn searched_review_decision(&self, at: IssueRef) -> Option<ReviewDecision> {
        let repo = self.repo(at.repo)?;
        let pull = repo.pull(at.number)?.pull.as_ref()?;
        match count_reviews(&pull.latest_reviews()) {
            (_, true) => Some(ReviewDecision::ChangesRequested),
            (approvals, false) if approvals < repo.required_approvals => {
                Some(ReviewDecision::ReviewRequired)
            }
            (0, false) => None,
            _ => Some(ReviewDecision::Approved),
        }
    }

    /// Returns the required checks of a pull request that have not passed.
    pub fn unmet_checks(&self, at: IssueRef) -> Vec<(String, UnmetCheck)> {
        let Some((repo, pull)) = self
            .repo(at.repo)
            .and_then(|repo| Some((repo, repo.pull(at.number)?.pull.as_ref()?)))
        else {
            return Vec::new();
        };
        let head = self.head_commit(pull);
        let unmet = |name: &String| {
            let state = match head.and_then(|head| head.check_state(name)) {
                None => UnmetCheck::Expected,
                Some(CommitStatus::Success) => return None,
                Some(CommitStatus::Pending | CommitStatus::Expected) => UnmetCheck::InProgress,
                Some(CommitStatus::Failure | CommitStatus::Error) => UnmetCheck::Failing,
            };
            Some((name.clone(), state))
        };
        repo.required_checks.iter().filter_map(unmet).collect()
    }

    /// Returns the state that GitHub's merge box would show.
    pub fn merge_state(&self, at: IssueRef) -> MergeState {
        let Some(pull) = self.issue_at(at).and_then(|issue| issue.pull.as_ref()) else {
            return MergeState::Unknown;
        };
        let required = self
            .repo(at.repo)
            .is_some_and(|repo| repo.required_approvals > 0);
        let rollup = self.head_commit(pull).and_then(Commit::rollup);
        if pull.merged.is_some() {
            MergeState::Unknown
        } else if pull.mergeable == Mergeable::Conflicting {
            MergeState::Dirty
        } else if pull.mergeable == Mergeable::Unknown {
            MergeState::Unknown
        } else if pull.draft {
            MergeState::Draft
        } else if required && self.review_decision(at) != Some(ReviewDecision::Approved)
            || !self.unmet_checks(at).is_empty()
        {
            MergeState::Blocked
        } else if rollup.is_some_and(|state| state != CommitStatus::Success) {
            MergeState::Unstable
        } else {
            MergeState::Clean
        }
    }

    pub fn pull_state(&self, issue: &Issue) -> PullState {
        let merged = issue
            .pull
            .as_ref()
            .is_some_and(|pull| pull.merged.is_some());
        if merged {
            PullState::Merged
        } else if issue.is_open() {
            PullState::Open
        } else {
            PullState::Closed
        }
    }

    /// Returns the issues of the same repository that the body says the pull request closes.
    pub fn closing_references(&self, at: IssueRef) -> Vec<IssueRef> {
        let Some(issue) = self.issue_at(at).filter(|issue| issue.is_pull()) else {
            return Vec::new();
        };
        let mut found = Vec::new();
        let words: Vec<&str> = issue.body.split_whitespace().collect();
        for pair in words.windows(2) {
            let [keyword, reference] = pair else { continue };
            let keyword = keyword.trim_end_matches(':').to_ascii_lowercase();
            if !CLOSING_KEYWORDS.contains(&keyword.as_str()) {
                continue;
            }
            if !reference.starts_with('#') {
                continue;
            }
            let digits: String = reference
                .trim_start_matches('#')
                .chars()
                .take_while(char::is_ascii_digit)
                .collect();
            let target = digits.parse().ok().map(|number| IssueRef {
                repo: at.repo,
                number,
            });
            if let Some(target) = target {
                let is_issue = self.issue_at(target).is_some_and(|issue| !issue.is_pull());
                if is_issue && !found.contains(&target) {
                    found.push(target);
                }
            }
        }
        found
    }
}

/// Returns the number of approvals, and whether anybody requested changes.
fn count_reviews(reviews: &[&Review]) -> (u64, bool) {
    let approvals = reviews
        .iter()
        .filter(|review| review.state == ReviewState::Approved)
        .count();
    let against = |review: &&Review| review.state == ReviewState::ChangesRequested;
    (approvals as u64, reviews.iter().any(against))
}

const CLOSING_KEYWORDS: [&str; 9] = [
    "close", "closes", "closed", "fix", "fixes", "fixed", "resolve", "resolves", "resolved",
];
