//! Filters and orders for lists of issues and pull requests.

use super::issue::{Issue, IssueRef, IssueState};
use super::pull::PullState;
use super::repository::RepoId;
use super::state::World;
use time::OffsetDateTime;

/// Conditions on issues and pull requests. All must hold; the default accepts everything.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct IssueFilter {
    /// `Some(true)`: pull requests only; `Some(false)`: issues only.
    pub pulls: Option<bool>,
    pub state: Option<IssueState>,
    /// Accepted states of pull requests; empty accepts all.
    pub pull_states: Vec<PullState>,
    /// Label names that must all be present.
    pub labels: Vec<String>,
    /// Label names of which at least one must be present; empty accepts all.
    pub any_label: Vec<String>,
    pub author: Option<String>,
    /// A login, `*` for any assignee or `none` for no assignee.
    pub assignee: Option<String>,
    /// A milestone number, `*` for any milestone or `none` for no milestone.
    pub milestone: Option<String>,
    pub mentioned: Option<String>,
    /// Only issues updated at or after this time.
    pub since: Option<OffsetDateTime>,
    /// The head branch, as `branch` or `owner:branch`.
    pub head: Option<String>,
    pub base: Option<String>,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum OrderField {
    Created,
    Updated,
    Comments,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Direction {
    Ascending,
    Descending,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct IssueOrder {
    pub field: OrderField,
    pub direction: Direction,
}

impl World {
    /// Returns the matching issues and pull requests of a repository, in the given order.
    pub fn list_issues(
        &self,
        repo: RepoId,
        filter: &IssueFilter,
        order: IssueOrder,
    ) -> Vec<IssueRef> {
        let issues = self.repo(repo).into_iter().flat_map(|r| r.issues.values());
        let mut found: Vec<&Issue> = issues
            .filter(|issue| self.accepts(repo, filter, issue))
            .collect();
        order.sort(&mut found);
        found
            .into_iter()
            .map(|issue| IssueRef {
                repo,
                number: issue.number,
            })
            .collect()
    }

    fn accepts(&self, repo: RepoId, filter: &IssueFilter, issue: &Issue) -> bool {
        let Some(repository) = self.repo(repo) else {
            return false;
        };
        let labelled = |name: &String| {
            repository
                .labels_of(issue)
                .any(|label| label.name.eq_ignore_ascii_case(name))
        };
        let pull = issue.pull.as_ref();
        filter.pulls.is_none_or(|wanted| wanted == issue.is_pull())
            && filter.state.is_none_or(|state| state == issue.state)
            && (filter.pull_states.is_empty()
                || filter.pull_states.contains(&self.pull_state(issue)))
            && filter.labels.iter().all(labelled)
            && (filter.any_label.is_empty() || filter.any_label.iter().any(labelled))
            && is_same_login(filter.author.as_ref(), &issue.author)
            && matches_one(filter.assignee.as_deref(), &issue.assignees)
            && matches_one(
                filter.milestone.as_deref(),
                &Vec::from_iter(issue.milestone.map(|number| number.to_string())),
            )
            && filter
                .mentioned
                .as_ref()
                .is_none_or(|login| issue.mentions(login))
            && filter.since.is_none_or(|since| issue.updated_at >= since)
            && filter
                .base
                .as_ref()
                .is_none_or(|base| pull.is_some_and(|pull| pull.base_ref == *base))
            && filter.head.as_ref().is_none_or(|head| {
                pull.is_some_and(|pull| match head.split_once(':') {
                    Some((owner, branch)) => {
                        let owned = self.repo(pull.head_repo).is_some_and(|r| r.owner == owner);
                        owned && pull.head_ref == branch
                    }
                    None => pull.head_ref == *head,
                })
            })
    }
}

impl Default for IssueOrder {
    /// Sorts by creation, newest first.
    fn default() -> Self {
        Self {
            field: OrderField::Created,
            direction: Direction::Descending,
        }
    }
}

impl IssueOrder {
    pub fn sort(self, issues: &mut [&Issue]) {
        issues.sort_by(|left, right| {
            let ordering = match self.field {
                OrderField::Created => left.created_at.cmp(&right.created_at),
                OrderField::Updated => left.updated_at.cmp(&right.updated_at),
                OrderField::Comments => left.comments.len().cmp(&right.comments.len()),
            }
            .then(left.number.cmp(&right.number));
            match self.direction {
                Direction::Ascending => ordering,
                Direction::Descending => ordering.reverse(),
            }
        });
    }
}

fn is_same_login(wanted: Option<&String>, login: &str) -> bool {
    wanted.is_none_or(|wanted| wanted.eq_ignore_ascii_case(login))
}

/// Compares with a wanted value, where `*` means any value and `none` no value.
fn matches_one(wanted: Option<&str>, present: &[String]) -> bool {
    match wanted {
        None => true,
        Some("none") => present.is_empty(),
        Some("*") => !present.is_empty(),
        Some(value) => present.iter().any(|item| item.eq_ignore_ascii_case(value)),
    }
}
