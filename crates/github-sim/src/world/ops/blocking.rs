//! Dependencies between issues, and sub-issues.

use crate::world::{IssueRef, Permission, Refusal, Viewer, World};

impl World {
    pub fn add_blocked_by(
        &mut self,
        viewer: &Viewer,
        at: IssueRef,
        blocker: IssueRef,
    ) -> Result<(), Refusal> {
        let mut changed = self.existing(at)?.clone();
        self.existing(blocker)?;
        self.authorize(viewer, at.repo, Permission::Triage, "AddBlockedBy")?;
        if at == blocker {
            return Err(Refusal::invalid(
                "Issue",
                "blocking_issue",
                "An issue cannot be blocked by itself",
            ));
        }
        if changed.blocked_by.contains(&blocker) {
            return Err(Refusal::invalid(
                "Issue",
                "blocking_issue",
                "Target issue has already been taken",
            ));
        }
        if self.is_blocked_by(blocker, at) {
            return Err(Refusal::invalid(
                "Issue",
                "blocking_issue",
                "Dependency would create a cycle",
            ));
        }
        changed.blocked_by.push(blocker);
        self.store_issue(at, changed);
        Ok(())
    }

    pub fn remove_blocked_by(
        &mut self,
        viewer: &Viewer,
        at: IssueRef,
        blocker: IssueRef,
    ) -> Result<(), Refusal> {
        let mut changed = self.existing(at)?.clone();
        self.authorize(viewer, at.repo, Permission::Triage, "RemoveBlockedBy")?;
        if !changed.blocked_by.contains(&blocker) {
            return Err(Refusal::not_found(
                "Could not resolve to an issue dependency between these issues",
            ));
        }
        changed.blocked_by.retain(|other| *other != blocker);
        self.store_issue(at, changed);
        Ok(())
    }

    /// Returns the issues that this issue blocks.
    pub fn blocking(&self, at: IssueRef) -> Vec<IssueRef> {
        self.find_issues(|issue| issue.blocked_by.contains(&at))
    }

    pub fn sub_issues(&self, at: IssueRef) -> Vec<IssueRef> {
        self.find_issues(|issue| issue.parent == Some(at))
    }

    pub fn add_sub_issue(
        &mut self,
        viewer: &Viewer,
        parent: IssueRef,
        child: IssueRef,
        replace_parent: bool,
    ) -> Result<(), Refusal> {
        self.existing(parent)?;
        let mut changed = self.existing(child)?.clone();
        self.authorize(viewer, parent.repo, Permission::Triage, "AddSubIssue")?;
        if parent == child {
            return Err(Refusal::invalid(
                "Issue",
                "sub_issue_id",
                "An issue cannot be its own sub-issue",
            ));
        }
        if changed.parent.is_some() && !replace_parent {
            return Err(Refusal::invalid(
                "Issue",
                "sub_issue_id",
                "Sub issue may only have one parent",
            ));
        }
        changed.parent = Some(parent);
        self.store_issue(child, changed);
        Ok(())
    }

    pub fn remove_sub_issue(
        &mut self,
        viewer: &Viewer,
        parent: IssueRef,
        child: IssueRef,
    ) -> Result<(), Refusal> {
        let mut changed = self.existing(child)?.clone();
        self.authorize(viewer, parent.repo, Permission::Triage, "RemoveSubIssue")?;
        if changed.parent != Some(parent) {
            return Err(Refusal::not_found(
                "The provided sub-issue does not belong to the parent issue",
            ));
        }
        changed.parent = None;
        self.store_issue(child, changed);
        Ok(())
    }

    /// Returns whether `at` is, directly or through others, blocked by `other`. An issue is blocked by itself.
    fn is_blocked_by(&self, at: IssueRef, other: IssueRef) -> bool {
        let mut open = vec![at];
        let mut seen = Vec::new();
        while let Some(next) = open.pop() {
            if next == other {
                return true;
            }
            if !seen.contains(&next) {
                seen.push(next);
                let blockers = self.issue_at(next).map(|issue| issue.blocked_by.clone());
                open.extend(blockers.unwrap_or_default());
            }
        }
        false
    }

    fn find_issues(&self, wanted: impl Fn(&crate::world::Issue) -> bool) -> Vec<IssueRef> {
        let repositories = self.repositories.iter().enumerate();
        repositories
            .flat_map(|(index, repo)| {
                let issues = repo.issues.values();
                issues
                    .filter(|issue| wanted(issue))
                    .map(move |issue| IssueRef {
                        repo: crate::world::RepoId(index),
                        number: issue.number,
                    })
            })
            .collect()
    }
}
